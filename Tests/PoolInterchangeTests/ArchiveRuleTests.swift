import FlowModel
import Foundation
import PoolInterchange
import PoolModel
import Testing

/// Archive rules beyond the fixtures: which faults refuse an archive and which only warn.
struct ArchiveRuleTests {
  private static let poolID = "E70EA915-056F-4B4B-81B0-98345220220E"
  private static let eventID = "39B33FB4-53BD-4A36-9C2A-7495069C6B94"
  private static let doseID = "40120F63-2645-4CE7-9215-749908A1BD8D"
  private static let itemID = "5D4584A6-F911-4BF7-BDF7-DA2FAD83E84E"
  private static let otherID = "B46C448D-BAC9-4563-9A3F-1473ED4D1516"

  private static let pool = """
    {"id": "\(poolID)", "customerName": "Ann", "address": "1 Elm", "notes": "", "latitude": 33.4, "longitude": -111.8,
     "poolVolumeGallons": 15000, "monthlyServiceFee": 145, "serviceDayOfWeek": 2, "routeOrder": 0, "pH": 7.4,
     "waterTempF": 78, "calciumHardness": 250, "totalAlkalinity": 100, "cyanuricAcid": 30,
     "createdAt": "2024-07-20T14:59:00Z", "updatedAt": "2024-07-20T14:59:00Z"}
    """
  private static let event = """
    {"id": "\(eventID)", "poolID": "\(poolID)", "timestamp": "2025-11-06T20:08:00Z", "pH": 7.6, "waterTempF": 80,
     "calciumHardness": 300, "totalAlkalinity": 100, "cyanuricAcid": 50, "lsiValue": -0.389, "totalChemicalCost": 1.25,
     "techNotes": ""}
    """
  private static let dose = """
    {"id": "\(doseID)", "serviceEventID": "\(eventID)", "chemicalID": "\(itemID)", "quantityOz": 32, "cost": 1.25}
    """
  private static let item = """
    {"id": "\(itemID)", "name": "Acid", "chemicalTypeRaw": "acid", "concentration": 31.45, "costPerOz": 0.05,
     "currentStockOz": 120, "lowStockThresholdOz": 64, "unitLabel": "oz"}
    """
  private static let profile = #"{"poolID": "\#(poolID)", "contactName": "Ann", "tagsCSV": "tech:dan"}"#
  private static let manifest =
    #"{"schemaVersion": 2, "appVersion": "1.0", "createdAt": "2026-02-25T09:00:00Z", "counts": {"pools": 1}}"#

  private func read(
    _ changes: [String: String] = [:], origin: ArchiveOrigin = .anywhere
  ) throws -> ArchiveContents {
    var members = [
      "manifest.json": Self.manifest, "pools.json": "[\(Self.pool)]", "service_events.json": "[\(Self.event)]",
      "chemical_doses.json": "[\(Self.dose)]", "inventory.json": "[\(Self.item)]",
      "customer_profiles.json": "[\(Self.profile)]", "equipment.json": "[]",
    ]
    members.merge(changes) { _, new in new }
    return try ArchiveReader.read(ListedMembers(members: members.mapValues { Array($0.utf8) }), origin: origin)
  }

