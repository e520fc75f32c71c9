import PoolModel

/// The customers' profiles while rows are applied: what a row says is written over what was known, what it leaves empty
/// stays.
struct CSVProfiles {
  private let known: [PoolID: CustomerProfile]
  private var current: [PoolID: CustomerProfile] = [:]
  private var order: [PoolID] = []

  init(known profiles: [CustomerProfile]) {
    known = Dictionary(profiles.map { ($0.poolID, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// The profiles that differ from what was known, in the order of the file.
  var changed: [CustomerProfile] {
    order.compactMap { id in
      guard let profile = current[id], profile != known[id] else { return nil }
      return profile
    }
  }

  func merged(
    _ pool: PoolID, contactName: String, contactPhone: String, tags: String, technician: String
  ) -> CustomerProfile {
    var profile = current[pool] ?? known[pool] ?? Self.empty(pool)
    if !contactName.isEmpty { profile.contactName = contactName }
    if !contactPhone.isEmpty { profile.contactPhone = contactPhone }
    profile.tagsCSV = Self.mergedTags(profile.tagsCSV, tags, technician: technician)
    return profile
  }

  mutating func set(_ profile: CustomerProfile) {
    // A row that says nothing about a customer makes no profile.
    if current[profile.poolID] == nil {
      guard profile != known[profile.poolID] ?? Self.empty(profile.poolID) else { return }
      order.append(profile.poolID)
    }
    current[profile.poolID] = profile
  }

  private static func empty(_ pool: PoolID) -> CustomerProfile {
    CustomerProfile(
      poolID: pool, contactName: "", contactPhone: "", contactEmail: "", gateAccessType: "",
      preferredArrivalWindow: "", tagsCSV: "")
  }

  /// Old tags, then the new ones that were not there. A pool has one technician: a new `tech:NAME` replaces the old, and
  /// the technician column, where it is filled, the one among the tags.
  static func mergedTags(_ old: String, _ new: String, technician: String) -> String {
    if technician.isEmpty, new.isEmpty || new == old { return old }
    var added = parts(new)
    if old.isEmpty, technician.isEmpty, added.count == 1 { return added[0] }
    if !technician.isEmpty {
      added.removeAll(where: namesTechnician)
      let plain = technician.split(separator: ",").map { trimmingSpaces($0) }.joined(separator: " ")
      if !plain.isEmpty { added.insert("tech:\(plain)", at: 0) }
    }
    var tags = parts(old)
    // The same technician again must not change the order, or every import would count as a change.
    if let technician = added.first(where: namesTechnician)?.lowercased(),
      tags.first(where: namesTechnician)?.lowercased() != technician
    {
      tags.removeAll(where: namesTechnician)
    }
    var seen = Set(tags.map { $0.lowercased() })
    for tag in added where seen.insert(tag.lowercased()).inserted { tags.append(tag) }
    return tags.joined(separator: ",")
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
