import PoolModel

/// The customers' profiles while rows are applied: what a row says is written over what was known, what it leaves empty
/// stays.
struct CSVProfiles {
  private let known: [PoolID: CustomerProfile]
  /// What the file has something to say about, in its order, and the place of each one's pool.
  private var current: [CustomerProfile] = []
  private var pools: [Int] = []
  /// The place of each pool's among them, -1 for none.
  private var places: [Int]

  /// - Parameter pools: how many there may be in the end.
  init(known profiles: [CustomerProfile], pools: Int) {
    known = Dictionary(profiles.map { ($0.poolID, $0) }, uniquingKeysWith: { _, last in last })
    places = Array(repeating: -1, count: pools)
    current.reserveCapacity(pools)
  }

  /// The profiles that differ from what was known, in the order of the file, and the place of each one's pool.
  var changed: (profiles: [CustomerProfile], pools: [Int]) {
    if known.isEmpty { return (current, pools) }
    let places = current.indices.filter { current[$0] != known[current[$0].poolID] }
    return (places.map { current[$0] }, places.map { pools[$0] })
  }

  /// The profile of a pool as it is so far, which is empty where nothing is known.
  ///
  /// - Parameter poolPlace: the pool's index among the pools.
  func profile(_ pool: PoolID, at poolPlace: Int) -> CustomerProfile {
    let place = places[poolPlace]
    return place >= 0 ? current[place] : known[pool] ?? .blank(pool)
  }

  func merged(_ pool: PoolID, at poolPlace: Int, _ row: borrowing CSVRow) -> CustomerProfile {
    var profile = profile(pool, at: poolPlace)
    if !row.contactName.isEmpty { profile.contactName = row.contactName }
    if !row.contactPhone.isEmpty { profile.contactPhone = row.contactPhone }
    if !row.contactEmail.isEmpty { profile.contactEmail = row.contactEmail }
    if !row.gateCode.isEmpty { profile.gateAccessType = row.gateCode }
    if !row.arrivalWindow.isEmpty { profile.preferredArrivalWindow = row.arrivalWindow }
    profile.tagsCSV = Self.mergedTags(profile.tagsCSV, row.tags, technician: row.technician)
    return profile
  }

  mutating func set(_ profile: consuming CustomerProfile, at poolPlace: Int) {
    if places[poolPlace] >= 0 {
      current[places[poolPlace]] = profile
      return
    }
    // A row that says nothing about a customer makes no profile.
    if let old = known[profile.poolID] { if profile == old { return } } else if profile.saysNothing { return }
    places[poolPlace] = current.count
    current.append(profile)
    pools.append(poolPlace)
  }

  /// Whether the file gives a pool another technician than the profile that was known.
  func changesTechnician(of pool: PoolID, at poolPlace: Int) -> Bool {
    let place = places[poolPlace]
    return place >= 0 && current[place].technicianTag != known[pool]?.technicianTag
  }

  /// Old tags, then the new ones that were not there. A pool has one technician: a new `tech:NAME` replaces the old, and
  /// the technician column, where it is filled, the one among the tags.
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
    // The same technician again changes nothing, and another one takes the old one's place: a file that names several for
    // a pool would otherwise move the tags at every import.
    if let technician = added.first(where: namesTechnician)?.lowercased(),
      let place = tags.firstIndex(where: namesTechnician), tags[place].lowercased() != technician
    {
      tags.removeAll(where: namesTechnician)
      tags.insert(contentsOf: added.filter(namesTechnician), at: place)
    }
    let known = Set(tags.map { $0.lowercased() })
    tags += added.filter { !known.contains($0.lowercased()) }
    return tags.joined(separator: ",")
  }

  /// A technician's name as a tag has it: without the commas that divide tags.
  static func technicianName(_ text: String) -> String {
    text.split(separator: ",").map { trimmingSpaces($0) }.joined(separator: " ")
  }

  /// Whether `parts` would give back the text as it is.
  private static func isOnePart(_ tags: String) -> Bool {
    tags.utf8.first != UInt8(ascii: " ") && tags.utf8.last != UInt8(ascii: " ")
      && !tags.utf8.contains(UInt8(ascii: ","))
  }

  private static func parts(_ tags: String) -> [String] {
    // Bytes are enough and quicker: comma and space are ASCII.
    tags.utf8.split(separator: UInt8(ascii: ",")).compactMap { part in
      var rest = part
      while rest.first == UInt8(ascii: " ") { rest = rest.dropFirst() }
      while rest.last == UInt8(ascii: " ") { rest = rest.dropLast() }
      return rest.isEmpty ? nil : String(rest)
    }
  }

  private static func namesTechnician(_ tag: String) -> Bool { tag.lowercased().hasPrefix("tech:") }
}
