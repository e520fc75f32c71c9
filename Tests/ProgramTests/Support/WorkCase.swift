import FlowBackup
import FlowControl
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Glibc
import Testing
import TradeBackups
import TradeStores

/// A state directory and the built daemon that runs one operation in it, with a kill or a full disk at a given call.
final class WorkCase {
  /// The initial state of every case of one operation.
  struct Template {
    let scratch: Scratch
    let work: Work
    /// The id of the backup to restore.
    let backup: String
    /// The pool that the operation changes; nil for a migration.
    let pool: WorkPool?
    let old: Print

    /// The ids that are compared as they are; nil for all of them. An operation that makes ids at random makes others each
    /// time.
    var known: Set<String>? { work.makesRandomIDs ? old.ids : nil }
  }

  /// A fingerprint of a state directory: equal if nothing relevant has changed.
  struct Print: Equatable {
    var teams: [String] = []
    /// The ids and contents of every kind of record, without times that are read from the clock; of stock, whose ids change
    /// when a team is cleared, names and amounts. An id that is not known is replaced by its position among those.
    var records: [String: [String]] = [:]
    /// The ids of visits and doses that are compared as they are.
    var ids: Set<String> = []
    /// The contents of visit photos by path; missing files are left out.
    var photos: [String: Data] = [:]
    /// The number of visits with a photo.
    var pictured = 0
  }

  /// The result of one run of the daemon.
  struct Life {
    /// The number of file calls up to READY, and up to the end of the operation.
    var ready = 0
    var end = 0
    var wasKilled = false
    /// The answer of `pfctl`; nil if no daemon was running.
    var answer: Answer?
    var ending: RunningProgram.Ending?
  }

  let template: Template
  let state: String
  let faults: FaultPoints
  /// The location of the records; for a migration and a restore of the whole store always the file.
  let place: StoreLocation
  private let scratch: Scratch
  private let manager: NotifySocket
  private var daemon: RunningProgram?

  init(_ template: Template) throws {
    self.template = template
    scratch = try Scratch()
    state = scratch.path + "/state"
    try FileManager.default.copyItem(atPath: template.scratch.path + "/state", toPath: state)
    try Self.write(settingsTo: scratch)
    place = try ServerStores.place(for: state, in: scratch, like: template.scratch.path + "/state")
    faults = try FaultPoints(in: scratch)
    manager = try NotifySocket(path: scratch.path + "/notify")
  }

  private static func write(settingsTo scratch: Scratch) throws {
    // No nightly backup and no notice may interfere.
    try scratch.write("poolflow.conf", "[Backup]\nTime = off\n\n[Sink drop]\nType = file-drop\n".utf8)
  }