  private func damage(_ changes: [String: String]) -> ArchiveDamage? {
    do {
      _ = try read(changes)
      return nil
    } catch ArchiveError.unreadableArchive(let damage) {
      return damage
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  private func changed(_ record: String, _ old: String, _ new: String) -> String {
    "[\(record.replacingOccurrences(of: old, with: new))]"
  }

  @Test func `a small archive is read field by field`() throws {
    let contents = try read()
    #expect(contents.manifest.schemaVersion == 2)
    #expect(contents.manifest.counts.pools == 1)
    #expect(contents.pools.map(\.customerName) == ["Ann"])
    #expect(contents.pools[0].readings.totalDissolvedSolids == nil)
    #expect(contents.pools[0].cachedLSI == nil)
    #expect(contents.serviceEvents[0].timestamp == Timestamp(rfc3339: "2025-11-06T20:08:00Z"))
    #expect(contents.chemicalDoses[0].chemicalID == contents.inventory[0].id)
    #expect(contents.profiles[0].technicianTag == "dan")
    #expect(contents.profiles[0].contactPhone == "")
    #expect(contents.warnings == [])
  }

  @Test func `a tag that names the office as technician gives a warning and stays`() throws {
    let contents = try read(["customer_profiles.json": changed(Self.profile, "tech:dan", "vip,tech:office")])
    #expect(contents.warnings == [.reservedTechnician(contents.pools[0].id)])
    #expect(contents.profiles.map(\.tagsCSV) == ["vip,tech:office"])
  }

  // MARK: JSON that Foundation would take

  @Test func `a duplicate key refuses the file`() {
    let pools = changed(Self.pool, "\"notes\": \"\"", "\"notes\": \"a\", \"notes\": \"b\"")
    guard case .json("pools.json", let fault)? = damage(["pools.json": pools]) else {
      Issue.record("not refused")
      return
    }
    #expect(fault.kind == .repeatedKey("notes"))
    #expect(fault.line == 1)
    // An escaped character makes the same key.
    let hidden = changed(Self.pool, "\"notes\": \"\"", "\"notes\": \"a\", \"n\\u006ftes\": \"b\"")
    #expect(damage(["pools.json": hidden]) != nil)
  }

  @Test(arguments: [
    ("\\u0000", ""), ("12\\u000734", "1234"), ("\\b", ""), ("a\\fb", "ab"), ("\\u001b[2J", "[2J"), ("\\u007f", ""),
    ("\u{7F}x", "x"), ("\u{9B}31m", "31m"), ("\\u009b31m", "31m"), ("\u{C2}\u{A0}", "\u{C2}\u{A0}"),
  ])
  func `an escaped control character is removed with a warning, and kept from our own backup`(
    _ text: String, _ left: String
  ) throws {
    let pools = changed(Self.pool, "\"notes\": \"\"", "\"notes\": \"\(text)\"")
    let contents = try read(["pools.json": pools])
    #expect(contents.pools[0].notes == left)
    let warning = ArchiveWarning.controlCharacters(file: "pools.json", record: 1, field: "notes")
    #expect(contents.warnings == (hasControls(text) || text.contains("\\") ? [warning] : []))
    let own = try read(["pools.json": pools], origin: .ownBackup)
    #expect(own.warnings == [] && withoutControls(own.pools[0].notes) == left)
    #expect((own.pools[0].notes != left) == !contents.warnings.isEmpty)
  }

  @Test(arguments: ["\u{1}", "a\nb", "\u{1F}"])
  func `an unescaped control character in JSON refuses the file`(_ text: String) {
    guard
      case .json("pools.json", let fault)? = damage([
        "pools.json": changed(Self.pool, "\"notes\": \"\"", "\"notes\": \"\(text)\"")
      ])
    else {
      Issue.record("not refused")
      return
    }
    guard case .controlCharacter = fault.kind else {
      Issue.record("\(fault)")
      return
    }
  }

  @Test func `line breaks, tabs and all other characters are accepted in text`() throws {
    let notes = #"one\r\ntwo\tthree \"q\" \\ \/ \u00fc \ud83c\udfca ü 🏊"#
    let pools = changed(Self.pool, "\"notes\": \"\"", "\"notes\": \"\(notes)\"")
    #expect(try read(["pools.json": pools]).pools[0].notes == "one\r\ntwo\tthree \"q\" \\ / ü 🏊 ü 🏊")
  }

  @Test(arguments: [
    "NaN", "Infinity", "-Infinity", "1e999", "-1e999", "01", "+1", "1.", ".5", "1e", "0x10", "1_000", "- 1", "--1",
  ])
  func `a number that is not finite JSON refuses the file`(_ number: String) {
    #expect(damage(["pools.json": changed(Self.pool, "33.4", number)]) != nil)
  }

  @Test(arguments: [
    ("-0", -0.0), ("0", 0), ("1e1", 10), ("1.5E+1", 15), ("12345678901234567890e-18", 12.345_678_901_234_567_89),
  ])
  func `a finite number is read to the nearest double`(_ text: String, _ value: Double) throws {
    #expect(try read(["pools.json": changed(Self.pool, "33.4", text)]).pools[0].latitude == value)
  }

  @Test(arguments: ["1e308", "-1e308", "1e13", "1000000000000.1"])
  func `a number outside of the record range refuses the record in every field`(_ number: String) throws {
    let places: [(String, String, String)] = [
      ("pools.json", Self.pool, "33.4"), ("pools.json", Self.pool, "15000"), ("pools.json", Self.pool, "145"),
      ("pools.json", Self.pool, "7.4"), ("service_events.json", Self.event, "-0.389"),
      ("service_events.json", Self.event, "1.25"), ("chemical_doses.json", Self.dose, "32,"),
      ("inventory.json", Self.item, "0.05"), ("inventory.json", Self.item, "31.45"),
      ("inventory.json", Self.item, "120"),
    ]
    for (file, record, old) in places {
      let records = changed(record, old, old.hasSuffix(",") ? number + "," : number)
      guard case .record(file, number: 1, _, .outOfRange)? = damage([file: records]) else {
        Issue.record("\(file) with \(number) for \(old): \(String(describing: damage([file: records])))")
        continue
      }
      #expect(try read([file: records], origin: .ownBackup).pools.count == 1)
    }
  }

  @Test(arguments: ["9223372036854775808", "1.5", "2147483648", "\"0\"", "true"])
  func `an invalid or too large integer refuses the record`(_ number: String) {
    #expect(
      damage(["pools.json": changed(Self.pool, "\"routeOrder\": 0", "\"routeOrder\": \(number)")]) != nil)
  }

  @Test func `endless nesting and endless records are refused`() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(damage(["pools.json": deep]) != nil)
    #expect(damage(["manifest.json": "{\"a\":" + deep]) != nil)
    let wide = changed(
      Self.pool, "\"notes\": \"\"", "\"x\": [" + String(repeating: "1,", count: 1_000) + "1]")
    guard case .json(_, let fault)? = damage(["pools.json": wide]) else {
      Issue.record("not refused")
      return
    }
    #expect(fault.kind == .tooManyValues(64))
  }

