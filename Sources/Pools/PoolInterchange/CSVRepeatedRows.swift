import FlowModel
import PoolModel

/// Records which rows of a file have set which pool, so that a second row with the same customer and address always
/// gets a warning.
struct CSVRepeatedRows {
  private let policy: CSVRepeats
  /// For each pool, the number of its first row; 0 for none.
  private var firstRows: [Int]
  /// For each pool, the columns that rows of the file have filled.
  private var filled: [FilledColumns]
  private var bodies: [Int: String] = [:]
  /// For each pool, the frequency that its first row with one names.
  private var frequencies: [Int: CSVFrequency] = [:]

  /// Starts without rows.
  ///
  /// - Parameter rows: the number of rows in the file.
  init(_ policy: CSVRepeats, existing: Int, rows: Int) {
    self.policy = policy
    firstRows = Array(repeating: 0, count: existing)
    filled = Array(repeating: [], count: existing)
    firstRows.reserveCapacity(existing + rows)
    filled.reserveCapacity(existing + rows)
  }

  /// True if no row of the file has set this pool yet.
  func isFirst(at index: Int) -> Bool { firstRows[index] == 0 }

  /// The number of the first row that set this pool; 0 for none.
  func row(at index: Int) -> Int { firstRows[index] }

  /// The name of a separate pool for a row that names another body of water than the pool's first row; nil if the row
  /// belongs to the same pool.
  func separatePoolName(_ row: borrowing CSVRow, at index: Int) -> String? {
    guard policy == .keepFirst, !isFirst(at: index), !row.bodyOfWater.isEmpty,
      let first = bodies[index], first.lowercased() != row.bodyOfWater.lowercased()
    else { return nil }
    let name = "\(row.customerName) (\(row.bodyOfWater))"
    return TextRule.name.lengthFault(in: name) == nil ? name : nil
  }

  /// Records the first row of a pool.
  ///
  /// - Parameter index: the index of the pool, possibly of the next new pool.
  mutating func take(_ row: borrowing CSVRow, at index: Int) {
    if index == firstRows.count {
      firstRows.append(row.number)
      filled.append(FilledColumns(row))
    } else {
      firstRows[index] = row.number
      filled[index] = FilledColumns(row)
    }
    if !row.bodyOfWater.isEmpty { bodies[index] = row.bodyOfWater }
    if let frequency = row.frequency { frequencies[index] = frequency }
  }

  /// Adds a warning to a second row of a pool, and clears the cells that contradict an earlier row.
  ///
  /// - Parameters:
  ///   - pool: the pool as changed so far.
  ///   - profile: the pool's profile as changed so far.
  ///   - index: the index of the pool.
  mutating func compare(_ row: inout CSVRow, with pool: Pool, _ profile: CustomerProfile, at index: Int) {
    guard !isFirst(at: index) else { return take(row, at: index) }
    let now = FilledColumns(row)
    var differing: [CSVColumn] = []
    if policy == .keepFirst {
      differing = Self.compared.filter { stated, _, differs in
        filled[index].contains(stated) && now.contains(stated) && differs(row, pool, profile)
      }.map(\.column)
      if let frequency = row.frequency {
        if let first = frequencies[index], first != frequency { differing.append(.frequency) }
        frequencies[index] = frequencies[index] ?? frequency
      }
    }
    for column in differing { row.clear(column) }
    filled[index].formUnion(now)
    let first = firstRows[index]
    row.note(
      differing.first ?? .customerName,
      differing.isEmpty ? .repeats(row: first) : .contradicts(row: first, columns: differing.map(\.rawValue)))
  }

  private typealias Comparison = (
    stated: FilledColumns, column: CSVColumn, differs: @Sendable (borrowing CSVRow, Pool, CustomerProfile) -> Bool
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

/// The columns that a row fills.
private struct FilledColumns: OptionSet {
  let rawValue: UInt8

  static let day = FilledColumns(rawValue: 1)
  static let fee = FilledColumns(rawValue: 2)
  static let volume = FilledColumns(rawValue: 4)
  static let contactName = FilledColumns(rawValue: 8)
  static let contactPhone = FilledColumns(rawValue: 16)
  static let contactEmail = FilledColumns(rawValue: 32)
  static let gateCode = FilledColumns(rawValue: 64)
  static let technician = FilledColumns(rawValue: 128)

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