  /// The initial state of an operation: a team with records and photos, a backup of it, and a team added later; for a
  /// migration a store of the present schema.
  static func template(_ work: Work) throws -> Template {
    let scratch = try Scratch()
    try write(settingsTo: scratch)
    let state = scratch.path + "/state"
    guard work != .migration else {
      try PrivateFiles.makeFolder(state)
      try makeStore(at: state + "/poolflow.db")
      let old = try Print(of: state, .file(state + "/poolflow.db"))
      return Template(scratch: scratch, work: work, backup: "", pool: nil, old: old)
    }
    let place = try ServerStores.place(for: state, in: scratch, like: nil)
    let manager = try NotifySocket(path: scratch.path + "/notify")
    let daemon = try launch(Checkout.daemon, in: scratch, state: state, manager, [:])
    try manager.wait(for: "READY=1", from: daemon)
    func ask(_ words: String...) throws -> Answer { try ask(words) }
    func ask(_ words: [String]) throws -> Answer {
      let answer = try Pfctl.run(words + ["--socket", state + "/control.sock"], in: scratch)
      guard answer.code == 0 else { throw CannotStart(description: "\(words): \(answer.errors)") }
      return answer
    }
    _ = try ask("team", "add", "desert-blue", "--zone", "America/Phoenix")
    _ = try ask("team", "plan", "desert-blue", "paid")
    _ = try ask("import", firstArchive, "--team", "desert-blue")
    let made = try ask("backup", "create", "--json").output
    let backup = try JSONDecoder().decode(BackupCall.Create.Reply.self, from: Data(made.utf8)).backup.id
    let pool = try pool(in: place)
    let filter = ["work", "add", pool.name, "Clean filter", "--every", "3 months", "--from", "\(pool.date)"]
    for words in [filter] + work.preparation(pool) { _ = try ask(words + ["--team", "desert-blue"]) }
    if work == .photos { try writeOtherPhotos(to: scratch.path + "/photos.zip") }
    if work == .weather { try scratch.write("forecast.csv", pool.forecast.utf8) }
    // Changes that a restore of the team must replace.
    if work == .teamRestore { _ = try ask("import", otherArchive, "--team", "desert-blue") }
    _ = try ask("team", "add", "later", "--zone", "UTC")
    daemon.send(SIGTERM)
    guard try daemon.end() == .exit(0) else { throw CannotStart(description: "no clean end") }
    // More kept stores than the limit, so that the same process also removes some.
    if work == .restore { try keepStores(in: state) }
    return Template(scratch: scratch, work: work, backup: backup, pool: pool, old: try Print(of: state, place))
  }

  private static func pool(in place: StoreLocation) throws -> WorkPool {
    let found = try Connection.opened(place, .readOnly).rows(
      """
      SELECT customer_name, service_day, name FROM pools
      JOIN technicians ON technicians.technician_id = pools.technician_id ORDER BY pool_id LIMIT 1
      """
    ) { row in WorkPool(name: row.text(0), day: row.number("service_day"), technician: row.text(2)) }
    return try #require(found.first)
  }

  private static func keepStores(in state: String) throws {
    let now = Timestamp(seconds: Int64(time(nil)))
    for number in 1...Limits.keptStores {
      let name = "poolflow.db.kept-\(now.advanced(by: .hours(-number)).compact)"
      for suffix in ["", "-wal"] { try PrivateFiles.write("\(state)/\(name)\(suffix)", [1]) }
    }
  }

  private static var firstArchive: String { Checkout.archives + "/v2-photos-stored.zip" }
  private static var otherArchive: String { Checkout.archives + "/../foreign/small-deflated.zip" }

  /// The first archive with inverted photo bytes and other customer names.
  private static func writeOtherPhotos(to path: String) throws {
    let first = try ZIPArchive(path: firstArchive)
    _ = try PrivateFiles.write(path) { put in
      try withoutActuallyEscaping(put) { put in
        let zip = ZIPWriter(modified: Timestamp(seconds: 1_772_000_000), to: put)
        for entry in first.entries where !entry.isFolder {
          var bytes = try first.read(entry, limit: 1 << 20)
          if entry.name.hasSuffix(".bin") { bytes = bytes.map { ~$0 } }
          if entry.name == "pools.json" {
            bytes = Array(
              String(decoding: bytes, as: UTF8.self).replacing(
                "\"customerName\" : \"", with: "\"customerName\" : \"New "
              ).utf8)
          }
          try zip.add(entry.name, bytes)
        }
        try zip.finish()
      }
    }
  }

