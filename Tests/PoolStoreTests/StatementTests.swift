import Foundation
import PoolJobs
import PoolModel
import PoolNotices
import PoolPlatform
import PoolStore
import PoolTestKit
import Testing

/// Compiles every SQL statement found in the store's sources, and runs each SELECT until it returns a row whose columns are
/// read: a misspelt name fails here instead of at the first row in production.
struct StatementTests {
  private static let engine = Engine.all[0]

  @Test func `every statement in the sources is compiled and every SELECT returns a row`() async throws {
    let log = StatementLog(ofServer: Engine.isPostgreSQL)
    try await StatementLog.$current.withValue(log) { try await Self.run() }
    let run = log.statements.map { (text: SourceText.plain($0.key), gaveRow: $0.value) }
    let sources = try SourceText.all(in: "Sources/Edge/PoolStore").filter(\.isForEngine)
    for statement in sources.flatMap(\.statements) {
      let matching = run.filter { statement.matches($0.text) }
      #expect(!matching.isEmpty, "never compiled: \(statement)")
      if statement.selects {
        let rows = matching.count { $0.gaveRow }
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
    try await stables()
    try await clockAndHolds()
    try await fromOutside()
  }

  private static func ledger() async throws {
    try await LedgerTests().`a claim for a rule that has changed meanwhile is refused`(engine: engine)
    try await LedgerTests()
      .`runs are found by their time and name, notices by the beginning of their ids, no more than are asked for`(
        engine: engine)
    try await LedgerTests().`a run left behind by a crash is taken up by the next epoch, and fails after three`(
      engine: engine)
    try await LedgerTests()
      .`an entry goes from pending to sent, and a dead one is due no more, unless its sink had it all the same`(
        engine: engine)
    try await LedgerTests().`a run that waits is tried again or cancelled, once`(engine: engine)
    try await LedgerTests().`what falls due while a run is under way is settled by that run`(engine: engine)
    try await OutboxRepairTests()
      .`a route decides when a notice is written, and a notice that nobody takes is not written`(
        engine: engine)
    try await TimingTests().`a team's choice stands over what holds for all, until it is taken back`(engine: engine)
    try await DaysOffTests()
      .`days off are kept and taken back, and the job that tells of them is there while there are some`(engine: engine)
    try await DaysOffTests().`a reminder is a job of its own, changed and removed with it; what it told stays`(
      engine: engine)
    try await DaysOffTests().`a reminder is told as often as it was to be, also where runs are settled together`(
      engine: engine)
    try await DaysOffTests().`what is over for long is forgotten`(engine: engine)
    try await DaysOffTests().`what a team chose and nobody can read is that team's trouble, and nobody else's`(
      engine: engine)
    try await DaysOffTests().`a store of the release before is brought up, and lacks the kinds that are new`(
      engine: engine)
    try await TroubleTests()
      .`a run that its team's records fail begins a trouble, and one that comes to its end ends it`(
        engine: engine)
    try await ServerJobTests().`its runs, holds and passed slots stand in the ledger without a team`(engine: engine)
    try await ServerJobTests().`a rule that is set again is the same job, and another rule begins a new generation`(
      engine: engine)
    try await PruningTests().`a verdict goes when it is older than the window, and a younger one stays`(engine: engine)
    try await OutboxRepairTests()
      .`a notice for one sink goes to it whatever its route says, and what died in time lives again`(
        engine: engine)
    try await OutboxRepairTests().`a purge forgets dead letters only, and since, sink and notice narrow it`(
      engine: engine)
    try await OutboxRepairTests().`after a restore everything undelivered is held until it is released`(engine: engine)
    try await OutboxRepairTests().`a discard leaves what is staged, and a delivery that was quicker is told as one`(
      engine: engine)
    try await OutboxRepairTests().`dead letters live again, but not those that have expired; a count changes nothing`(
      engine: engine)
    try await OutboxRepairTests().`what waits for its next try is due now, and nothing is put off`(engine: engine)
    try await ReceiptStoreTests()
      .`of a delivery's receipts the last word stays, and only of what its sink was given`(engine: engine)
    try await ReceiptStoreTests().`a lost delivery of a technician is told once, with its notice in one commit`(
      engine: engine)
    try await AuditTests().`a change is in the book from its beginning, and has a result once it ended`(engine: engine)
    try await TroubleTests().`a trouble is told once until it is mended, in this life and the next`(engine: engine)
    try await ReportTests().`the last runs, their outcomes and what failed are told, and what comes is not news`(
      engine: engine)
    try await ReportTests().`backups are remembered, looked at, and forgotten`(engine: engine)
    try await ReportTests().`a store knows its first start, its room and its last refresh`(engine: engine)
  }

  private static func records() async throws {
    try await FieldTests().`a pool is added at the end of its day, changed, and removed with all that is its`(
      engine: engine)
    try await FieldTests()
      .`a profile is made where there is none, its tag moves the pool, and what opens a gate is found`(
        engine: engine)
    try await FieldTests().`stock is added behind what is there, changed and removed`(engine: engine)
    try await FieldTests().`equipment belongs to a pool, and is changed and removed there`(engine: engine)
    try await PeopleTests()
      .`a person is known, changed and forgotten, and an import of his pools leaves him his addresses`(engine: engine)
    try await PeopleTests().`a team that is cleared keeps its technicians, and where nobody is reached any more`(
      engine: engine)
    try await PeopleTests()
      .`whoever wants the server's own news has each as a notice of his own, from sinks that bring people theirs`(
        engine: engine)
    try await PeopleTests()
      .`a run's notices are one commit, each with entries where it is taken, and told under the run`(
        engine: engine)
    try await TeamEndTests().`a team keeps all but its name, and no two have the same`(engine: engine)
    try await TeamEndTests()
      .`of a team that is removed nothing is left in any table, and it stays where it has pools or is at work`(
        engine: engine)
    try await ImportTests().`a pool that belongs to another technician refuses the whole archive`(engine: engine)
    try await ImportTests().`a pool's technician is the archive's, else the tag's, else the default`(engine: engine)
    try await ImportTests().`every kind of record that belongs to another is refused`(engine: engine)
    try await ReplacedRecordsTests()
      .`a share is what one technician drives to, and a restore replaces its extent alone`(
        engine: engine)
    try await ReplacedRecordsTests()
      .`a file of the inbox is written down with its import, and forgotten with its last name`(
        engine: engine)
    try await ReportTests().`a visit's doses, a pool's chemicals and a month's costs add up`(engine: engine)
    try await RouteStoreTests().`a route is kept, replaced, and forgotten with its day`(engine: engine)
    try await RouteStoreTests().`an order is set and taken back once, and only where the day is as it was`(
      engine: engine)
    try await RouteStoreTests().`measured times are read as they were written, holes included`(engine: engine)
    try await RouteStoreTests().`visits count on the day they were paid`(engine: engine)
    try await ToldRouteTests()
      .`the route of the newest notice of that weekday is known the week after, with where its pools are`(
        engine: engine)
    try await VisitTests().`taking a visit back leaves every table as it was`(engine: engine)
    try await VisitTests()
      .`a stop knows what its last five visits poured of chlorine, and a team without any is not asked`(engine: engine)
    try await VisitTests().`an archive tells which visits logged here it does not have, and may be refused for it`(
      engine: engine)
    try await VisitTests().`an edit gives back what was really taken, and the pool follows the youngest visit alone`(
      engine: engine)
    try await VisitTests()
      .`a removed visit gives back its stock, and the pool goes back to the visit that is the youngest then`(
        engine: engine)
    try await VisitTests().`visits are found by notes and customer, and by the beginning of their identity`(
      engine: engine)
    try await VisitTests().`a visit without readings keeps the water of the visit before`(engine: engine)
    try await VisitTests().`what a refresh has found is written where it rests`(engine: engine)
    try await VisitTests().`a visit writes event, doses, stock, readings and index at once`(engine: engine)
    try await VisitTests().`the refresh writes what changed, tells what crossed, and finds nothing the second time`(
      engine: engine)
  }

  private static func stables() async throws {
    try await StableStoreTests().`a horse is added, changed, and goes with its schedule, its care and its open marks`(
      engine: engine)
    try await StableStoreTests().`schedules and templates are kept whole, and a board is changed in one step`(
      engine: engine)
    try await StableStoreTests().`care is kept to the last decimal, changed, found by its days, and removed`(
      engine: engine)
    try await StableStoreTests().`the newest forecast is kept with the one before, and a barn's own numbers stand`(
      engine: engine)
    try await StableStoreTests()
      .`a list changes horses, feed and care in one step, and names go from one horse to another`(engine: engine)
    try await StableStoreTests()
      .`a whole book takes the place of another, and of a cleared barn nothing is left but its settings`(engine: engine)
    try await StableStoreTests().`a day is closed and a night's advice kept with the run that decided it`(
      engine: engine)
  }

  private static func clockAndHolds() async throws {
    try await EpochMarkTests().`a store that has seen less than the mark beside it was put back from a copy`(
      engine: engine)
    try await SchedulerTablesTests().`a skip is used up by the slots it passes over, once each`(engine: engine)
    try await SchedulerTablesTests().`a pause takes the place of the one before, and resuming ends it`(engine: engine)
    try await SchedulerTablesTests().`heartbeats bound a crash, an orderly end bounds a stop, and a sleep is kept`(
      engine: engine)
    try await WrongClockTests().`the cursor goes back to the newest run, and what was passed over is open again`(
      engine: engine)
    try await WrongClockTests().`what waits for a day to come is tried now, and no wait is shortened by a small step`(
      engine: engine)
    try await WrongClockTests().`nothing is deleted by a clock that jumped, until it has agreed for a day of running`(
      engine: engine)
  }

  private static func fromOutside() async throws {
    try await OutsideTests().`a team of every kind of record is read from outside as from inside`(engine: engine)
    try await TeamTroubleTests().`a team whose own row cannot be read is named with the reason, and hides nobody else`(
      change: "language = 'xx'")
    try await PlaceTests().`a look at the store counts the same pools as not located as everything else does`(
      engine: engine)
    try await OutsideTests().`every kind of work finds the facts that it wants`(engine: engine)
    try StoreMigrationTests().`a step that fails takes all steps before it back`()
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

  /// Files for only one of the engines hold statements that the other engine lacks.
  private static let onlyOfFiles = [
    "SQLite/", "StoreMigration", "StoreOpening", "StoreShape", "StoreContents", "StoreSnapshot",
  ]

  var isForEngine: Bool {
    !file.contains("PostgreSQL/") && (!Engine.isPostgreSQL || !Self.onlyOfFiles.contains { file.contains($0) })
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

  var tablesFilled: Set<String> { Set(text.matches(of: /RowForm\(\s*"(\w+)"/).map { String($0.1) }) }
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
