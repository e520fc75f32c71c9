import PoolModel

/// Which rows of a file have said something about which pool, so that a second row of the same customer and address is
/// never added without a word.
struct CSVRepeatedRows {
  private let policy: CSVRepeats
  /// Of each pool the first row that was its, 0 for none.
  private var firstRows: [Int]
  /// Of each pool what rows of the file said.
  private var said: [CSVStated]
  private var bodies: [Int: String] = [:]

  /// - Parameter rows: how many the file has.
  init(_ policy: CSVRepeats, existing: Int, rows: Int) {
    self.policy = policy
    firstRows = Array(repeating: 0, count: existing)
    said = Array(repeating: [], count: existing)
    firstRows.reserveCapacity(existing + rows)
    said.reserveCapacity(existing + rows)
  }

  func isFirst(at index: Int) -> Bool { firstRows[index] == 0 }

  func row(at index: Int) -> Int { firstRows[index] }

  /// The name of a pool of its own for a row of another body of water than the first; nil where it is the same.
  func otherBody(_ row: borrowing CSVRow, at index: Int) -> String? {
    guard policy == .keepFirst, !isFirst(at: index), !row.bodyOfWater.isEmpty,
      let first = bodies[index], first.lowercased() != row.bodyOfWater.lowercased()
    else { return nil }
    let name = "\(row.customerName) (\(row.bodyOfWater))"
    return TextRule.name.lengthFault(in: name) == nil ? name : nil
  }

  /// Notes the first row of a pool.
  ///
  /// - Parameter index: of the pool, which may be the next new one.
  mutating func take(_ row: borrowing CSVRow, at index: Int) {
    if index == firstRows.count {
      firstRows.append(row.number)
      said.append(CSVStated(row))
    } else {
      firstRows[index] = row.number
      said[index] = CSVStated(row)
    }
    if !row.bodyOfWater.isEmpty { bodies[index] = row.bodyOfWater }
  }

  /// Names a second row of a pool, and takes from it what it says otherwise than a row before it.
  ///
  /// - Parameters:
  ///   - pool: as it is so far, at this index; so is the profile.
  mutating func compare(_ row: inout CSVRow, with pool: Pool, _ profile: CustomerProfile, at index: Int) {
    guard !isFirst(at: index) else { return take(row, at: index) }
    let now = CSVStated(row)
    var differing: [CSVColumn] = []
    if policy == .keepFirst {
      differing = Self.compared.filter { stated, _, differs in
        said[index].contains(stated) && now.contains(stated) && differs(row, pool, profile)
      }.map(\.column)
    }
    for column in differing { row.leaveOut(column) }
    said[index].formUnion(now)
    let first = firstRows[index]
    row.note(
      differing.first ?? .customerName,
      differing.isEmpty ? .repeats(row: first) : .contradicts(row: first, columns: differing.map(\.rawValue)))
  }

  private typealias Comparison = (
    stated: CSVStated, column: CSVColumn, differs: @Sendable (borrowing CSVRow, Pool, CustomerProfile) -> Bool
  )

  private static let compared: [Comparison] = [
    (.day, .serviceDay, { row, pool, _ in row.serviceDay != pool.serviceDay }),
    (.fee, .monthlyFee, { row, pool, _ in row.fee != pool.monthlyServiceFee }),
    (.volume, .poolVolume, { row, pool, _ in row.volume != pool.volumeGallons }),
    (.contactName, .contactName, { row, _, profile in row.contactName != profile.contactName }),
    (.contactPhone, .contactPhone, { row, _, profile in row.contactPhone != profile.contactPhone }),
    (.contactEmail, .contactEmail, { row, _, profile in row.contactEmail != profile.contactEmail }),
    (.gateCode, .gateCode, { row, _, profile in row.gateCode != profile.gateAccessType }),
    (
      .technician, .technician,
      { row, _, profile in
        CSVProfiles.technicianName(row.technician).lowercased() != profile.technicianTag?.lowercased()
      }
    ),
  ]
}

/// The columns in which a row says something.
private struct CSVStated: OptionSet {
  let rawValue: UInt8

  static let day = CSVStated(rawValue: 1)
  static let fee = CSVStated(rawValue: 2)
  static let volume = CSVStated(rawValue: 4)
  static let contactName = CSVStated(rawValue: 8)
  static let contactPhone = CSVStated(rawValue: 16)
  static let contactEmail = CSVStated(rawValue: 32)
  static let gateCode = CSVStated(rawValue: 64)
  static let technician = CSVStated(rawValue: 128)

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ row: borrowing CSVRow) {
    self = []
    if row.serviceDay != nil { insert(.day) }
    if row.fee != nil { insert(.fee) }
    if row.volume != nil { insert(.volume) }
    if !row.contactName.isEmpty { insert(.contactName) }
    if !row.contactPhone.isEmpty { insert(.contactPhone) }
    if !row.contactEmail.isEmpty { insert(.contactEmail) }
    if !row.gateCode.isEmpty { insert(.gateCode) }
    if !row.technician.isEmpty { insert(.technician) }
  }
}