  /// Creates a store of the present schema with a team and a pool.
  private static func makeStore(at path: String) throws {
    _ = try Store(path: path, now: Timestamp(milliseconds: 1_772_000_000_000), version: ProductVersion.text)
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(
      """
      INSERT INTO teams (name, zone, language, units, objective, plan, notifications_enabled, morning_summary, low_stock,
        weekly_digest, morning_time_s, clock, created_ms)
      VALUES ('desert-blue', 'America/Phoenix', 'en', 'imperial', 'time', 'paid', 1, 1, 1, 1, 25200, 'auto',
        1772000000000);
      INSERT INTO technicians VALUES (1, 1, 'dan', 'dan', 1);
      INSERT INTO pools (team_id, pool_id, technician_id, customer_name, address, notes, latitude, longitude, volume_gal,
        monthly_fee, service_day, route_order, ph, water_temp_f, calcium_hardness, total_alkalinity, cyanuric_acid,
        created_ms, updated_ms)
      VALUES (1, '6B29FC40-CA47-1067-B31D-00DD010662DA', 1, 'Steve Baird', '8252 E Juniper St', '', 33.4, -111.8, 15000,
        145, 2, 0, 7.4, 78, 250, 100, 40, 1772000000000, 1772000000000);
      """, operation: "make a store with a team")
  }

  private static func launch(
    _ program: String, in scratch: Scratch, state: String, _ manager: NotifySocket, _ environment: [String: String]
  ) throws -> RunningProgram {
    manager.forget()
    let own = ["PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": manager.path, "CONFIGURATION_DIRECTORY": scratch.path]
    return try RunningProgram(
      program, ["--state-dir", state], environment: own.merging(environment) { $1 },
      output: .writing(scratch.path + "/stdout"), errors: scratch.path + "/stderr")
  }

  /// Migrations are run by the next release's program, because this release has none to do.
  private var program: String { template.work == .migration ? Checkout.nextRelease : Checkout.daemon }

  // MARK: Lives

  /// Starts the daemon, runs the operation and stops.
  ///
  /// - Parameter healing: called before the stop with the answer of the operation, while the daemon may still run.
  func live(
    _ environment: [String: String], healing: (RunningProgram, Answer?) throws -> Void = { _, _ in }
  ) throws -> Life {
    var life = Life()
    let daemon = try Self.launch(program, in: scratch, state: state, manager, environment)
    self.daemon = daemon
    if try isReady(1, daemon) {
      life.ready = faults.count
      if template.work != .migration {
        life.answer = try doWork()
        // The restarted process reports READY again.
        if template.work == .restore, life.answer?.code == 0 { _ = try isReady(2, daemon) }
      }
    }
    life.end = faults.count
    if daemon.wait(by: Deadline(.zero)) == nil { try healing(daemon, life.answer) }
    daemon.send(SIGTERM)
    guard let ending = daemon.wait(by: Deadline(.patience)) else {
      throw TooLate(description: "after \(life) a stop takes more than 30 s: \(log)")
    }
    life.ending = ending
    life.wasKilled = life.ending == .signal(SIGKILL)
    return life
  }

  /// Starts and stops a daemon without faults and without an operation.
  func next() throws -> Life {
    var life = Life()
    let daemon = try Self.launch(program, in: scratch, state: state, manager, [:])
    _ = try isReady(1, daemon)
    daemon.send(SIGTERM)
    life.ending = try daemon.end()
    return life
  }

  /// - Returns: false if the daemon ended instead.
  private func isReady(_ times: Int, _ daemon: RunningProgram) throws -> Bool {
    let deadline = Deadline(.patience)
    while true {
      manager.takeAll()
      if manager.lines.count(where: { $0 == "READY=1" }) >= times { return true }
      if daemon.wait(by: Deadline(.milliseconds(2))) != nil { return false }
      guard !deadline.hasPassed else { throw TooLate(description: "not ready in 30 s: \(log)") }
    }
  }

