import FlowControl
import FlowPlatform
import Foundation
import Testing

/// Expected values, read from the demo's own files without the code under test.
extension DemoStore {
  static func records(_ name: String) throws -> [[String: Any]] {
    let archive = try ZIPArchive(path: Checkout.backup)
    let entry = try #require(archive.file(named: name))
    let json = try JSONSerialization.jsonObject(with: Data(try archive.read(entry, limit: 64 << 20)))
    return (json as? [[String: Any]]) ?? []
  }

  /// The number of records of each kind in the demo's archive.
  static let counts = Result { () throws -> RecordCountsView in
    let photos = try ZIPArchive(path: Checkout.backup).entries.count { $0.name.hasSuffix(".bin") }
    return RecordCountsView(
      pools: try records("pools.json").count, serviceEvents: try records("service_events.json").count,
      chemicalDoses: try records("chemical_doses.json").count, inventoryItems: try records("inventory.json").count,
      customerProfiles: try records("customer_profiles.json").count, equipment: try records("equipment.json").count,
      photos: photos)
  }

  /// The number of rows in the demo's customers file, without its header.
  static func customers() throws -> Int {
    try Files.text(Checkout.customers).split(whereSeparator: \.isNewline).count - 1
  }

  /// The pool ids of a weekday (1 is Sunday) in route order, by technician, from the backup's records.
  static func route(day: Int) throws -> [String: [String]] {
    let technicians = try technicians()
    let pools = try records("pools.json").filter { $0["serviceDayOfWeek"] as? Int == day }
    func place(_ pool: [String: Any]) -> (Int, String) {
      (pool["routeOrder"] as? Int ?? 0, pool["id"] as? String ?? "")
    }
    let ordered = pools.map(place).sorted { $0 < $1 }.map { $0.1 }
    return Dictionary(grouping: ordered) { technicians[$0] ?? "desert-blue" }
  }

  /// The number of pools serviced on a weekday.
  static func stops(day: Int) throws -> Int { try route(day: day).values.map(\.count).reduce(0, +) }

  /// The technician of each pool whose profile names one, by pool id.
  static func technicians() throws -> [String: String] {
    var technicians: [String: String] = [:]
    for profile in try records("customer_profiles.json") {
      let tags = (profile["tagsCSV"] as? String ?? "").split(separator: ",")
      let tag = tags.first { $0.hasPrefix("tech:") }
      technicians[profile["poolID"] as? String ?? ""] = tag.map { String($0.dropFirst(5)) }
    }
    return technicians
  }

  /// The number of archives in a backup of the demo team: one for each technician and one for pools without one.
  static func archives() throws -> Int { Set(try technicians().values).count + 1 }
}
