import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import PoolJobs
import Testing

/// Compiles every SQL statement found in the store's sources, and runs each SELECT until it returns a row whose columns are
/// read: a misspelt name fails here instead of at the first row in production.
struct StatementTests {
  static let engine = Engine.all[0]

  @Test func `every statement in the sources is compiled and every SELECT returns a row`() async throws {
    let log = StatementLog(ofServer: Engine.isPostgreSQL)
    try await StatementLog.$current.withValue(log) { try await Self.run() }
    let run = log.statements.map { (text: SourceText.plain($0.key), returnedRow: $0.value) }
    let folders = [
      "Sources/Engine/FlowStore",
      "Sources/Pools/PoolStore",
      "Sources/Stables/StableStore",  // Stables
    ]
    let sources = try folders.flatMap { try SourceText.all(in: $0) }.filter(\.isForEngine)
    for statement in sources.flatMap(\.statements) {
      let matching = run.filter { statement.matches($0.text) }
      #expect(!matching.isEmpty, "never compiled: \(statement)")
      if statement.selects {
        let rows = matching.count { $0.returnedRow }
        #expect(rows > 0, "never gave a row: \(statement)")
      }
    }
    let asked = log.columns
    for source in sources {
      for name in source.columnsAsked {
        #expect(asked.contains(name), "\(source.file) asks for '\(name)', and no row was ever asked")
      }
      for table in source.tablesFilled {
        #expect(run.contains { $0.text.hasPrefix("INSERT INTO \(table) (") }, "never filled: \(table)")
      }
    }
  }

  /// Runs the suites of all engines, which call every method, and the readers.
  private static func run() async throws {
    try await ledger()
    try await records()
    try await stables()  // Stables
    try await clockAndHolds()
    try await fromOutside()
  }

  private static func ledger() async throws {
    try await LedgerTests().`a claim made with an outdated rule is refused`(engine: engine)
    try await LedgerTests().`runs are found by time and name, notices by id prefix, up to the limit`(engine: engine)
    try await LedgerTests().`a crashed run is reclaimed in the next epoch and fails after three crashes`(engine: engine)
    try await LedgerTests().`a dead entry is no longer due, but a late delivery still marks it sent`(engine: engine)
    try await LedgerTests().`a waiting run is retried or cancelled once`(engine: engine)
    try await LedgerTests().`a slot due during a run is settled as coalesced`(engine: engine)
    try await OutboxRepairTests().`routes apply when a notice is written, and one without sinks is dropped`(
      engine: engine)
    try await TimingTests().`a team's choice overrides the server's default until it is reset`(engine: engine)
    try await DaysOffTests().`adding days off adds the closed-day job, removing them removes it`(engine: engine)
    try await DaysOffTests().`a reminder has its own job, which is changed and removed with it`(engine: engine)
    try await DaysOffTests().`a reminder with a limited count runs that often, even if runs are settled together`(
      engine: engine)
    try await DaysOffTests().`past reminders and days off are pruned`(engine: engine)
    try await DaysOffTests().`unreadable choices of one team are reported as its failure; other teams keep working`(
      engine: engine)
    try await DaysOffTests().`a store of the previous release is migrated and lacks only the new job kinds`(
      engine: engine)
    try await TroubleTests().`a run that fails on its records opens a failure, a finished run closes it`(engine: engine)
    try await ServerJobTests().`runs, holds and skipped slots of a server job have no team`(engine: engine)
    try await ServerJobTests().`setting the same rule keeps the job, and another rule starts a new generation`(
      engine: engine)
    try await PruningTests().`a verdict older than the retention is pruned and a younger one stays`(engine: engine)
    try await OutboxRepairTests().`a notice for one sink ignores the sink's route`(engine: engine)
    try await OutboxRepairTests().`a purge removes only dead letters, narrowed by time, sink and notice`(engine: engine)
    try await OutboxRepairTests().`after a restore every undelivered entry is on hold until released`(engine: engine)
    try await OutboxRepairTests().`a discard keeps staged entries, and a faster delivery is marked sent`(engine: engine)
    try await OutboxRepairTests().`dead letters are revived unless expired, and a dry run changes nothing`(
      engine: engine)
    try await OutboxRepairTests().`a retry makes a waiting entry due now and delays none`(engine: engine)
    try await ReceiptStoreTests()
      .`a delivery keeps its latest receipt, and receipts for unknown entries are refused`(engine: engine)
    try await ReceiptStoreTests().`a technician's lost delivery is reported once, in one commit with its notice`(
      engine: engine)
    try await AuditTests().`an audit entry starts with its change and gets the result at the end`(engine: engine)
    try await TroubleTests().`a team failure is announced once until it is resolved, across restarts`(engine: engine)
    try await ReportTests().`the last runs, outcomes and failures are listed, without future slots`(engine: engine)
    try await ReportTests().`a backup record is added, marked as verified and removed`(engine: engine)
    try await ReportTests().`the store returns its first start, free space and last refresh`(engine: engine)
  }

