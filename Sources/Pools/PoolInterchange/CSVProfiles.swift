import FlowModel
import PoolModel

/// The customer profiles while rows are applied. Filled cells of a row overwrite the stored values; empty cells change
/// nothing.
struct CSVProfiles {
  private let known: [PoolID: CustomerProfile]
  /// The profiles that rows have set, in file order.
  private var current: [CustomerProfile] = []
  /// For each element of `current`, the index of its pool.
  private var pools: [Int] = []
  /// For each pool, the index of its profile in `current`; -1 for none.
  private var positions: [Int]

  /// Starts with the stored profiles.
  ///
  /// - Parameter pools: the highest number of pools after the import.
  init(known profiles: [CustomerProfile], pools: Int) {
    known = Dictionary(profiles.map { ($0.poolID, $0) }, uniquingKeysWith: { _, last in last })
    positions = Array(repeating: -1, count: pools)
    current.reserveCapacity(pools)
  }

  /// The profiles that differ from the stored ones, in file order, and the index of each one's pool.
  var changed: (profiles: [CustomerProfile], pools: [Int]) {
    if known.isEmpty { return (current, pools) }
    let positions = current.indices.filter { current[$0] != known[current[$0].poolID] }
    return (positions.map { current[$0] }, positions.map { pools[$0] })
  }

  /// The current profile of a pool; a blank profile if none is stored.
  ///
  /// - Parameter poolPosition: the pool's index among the pools.
  func profile(_ pool: PoolID, at poolPosition: Int) -> CustomerProfile {
    let position = positions[poolPosition]
    return position >= 0 ? current[position] : known[pool] ?? .blank(pool)
  }

  /// The current profile of a pool with the filled cells of the row written over it. Does not store the result.
  func merged(_ pool: PoolID, at poolPosition: Int, _ row: borrowing CSVRow) -> CustomerProfile {
    var profile = profile(pool, at: poolPosition)
    if !row.contactName.isEmpty { profile.contactName = row.contactName }
    if !row.contactPhone.isEmpty { profile.contactPhone = row.contactPhone }
    if !row.contactEmail.isEmpty { profile.contactEmail = row.contactEmail }
    if !row.gateCode.isEmpty { profile.gateAccessType = row.gateCode }
    if !row.arrivalWindow.isEmpty { profile.preferredArrivalWindow = row.arrivalWindow }
    profile.tagsCSV = Self.mergedTags(profile.tagsCSV, row.tags, technician: row.technician)
    return profile
  }

  /// Stores a profile as the current one of its pool, unless it equals the stored profile or is blank.
  mutating func set(_ profile: consuming CustomerProfile, at poolPosition: Int) {
    if positions[poolPosition] >= 0 {
      current[positions[poolPosition]] = profile
      return
    }
    // A row without profile data creates no profile.
    if let old = known[profile.poolID] { if profile == old { return } } else if profile.hasNoData { return }
    positions[poolPosition] = current.count
    current.append(profile)
    pools.append(poolPosition)
  }

  /// True if the file assigns another technician to the pool than the stored profile.
  func changesTechnician(of pool: PoolID, at poolPosition: Int) -> Bool {
    let position = positions[poolPosition]
    return position >= 0 && current[position].technicianTag != known[pool]?.technicianTag
  }

  /// The old tags, followed by new tags that are not among them. A pool has one technician: a new `tech:NAME` replaces
  /// the old one, and a filled technician column overrides the technician among the new tags.
  static func mergedTags(_ old: String, _ new: String, technician: String) -> String {
    if technician.isEmpty, new.isEmpty || new == old { return old }
    if old.isEmpty, technician.isEmpty, isOnePart(new) { return new }
    var added = parts(new)
    if !technician.isEmpty {
      added.removeAll(where: namesTechnician)
      let plain = technicianName(technician)
      if !plain.isEmpty { added.insert("tech:\(plain)", at: 0) }
    }
    var named: Set<String> = []
    added.removeAll { !named.insert($0.lowercased()).inserted }
    var tags = parts(old)
    // The same technician changes nothing; another one takes the old one's position. Otherwise a file that names
    // several technicians for a pool would reorder the tags at every import.
    if let technician = added.first(where: namesTechnician)?.lowercased(),
      let position = tags.firstIndex(where: namesTechnician), tags[position].lowercased() != technician
    {
      tags.removeAll(where: namesTechnician)
      tags.insert(contentsOf: added.filter(namesTechnician), at: position)
    }
    let known = Set(tags.map { $0.lowercased() })
    tags += added.filter { !known.contains($0.lowercased()) }
    return tags.joined(separator: ",")
  }

  /// A technician's name as stored in a tag: without commas, which separate tags.
  static func technicianName(_ text: String) -> String {
    text.split(separator: ",").map { trimmingSpaces($0) }.joined(separator: " ")
  }

  /// True if the text is exactly one trimmed tag, so that `parts` would return it unchanged.
  private static func isOnePart(_ tags: String) -> Bool {
    tags.utf8.first != UInt8(ascii: " ") && tags.utf8.last != UInt8(ascii: " ")
      && !tags.utf8.contains(UInt8(ascii: ","))
  }

  private static func parts(_ tags: String) -> [String] {
    // Bytes suffice and are faster: comma and space are ASCII.
    tags.utf8.split(separator: UInt8(ascii: ",")).compactMap { part in
      var rest = part
      while rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
      while rest.last == UInt8(ascii: " ") { rest = rest.dropLast() }
      return rest.isEmpty ? nil : String(rest)
    }
  }

  private static func namesTechnician(_ tag: String) -> Bool { tag.lowercased().hasPrefix("tech:") }
}
