import Foundation
import PoolCalendar
import PoolModel
import PoolPlatform
import Testing

/// The reader of the system's tz database, in folders of its own.
@Suite struct SystemZonesTests {
  /// A folder with two zones, removed after `body`.
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zones-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("Europe"), withIntermediateDirectories: true)
    for name in ["Europe/Berlin", "UTC"] { try copy(name, to: folder.appendingPathComponent(name)) }
    try body(folder.path)
  }

  private func copy(_ name: String, to place: URL) throws {
    try Data(contentsOf: URL(fileURLWithPath: "\(zones.folder)/\(name)")).write(to: place, options: .atomic)
  }

  @Test(arguments: [
    ("America/Phoenixx", "America/Phoenix"), ("america/new_york", "America/New_York"), ("Berlin", "Europe/Berlin"),
    ("Europe/Berln", "Europe/Berlin"),
  ])
  func `a name that is not there is refused with the nearest one`(name: String, suggestion: String) {
    #expect(throws: ZoneError.notFound(name: name, suggestion: suggestion)) { try zones.zone(named: name) }
  }

  @Test(arguments: [
    "", "../etc/passwd", "/etc/passwd", "Europe/../Europe/Berlin", ".hidden", "Europe/", "Europe", "a b",
  ])
  func `a name that leaves the folder is no zone`(name: String) throws {
    let error = try #require(throws: ZoneError.self) { try zones.zone(named: name) }
    guard case .notFound = error else {
      Issue.record("\(error)")
      return
    }
  }

  @Test(arguments: [
    ("right/UTC", "UTC"), ("posix/Europe/Berlin", "Europe/Berlin"), ("right/America/New_York", "America/New_York"),
    ("posix/Europe/Berln", "Europe/Berlin"), ("right/posix/UTC", "UTC"),
  ])
  func `a copy of the database is no zone, and the original is what was meant`(name: String, suggestion: String) {
    #expect(throws: ZoneError.notFound(name: name, suggestion: suggestion)) { try zones.zone(named: name) }
  }

  @Test(arguments: [
    "posixrules", "localtime", "Factory", "leapseconds", "zone.tab", "zone1970.tab", "tzdata.zi", "leap-seconds.list",
    "iso3166.tab", "right", "posix", "right/", "posix/",
  ])
  func `a file that stands for another zone or for none is no zone`(name: String) throws {
    let error = try #require(throws: ZoneError.self) { try zones.zone(named: name) }
    guard case .notFound = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!zones.zoneNames().contains(name))
  }

  @Test func `every zone that is offered can be used`() throws {
    let names = zones.zoneNames()
    #expect(names.count > 300)
    for name in names { #expect(try zones.zone(named: name).name == name) }
  }

  @Test func `the machine's own zone is the original where a copy of it is set`() {
    #expect(LocalZone.name(environment: ["TZ": "posix/Europe/Berlin"]) == "Europe/Berlin")
    #expect(LocalZone.name(environment: ["TZ": ":right/UTC"]) == "UTC")
    #expect(LocalZone.name(environment: ["TZ": "Asia/Tokyo"]) == "Asia/Tokyo")
  }

  @Test func `a broken file is named with what is wrong`() throws {
    try withFolder { folder in
      try Data("TZif".utf8).write(to: URL(fileURLWithPath: "\(folder)/Europe/Broken"))
      let local = SystemZones(folder: folder)
      #expect(throws: ZoneError.broken(name: "Europe/Broken", why: "it ends within its header")) {
        try local.zone(named: "Europe/Broken")
      }
      #expect(local.zoneNames() == ["Europe/Berlin", "Europe/Broken", "UTC"])
    }
  }

  @Test func `a tzdata update is noticed, and what moved is told`() throws {
    try withFolder { folder in
      let local = SystemZones(folder: folder)
      let before = try local.zone(named: "Europe/Berlin")
      let fingerprint = local.fingerprint
      #expect(local.reload().changed.isEmpty)
      // The same data in a new file is no change.
      try copy("Europe/Berlin", to: URL(fileURLWithPath: "\(folder)/Europe/Berlin"))
      #expect(local.fingerprint != fingerprint)
      #expect(local.reload().changed.isEmpty)
      try copy("America/New_York", to: URL(fileURLWithPath: "\(folder)/Europe/Berlin"))
      #expect(try local.zone(named: "Europe/Berlin") == before)
      let update = try #require(local.reload().changed.first)
      #expect(update.before == before && update.after != before)
      #expect(try local.zone(named: "Europe/Berlin") == update.after)
      try FileManager.default.removeItem(atPath: "\(folder)/Europe/Berlin")
      let gone = local.reload()
      #expect(gone.errors == [.notFound(name: "Europe/Berlin", suggestion: nil)])
      #expect(try local.zone(named: "Europe/Berlin") == update.after)
    }
  }

  @Test func `equal files make equal zones`() throws {
    #expect(try SystemZones().zone(named: "Europe/Berlin") == zones.zone(named: "Europe/Berlin"))
    #expect(try zones.zone(named: "Europe/Berlin") != zones.zone(named: "Europe/Paris"))
    #expect(zones.zoneNames().count > 300)
  }
}