  @Test(arguments: [
    "", " ", "[", "]", "{}", "null", "[}", "[1]", "[null]", "[[]]", "[{}", "[{}]x", "[{},]", "[{\"a\"}]", "[{\"a\":}]",
    "[{a:1}]", "[{\"a\":1,}]", "[\"\\q\"]", "[\"\\ud800\"]", "[\"\\ud800\\u0041\"]", "[\"\\u12\"]", "[\"", "[tru]",
  ])
  func `a file that is no list of records is refused`(_ text: String) {
    #expect(damage(["pools.json": text]) != nil)
  }

  @Test func `invalid UTF-8 is refused and a byte order mark is skipped`() throws {
    var members = ListedMembers(members: [:])
    for (name, text) in [
      ("manifest.json", Self.manifest), ("pools.json", "\u{FEFF}[\(Self.pool)]"), ("service_events.json", "[]"),
      ("chemical_doses.json", "[]"), ("inventory.json", "[]"), ("customer_profiles.json", "[]"),
    ] { members.members[name] = Array(text.utf8) }
    #expect(try ArchiveReader.read(members).pools.count == 1)
    members.members["pools.json"] = Array("[{\"notes\":\"".utf8) + [0xC0, 0x80] + Array("\"}]".utf8)
    #expect {
      try ArchiveReader.read(members)
    } throws: { error in
      guard case .unreadableArchive(.json("pools.json", let fault))? = error as? ArchiveError else { return false }
      return fault.kind == .notUTF8 && fault.column == 14
    }
  }

  // MARK: Records

  @Test func `a text longer than its field's limit is refused, one at the limit is read`() throws {
    for (field, limit) in [("customerName", 200), ("notes", 4_000)] {
      let old = field == "notes" ? "\"notes\": \"\"" : "\"customerName\": \"Ann\""
      // 🏊 has four bytes and is one character.
      let fits = changed(Self.pool, old, "\"\(field)\": \"\(String(repeating: "🏊", count: limit))\"")
      #expect(try read(["pools.json": fits]).pools.count == 1)
      let long = changed(Self.pool, old, "\"\(field)\": \"\(String(repeating: "x", count: limit + 1))\"")
      #expect(
        damage(["pools.json": long])
          == .record(file: "pools.json", number: 1, field: field, .tooLong(limit: limit)))
      // One character with as many combining marks as fit into a frame.
      let marks = changed(Self.pool, old, "\"\(field)\": \"e\(String(repeating: "\u{301}", count: 60_000))\"")
      #expect(
        damage(["pools.json": marks])
          == .record(file: "pools.json", number: 1, field: field, .tooManyBytes(limit: 4 * limit)))
      #expect(try read(["pools.json": marks], origin: .ownBackup).pools.count == 1)
    }
  }

  @Test func `a record's fault names file, record and field`() {
    let cases: [(String, String, String, RecordFault)] = [
      ("\"customerName\": \"Ann\", ", "", "customerName", .missing),
      ("\"Ann\"", "null", "customerName", .missing), ("\"Ann\"", "7", "customerName", .notText),
      (Self.poolID, "E70EA915-056F-4B4B-81B0-98345220220", "id", .notAUUID),
      (Self.poolID, "E70EA915-056F-4B4B-81B0-+8345220220E", "id", .notAUUID),
      ("33.4", "\"33.4\"", "latitude", .notANumber),
      (
        "\"serviceDayOfWeek\": 2", "\"serviceDayOfWeek\": 8",
        "serviceDayOfWeek", .outOfRange
      ),
      ("2024-07-20T14:59:00Z", "2024-02-30T14:59:00Z", "createdAt", .notAnInstant),
    ]
    for (old, new, field, fault) in cases {
      #expect(
        damage(["pools.json": changed(Self.pool, old, new)])
          == .record(file: "pools.json", number: 1, field: field, fault), "\(field)")
    }
    #expect(
      ArchiveError.unreadableArchive(.record(file: "pools.json", number: 3, field: "id", .notAUUID)).description
        == "the archive cannot be read: pools.json record 3: id is not a UUID")
  }

  @Test func `a duplicate id refuses the archive, regardless of case`() {
    let twin = Self.pool.replacingOccurrences(of: Self.poolID, with: Self.poolID.lowercased())
    #expect(
      damage(["pools.json": "[\(Self.pool),\(twin)]"])
        == .repeatedIDs(file: "pools.json", [Self.poolID], total: 1))
    #expect(damage(["chemical_doses.json": "[\(Self.dose),\(Self.dose)]"]) != nil)
    #expect(damage(["inventory.json": "[\(Self.item),\(Self.item)]"]) != nil)
    #expect(damage(["service_events.json": "[\(Self.event),\(Self.event)]"]) != nil)
  }

  @Test func `each orphan is named, at most a hundred of them`() {
    let doses = (0..<150).map { number in
      Self.dose.replacingOccurrences(of: Self.doseID, with: "40120F63-2645-4CE7-9215-\(100_000_000_000 + number)")
        .replacingOccurrences(of: Self.eventID, with: Self.otherID)
    }
    #expect {
      try read(["chemical_doses.json": "[\(doses.joined(separator: ","))]"])
    } throws: { error in
      guard case .invalidReference(let dangling, let total)? = error as? ArchiveError else { return false }
      return total == 150 && dangling.count == Limits.problemsShown
        && dangling[0].description == "chemical_doses.json: 40120F63-2645-4CE7-9215-100000000000 has serviceEventID "
          + "\(Self.otherID), which does not exist"
        && "\(error)".hasSuffix("; and 50 more")
    }
  }

  @Test func `the version is checked first, then record formats, then references`() {
    let orphan = Self.event.replacingOccurrences(of: Self.poolID, with: Self.otherID)
    #expect(damage(["service_events.json": "[\(orphan)]", "equipment.json": "[1]"]) != nil)
    #expect(throws: ArchiveError.unsupportedSchemaVersion(7)) {
      try read(["manifest.json": "{\"schemaVersion\": 7}", "pools.json": "["])
    }
  }

  @Test func `doubtful records give warnings`() throws {
    let contents = try read([
      "pools.json": changed(Self.pool, "33.4", "91"),
      "customer_profiles.json":
        "[\(Self.profile),\(Self.profile.replacingOccurrences(of: "Ann", with: "Bob")),"
        + "\(Self.profile.replacingOccurrences(of: Self.poolID, with: Self.otherID))]",
      "manifest.json": Self.manifest.replacingOccurrences(of: "\"pools\": 1", with: "\"pools\": 4"),
      "readme.txt": "hello", "media/service-events/x.bin": "photo",
    ])
    // Kept as read, so that a backup returns it; but it counts as not located.
    #expect(contents.pools[0].latitude == 91 && !contents.pools[0].hasCoordinates)
    #expect(contents.profiles.map(\.contactName) == ["Bob", "Ann"])
    #expect(contents.warnings.count == 6)
    #expect(contents.warnings.contains(.countDiffers(name: "pools", claimed: 4, found: 1)))
    #expect(contents.warnings.contains(.foreign(name: "readme.txt")))
    #expect(contents.warnings.contains(.photoOfNoVisit(name: "media/service-events/x.bin")))
  }

  @Test(arguments: ["33.4", "-0", "-9223372036854775808e-18", "1e-300", "89.99999999999999", "540"])
  func `exported records read the same as the original`(_ latitude: String) throws {
    let volume = "-999999999999.875"
    let pools = changed(Self.pool, "33.4", latitude).replacingOccurrences(of: "15000", with: volume)
    let contents = try read(["pools.json": pools])
    let members = Dictionary(uniqueKeysWithValues: ArchiveWriter.members(of: contents).map { ($0.name, $0.bytes()) })
    var again = try ArchiveReader.read(ListedMembers(members: members))
    #expect(again.manifest.counts == contents.counts)
    again.manifest.counts = contents.manifest.counts
    #expect(again == contents)
  }
}
