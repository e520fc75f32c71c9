import FlowCalendar
import FlowModel
import Foundation
import Testing
@testable import FlowPlatform

/// The reader of the system's tz database, on folders of the tests.
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
  func `an unknown zone is refused with the nearest name`(name: String, suggestion: String) {
    #expect(throws: ZoneError.notFound(name: name, suggestion: suggestion)) { try zones.zone(named: name) }
  }

  @Test(arguments: [
    "", "../etc/passwd", "/etc/passwd", "Europe/../Europe/Berlin", ".hidden", "Europe/", "Europe", "a b",
  ])
  func `a zone name outside the folder is refused`(name: String) throws {
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
  func `a copy of the database is no zone, and the original name is suggested`(name: String, suggestion: String) {
    #expect(throws: ZoneError.notFound(name: name, suggestion: suggestion)) { try zones.zone(named: name) }
  }

  @Test(arguments: [
    "posixrules", "localtime", "Factory", "leapseconds", "zone.tab", "zone1970.tab", "tzdata.zi", "leap-seconds.list",
    "iso3166.tab", "right", "posix", "right/", "posix/",
  ])
  func `a file of the database that is not a zone is refused`(name: String) throws {
    let error = try #require(throws: ZoneError.self) { try zones.zone(named: name) }
    guard case .notFound = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!zones.zoneNames().contains(name))
  }

  @Test(arguments: [
    ("GMT+5", "UTC+05:00 to people and UTC-05:00 to the tz database; name a city, such as Asia/Karachi"),
    ("gmt-8", "UTC-08:00 to people and UTC+08:00 to the tz database"),
    ("UTC+5", "not a time zone with its clock changes"),
    ("UTC-3:30", "such as America/St_Johns (UTC-03:30)"), ("UTC+5.45", "Asia/Kathmandu"), ("+0530", "Asia/Kolkata"),
    ("-8", "America/Los_Angeles"), ("GMT+05:30", "Asia/Kolkata (UTC+05:30)"),
    ("Etc/GMT+5", "UTC+05:00 to people and UTC-05:00 to the tz database"), ("Etc/GMT-14", "UTC-14:00 to people"),
    ("EST", "'EST' never changes its clocks; name a city: America/New_York, or America/Panama for a place without"),
    ("MST", "America/Denver, or America/Phoenix for a place"), ("HST", "Pacific/Honolulu"), ("est", "America/New_York"),
    ("PST", "'PST' is an abbreviation, not a time zone; name a city: America/Los_Angeles"), ("CST", "America/Chicago"),
    ("EDT", "America/New_York"), ("CEST", "Europe/Berlin"), ("IST", "Asia/Kolkata"), ("AEST", "Australia/Sydney"),
  ])
  func `an ambiguous zone name is refused with a list of cities`(name: String, part: String) throws {
    let error = try #require(throws: ZoneError.self) { try zones.zone(chosen: name) }
    #expect(error.description.contains(part), "\(error)")
    #expect(!error.description.contains("did you mean"))
    let cities = error.description.split { !($0.isLetter || $0 == "/" || $0 == "_") }.filter { $0.contains("/") }
    for city in cities where ![name, "Area/City"].contains(String(city)) { _ = try zones.zone(named: String(city)) }
  }

  @Test(arguments: [
    "America/New_York", "UTC", "Etc/UTC", "GMT", "GMT0", "Etc/GMT+0", "EST5EDT", "CET", "Japan", "US/Eastern",
  ])
  func `a zone with clock changes, an alias or UTC may be chosen`(name: String) throws {
    #expect(try zones.zone(chosen: name).name == name)
  }

  @Test(arguments: ["EST", "MST", "HST", "Etc/GMT+5"])
  func `a zone that was chosen before still works`(name: String) throws {
    #expect(try zones.zone(named: name).name == name)
  }

  @Test(arguments: ["GMT+5", "UTC+5", "PST", "GMT+15", "Ect/GMT+5", "XST", "CSTT", "Etc/GMT+55", "EST6EDT"])
  func `no fixed offset or abbreviation is suggested`(name: String) throws {
    let error = try #require(throws: ZoneError.self) { try zones.zone(named: name) }
    if case .notFound(_, let suggestion?) = error { #expect(ZoneChoice.isSuggested(suggestion), "\(error)") }
  }

  @Test func `the database's version and latest publication date are read`() throws {
    try withFolder { folder in
      let local = SystemZones(folder: folder)
      func write(_ text: String, to name: String, day: String) throws {
        let path = "\(folder)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        let date = try #require(Timestamp(rfc3339: "\(day)T12:00:00Z"))
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSince1970: Double(date.seconds))], ofItemAtPath: path)
      }
      #expect(local.database?.version == nil && local.database != nil)
      try write("2024b\n", to: "+VERSION", day: "2024-09-10")
      #expect(local.database == ZoneDatabase(version: "2024b", modified: CivilDate(year: 2024, month: 9, day: 10)))
      // A later copy is no newer version, and a database that claims to be older is not newer.
      try write("# version 2025b\n# redo\n", to: "tzdata.zi", day: "2027-01-01")
      #expect(local.database?.version == "2025b")
      #expect(local.database?.published == CivilDate(year: 2025, month: 12, day: 31))
      try write("# version 2026a", to: "tzdata.zi", day: "1970-01-01")
      #expect(local.database?.published == CivilDate(year: 2026, month: 1, day: 1))
      try write("# version unknown", to: "tzdata.zi", day: "2026-05-01")
      #expect(local.database?.version == "2024b")
    }
    #expect(SystemZones(folder: "/nonexistent").database == nil)
  }

  @Test func `every offered zone can be used`() throws {
    let names = zones.zoneNames()
    #expect(names.count > 300)
    for name in names { #expect(try zones.zone(named: name).name == name) }
  }

  @Test func `the machine's zone is the original name if TZ names a copy`() {
    #expect(LocalZone.name(environment: ["TZ": "posix/Europe/Berlin"]) == "Europe/Berlin")
    #expect(LocalZone.name(environment: ["TZ": ":right/UTC"]) == "UTC")
    #expect(LocalZone.name(environment: ["TZ": "Asia/Tokyo"]) == "Asia/Tokyo")
  }

  @Test func `a broken zone file is named with the reason`() throws {
    try withFolder { folder in
      try Data("TZif".utf8).write(to: URL(fileURLWithPath: "\(folder)/Europe/Broken"))
      let local = SystemZones(folder: folder)
      #expect(throws: ZoneError.broken(name: "Europe/Broken", why: "it ends within its header")) {
        try local.zone(named: "Europe/Broken")
      }
      #expect(local.zoneNames() == ["Europe/Berlin", "Europe/Broken", "UTC"])
    }
  }

  @Test func `a tzdata update is noticed, and moved slots are reported`() throws {
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

  @Test func `the hemisphere of a zone is known by its place`() {
    let southern = ["Pacific/Auckland", "Australia/Sydney", "America/Sao_Paulo"]
    for name in southern { #expect(zones.isSouthern(name) == true) }
    for name in ["America/Phoenix", "Europe/Berlin", "Asia/Tokyo"] { #expect(zones.isSouthern(name) == false) }
    #expect(zones.isSouthern("UTC") == nil)
  }

  @Test func `equal files give equal zones`() throws {
    #expect(try SystemZones().zone(named: "Europe/Berlin") == zones.zone(named: "Europe/Berlin"))
    #expect(try zones.zone(named: "Europe/Berlin") != zones.zone(named: "Europe/Paris"))
    #expect(zones.zoneNames().count > 300)
  }
}