  /// Requests the operation through `pfctl`.
  ///
  /// - Returns: nil if the daemon ended meanwhile and `pfctl` waits for a new one.
  func doWork() throws -> Answer? {
    let folder = template.scratch.path
    let words: [String] =
      switch template.work {
      case .backup: ["backup", "create"]
      case .restore: ["backup", "restore", template.backup, "--confirm", template.backup]
      case .teamRestore:
        ["backup", "restore", template.backup, "--team", "desert-blue", "--confirm", "desert-blue"]
      case .clear: ["team", "clear", "desert-blue", "--confirm", "desert-blue"]
      case .importing: ["import", Self.otherArchive, "--team", "desert-blue"]
      case .photos: ["import", folder + "/photos.zip", "--team", "desert-blue"]
      case .migration: ["status"]
      case .weather: ["weather", "import", folder + "/forecast.csv", "--team", "desert-blue"]
      default: template.work.words(try #require(template.pool)) + ["--team", "desert-blue"]
      }
    let name = "\(scratch.path)/\(UUID().uuidString.prefix(8))"
    let asking = try RunningProgram(
      Checkout.pfctl, words + ["--socket", state + "/control.sock"], environment: ["PATH": "/usr/bin:/bin"],
      output: .writing(name + ".out"), errors: name + ".err")
    let deadline = Deadline(.patience)
    while asking.wait(by: Deadline(.milliseconds(10))) == nil {
      guard !deadline.hasPassed else { throw TooLate(description: "pfctl \(words) takes more than 60 s: \(log)") }
      // Without a daemon `pfctl` answers at once or waits for minutes.
      if daemon?.wait(by: Deadline(.zero)) != nil, asking.wait(by: Deadline(.milliseconds(500))) == nil { return nil }
    }
    guard case .exit(let code)? = asking.ending else { return nil }
    return Answer(code: code, output: try Files.text(name + ".out"), errors: try Files.text(name + ".err"))
  }

  /// The standard error of this case's daemons.
  var log: String {
    // Empty if the file does not exist.
    (try? Files.text(scratch.path + "/stderr")) ?? ""
  }

  // MARK: What is left

  func print() throws -> Print { try Print(of: state, place, known: template.known) }

  /// All incomplete or leftover data, after a daemon was started and stopped without faults.
  func flaws() throws -> [String] {
    var flaws: [String] = []
    let migrations = template.work == .migration ? Schema.next : Schema.migrations
    if case .file(let path) = place {
      let snapshot = try StoreSnapshot(path: path, migrations: migrations)
      do { try snapshot.verify() } catch { flaws.append("\(error)") }
    }
    let backups = BackupFolder(path: state + "/backups")
    for id in try backups.ids() {
      flaws += BackupVerifier(folder: backups).damage(to: id, recorded: nil, full: true).map { "backup \(id): \($0)" }
    }
    let leftovers =
      Files.names(in: backups.path).filter { !BackupFolder.isID($0) }
      + ["restore.db", "restore.marker"].filter { Files.exists("\(state)/\($0)") }
    flaws += leftovers.map { "left: \($0)" }
    let known = Set(try print().photos.keys)
    for team in Files.names(in: state + "/photos") {
      // Photos without a visit, staged photos and markers.
      flaws += Files.names(in: "\(state)/photos/\(team)").filter { !known.contains("\(team)/\($0)") }
        .map { "left: photos/\(team)/\($0)" }
    }
    let kept = Files.names(in: state).filter { $0.hasPrefix("poolflow.db.kept-") }
    let stores = kept.filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
    if stores.count > Limits.keptStores { flaws.append("left: \(stores)") }
    flaws += kept.filter { name in !stores.contains { name.hasPrefix($0) } }.map { "left: \($0) without its store" }
    let uploads = Files.names(in: state + "/uploads")
    if !uploads.isEmpty { flaws.append("left: \(uploads)") }
    return flaws
  }
}

extension WorkCase.Print {
  /// - Parameter known: the ids that are compared as they are; nil for all of them.
  init(of state: String, _ place: StoreLocation, known: Set<String>? = nil) throws {
    let connection = try Connection.opened(place, .readOnly)
    func column(_ sql: String) throws -> [String] { try connection.rows(sql) { row in row.text(0) } }
    teams = try column("SELECT name FROM teams ORDER BY name")
    let visits = try column("SELECT event_id FROM service_events ORDER BY at_ms, event_id")
    let doses = try column(
      """
      SELECT dose_id FROM chemical_doses AS dose
      JOIN service_events AS visit ON visit.team_id = dose.team_id AND visit.event_id = dose.event_id
      ORDER BY at_ms, visit.event_id, chemical_id, dose_id
      """)
    let made = known.map { known in (visits + doses).filter { !known.contains($0) } } ?? []
    ids = Set(visits + doses).subtracting(made)
    for (table, columns) in Self.tables {
      let text = columns.map { "coalesce(CAST(\($0) AS TEXT), '-')" }.joined(separator: " || ' ' || ")
      records[table] = try column("SELECT \(text) FROM \(table)").map { line in
        made.enumerated().reduce(line) { $0.replacing($1.element, with: "new \($1.offset + 1)") }
      }.sorted()
    }
    let pictures = try column("SELECT team_id || '/' || event_id || '.bin' FROM service_events WHERE photo_bytes > 0")
    pictured = pictures.count
    for path in pictures where Files.exists("\(state)/photos/\(path)") {
      photos[path] = try Data(contentsOf: URL(filePath: "\(state)/photos/\(path)"))
    }
    guard case .server = place else { return }
    // Compares the files with the copies in the database.
    let snapshot = try StoreSnapshot(reading: place)
    var kept: [String: Data] = [:]
    for team in try snapshot.teams() {
      for photo in try snapshot.storedPhotos(of: team.id) {
        var bytes = Data()
        try snapshot.read(photo) { bytes += Data($0) }
        kept["\(team.id.number)/\(photo.record).bin"] = bytes
      }
    }
    for (path, bytes) in photos where kept[path] != bytes { kept[path] = Data("the file differs".utf8) }
    photos = kept
  }