  private static func records() async throws {
    try await FieldTests().`a pool is added last in its day, changed, and removed with its records`(engine: engine)
    try await FieldTests().`a profile change creates a missing profile and moves its pool by tag`(engine: engine)
    try await FieldTests().`stock is appended, changed and removed`(engine: engine)
    try await FieldTests().`equipment is added, changed and removed at its pool`(engine: engine)
    try await PeopleTests().`a person is added, changed and removed, and an import keeps addresses`(engine: engine)
    try await PeopleTests().`a cleared team keeps its technicians and loses their addresses`(engine: engine)
    try await PeopleTests()
      .`subscribers of server notices get personal copies through sinks for personal notices`(
        engine: engine)
    try await PeopleTests().`a run's notices are one commit, each with entries for its sinks`(engine: engine)
    try await TeamEndTests().`a renamed team keeps everything else, and a used name is refused`(engine: engine)
    try await TeamEndTests().`a removed team leaves no row, and is refused with pools or running jobs`(engine: engine)
    try await ImportTests().`an archive with another technician's pool is refused`(engine: engine)
    try await ImportTests().`a pool's technician is the archive's, else the tag's, else the default`(engine: engine)
    try await ImportTests().`an import refuses each kind of record that belongs to another technician`(engine: engine)
    try await ReplacedRecordsTests().`a restore of one technician's records replaces only those`(engine: engine)
    try await ReplacedRecordsTests()
      .`an inbox file is recorded with its import and forgotten after its last rename`(
        engine: engine)
    try await ReportTests().`a visit's doses, a pool's chemicals and a month's costs add up`(engine: engine)
    try await SanitiserTests().`a visit keeps both readings, and undo and edit follow them`(engine: engine)
    try await SanitiserTests().`an archive without the readings keeps those of its visits`(engine: engine)
    try await SanitiserTests().`the refresh and the month follow the method of the index`(engine: engine)
    try await RouteStoreTests().`a route is stored, replaced, and removed with its day`(engine: engine)
    try await RouteStoreTests().`an order is set and undone once, and refused if the day has changed`(engine: engine)
    try await RouteStoreTests().`measured times are read back as written, including missing legs`(engine: engine)
    try await RouteStoreTests().`a visit counts on its own day`(engine: engine)
    try await ServiceTests().`rules and pauses are stored, and end with their pool`(engine: engine)
    try await ServiceTests().`the order of a weekday is kept for the pools that are due`(engine: engine)
    try await WorkTests().`work done with a visit is due again after its interval, and undoing the visit restores it`(
      engine: engine)
    try await WorkTests().`a date set after the work was done stays when the visit is removed`(engine: engine)
    try await WorkTests().`an interval of a machine is stored, used and removed with it`(engine: engine)
    try await WorkTests().`due dates agree with a model of random visits and removals`(engine: engine)
    try await WorkTests().`an archive of the app keeps work, one of poolflow replaces it, and a removed pool ends it`(
      engine: engine)
    try await ServiceTests().`changed dates are stored in batches, have an order of their own, and are undone`(
      engine: engine)
    try await ServiceTests().`a refused change of dates changes nothing; old ones are removed`(engine: engine)
    try await ServiceTests().`an archive with changed dates replaces those of its pools`(engine: engine)
    try await ServiceTests().`a pin on a second weekday is stored with its order there`(engine: engine)
    try await ServiceTests().`a restore replaces rules and orders; an archive without them keeps both`(engine: engine)
    try await ServiceTests().`a new rule holds from its date on, the one before it until then`(engine: engine)
    try await ServiceUndoTests().`a stop that was moved to an earlier date is taken back unless it was visited since`(
      engine: engine)
    try await ServiceUndoTests().`a restored team has its technicians, its batches and its earlier rules`(
      engine: engine)
    try await SentRouteTests().`the route of a weekday's newest notice is known a week later, with coordinates`(
      engine: engine)
    try await SentRouteTests().`a change of a day whose route was sent plans one notice in 15 minutes`(engine: engine)
    try await VisitTests().`undoing a visit leaves every table as before`(engine: engine)
    try await VisitTests().`a stop contains the chlorine of its last five visits`(engine: engine)
    try await VisitTests().`an archive import reports the logged visits it would lose and may be refused`(
      engine: engine)
    try await VisitTests().`an edit returns the stock really taken, and the pool follows its newest visit`(
      engine: engine)
    try await VisitTests().`a removed visit returns its stock, and the pool takes its previous visit's readings`(
      engine: engine)
    try await VisitTests().`visits are found by notes, customer and id prefix`(engine: engine)
    try await VisitTests().`a visit without readings keeps the previous readings`(engine: engine)
    try await VisitTests().`a refresh result is written when its block ends`(engine: engine)
    try await VisitTests().`a visit writes event, doses, stock, readings and index in one commit`(engine: engine)
    try await VisitTests().`a refresh writes changed indexes, reports crossed limits and then finds nothing`(
      engine: engine)
  }

  private static func clockAndHolds() async throws {
    try await EpochMarkTests().`a store with a lower epoch than its mark file was restored from a copy`(engine: engine)
    try await SchedulerTablesTests().`each skipped slot uses a skip once`(engine: engine)
    try await SchedulerTablesTests().`a pause replaces the one before, and resuming ends it`(engine: engine)
    try await SchedulerTablesTests().`downtime is bounded by heartbeats after a crash and by the end after a stop`(
      engine: engine)
    try await WrongClockTests().`the cursor returns to the newest run, and skipped slots are open again`(engine: engine)
    try await WrongClockTests().`an entry waiting for a future day is retried now, small clock steps shorten nothing`(
      engine: engine)
    try await WrongClockTests().`a clock that jumped deletes nothing until a day of running confirms it`(engine: engine)
  }

  private static func fromOutside() async throws {
    try await OutsideTests().`a reader reads every kind of record as the owner does`(engine: engine)
    try await TeamFailureTests().`a team with an unreadable row is reported and hides no other team`(
      change: "language = 'xx'")
    try await PlaceTests().`SQL and Swift count the same pools as not located`(engine: engine)
    try await OutsideTests().`each kind of job finds the facts it needs`(engine: engine)
    try StoreMigrationTests().`a failing migration step rolls back all steps before it`()
  }
}

/// A source file, without the parts that SQLite does not run.
private struct SourceText {
  let file: String
  private let text: String

  static func all(in folder: String) throws -> [SourceText] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let files = try FileManager.default.subpathsOfDirectory(atPath: root.path + "/" + folder)
    return try files.filter { $0.hasSuffix(".swift") }.map {
      SourceText(file: $0, text: try String(contentsOfFile: "\(root.path)/\(folder)/\($0)", encoding: .utf8))
    }
  }

  /// Files for only one of the engines hold statements that the other engine lacks. `Server` has statements of nodes only.
  private static let onlyOfFiles = [
    "SQLite/", "StoreMigration", "StoreOpening", "StoreSchema", "StoreContents", "StoreSnapshot",
  ]

  var isForEngine: Bool {
    !file.hasPrefix("Server/") && (!Engine.isPostgreSQL || !Self.onlyOfFiles.contains { file.contains($0) })
  }

  /// With single spaces; SQLite ignores their number.
  static func plain(_ sql: String) -> String { sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// Every string of the file that begins like a statement or a part of one, without its interpolations.
  var statements: [StatementText] {
    text.matches(of: /"""\n(.*?)"""|"((?:[^"\\\n]|\\.)+)"/.dotMatchesNewlines()).compactMap { match in
      StatementText(source: String(match.1 ?? match.2 ?? ""), file: file)
    }
  }

  var columnsAsked: Set<String> {
    Set(text.matches(of: /\b(?:row|statement)\.\w+\("(\w+)"/).map { String($0.1) })
  }

  var tablesFilled: Set<String> { Set(text.matches(of: /InsertForm\(\s*"(\w+)"/).map { String($0.1) }) }
}

private struct StatementText: CustomStringConvertible {
  /// The text between the interpolations.
  private let pieces: [String]
  private let file: String

  var description: String { "\(file): \(pieces.joined(separator: " … "))" }

  /// Nil if the string is not a statement.
  init?(source: String, file: String) {
    var pieces = [""]
    var rest = Substring(source.replacing("\\\\", with: "\\").replacing("\\\"", with: "\""))
    while let begin = rest.firstRange(of: "\\(") {
      pieces[pieces.count - 1] += rest[..<begin.lowerBound]
      rest = rest[begin.upperBound...]
      var depth = 1
      while depth > 0, let letter = rest.popFirst() { depth += letter == "(" ? 1 : letter == ")" ? -1 : 0 }
      pieces.append("")
    }
    pieces[pieces.count - 1] += rest
    self.pieces = pieces.map(SourceText.plain)
    self.file = file
    let verbs = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WHERE "]
    guard verbs.contains(where: { source.trimmingPrefix(while: \.isWhitespace).hasPrefix($0) }) else { return nil }
  }

  var selects: Bool { pieces[0].hasPrefix("SELECT") || pieces.contains { $0.contains("RETURNING") } }

  /// Whether a statement contains all pieces in order; a WHERE clause may start anywhere.
  func matches(_ statement: String) -> Bool {
    guard pieces[0].hasPrefix("WHERE") || statement.hasPrefix(pieces[0]) else { return false }
    var rest = statement[...]
    for piece in pieces {
      guard let found = rest.firstRange(of: piece) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