  private static let water = ["ph", "water_temp_f", "calcium_hardness", "total_alkalinity", "cyanuric_acid"]

  /// The columns that are compared, by table.
  private static let tables: [(table: String, columns: [String])] = [
    ("pools", ["pool_id", "customer_name", "service_day", "free_chlorine", "salt"] + water),
    (
      "service_events",
      [
        "event_id", "pool_id", "at_ms", "photo_bytes", "lsi", "total_chemical_cost", "tech_notes", "measured",
        "assumed", "free_chlorine", "salt", "logged_here",
      ] + water
    ),
    ("chemical_doses", ["dose_id", "event_id", "quantity_oz", "cost"]),
    ("visit_undos", ["event_id", "pool_id", "is_last", "free_chlorine", "salt"] + water),
    ("visit_undo_stock", ["event_id", "before_oz", "after_oz"]), ("inventory_items", ["name", "stock_oz"]),
    ("customer_profiles", ["pool_id", "contact_name", "tags"]), ("equipment", ["equipment_id", "next_service_ms"]),
    ("pool_work", ["pool_id", "name", "every", "due"]),
    ("work_done", ["pool_id", "name", "event_id", "done_on", "before", "after"]),
    ("pool_services", ["pool_id", "rule"]),
    // The numbers of batches have gaps on a server, so their sizes are compared.
    (
      "service_changes",
      [
        "pool_id", "from_date", "to_date", "technician_id", "route_order", "reason", "set_by",
        "(SELECT count(*) FROM service_changes AS own WHERE own.batch = service_changes.batch)",
      ]
    ), ("service_pauses", ["pool_id", "days", "reason", "set_by"]),
    ("service_rules_before", ["pool_id", "until_date", "service_day", "rule"]),
    (
      "forecasts",
      [
        "team_id", "digest", "source", "place",
        "(SELECT count(*) FROM forecast_hours AS hour WHERE hour.forecast_id = forecasts.forecast_id)",
      ]
    ),
  ]

  /// True if every visit with a photo has its file.
  var hasAllPhotos: Bool { photos.count == pictured }
}
