import FlowModel
import FlowNotices
import FlowStore
import FlowTestKit
import PoolDigests
import PoolStore
import Testing
import TradeStores

/// Invalid rows of one team, and the isolation of the other teams.
struct TeamFailureTests {
  private let folder: TemporaryFolder
  private let store: Store
  private let now = Samples.mondayMorning

  init() throws {
    folder = try TemporaryFolder()
    store = try Engine.all[0].store(folder.path, Samples.mondayMorning)
  }

  private func addTeam(_ name: String) async throws -> Team {
    try await store.addTeam(Samples.team(name), defaultTechnician: name, now: now) { _ in [] }
  }

  private func damage(_ statement: String) throws {
    try Engine.all[0].connection(folder.path).run(statement)
  }

  @Test(arguments: [
    "morning_time_s = 99999999", "language = 'xx'", "created_ms = 9223372036854775807",
    "plan = 'trial', trial_expires_ms = -9223372036854775808", "clock = '24h', currency = 'shells'",
  ])
  func `a team with an unreadable row is reported and hides no other team`(change: String) async throws {
    let (bad, good) = (try await addTeam("bad"), try await addTeam("good"))
    try damage("UPDATE teams SET \(change) WHERE name = 'bad'")
    #expect(try await store.teams().map(\.name) == ["good"])
    let unreadable = try await store.unreadableTeams()
    #expect(unreadable.count == 1 && unreadable[bad.id]?.contains("the store holds an invalid value") == true)
    let facts = try await store.factsPerTeam([bad, good].map { FactsRequest(team: $0.id, days: []) })
    #expect(throws: StoreError.self) { try facts[0].get() }
    #expect(try facts[1].get()?.team.name == "good")
    await #expect(throws: StoreError.self) { try await store.team(named: "bad") }
  }

  @Test(arguments: [
    ("9223372036854775807", true), ("-9223372036854775808", true), ("1000000000000000", false), ("-5", false),
  ])
  func `a number that poolflow never writes is damage for every reader`(value: String, isDamage: Bool) throws {
    let connection = try Connection(path: folder.path + "/numbers.db", mode: .readWrite)
    try connection.run("CREATE TABLE numbers (number INTEGER) STRICT")
    try connection.run("INSERT INTO numbers VALUES (\(value))")
    func read() throws -> [Int] {
      try connection.rows("SELECT number FROM numbers") { row throws(StoreError) in row.number(0) }
    }
    if isDamage {
      let error = #expect(throws: StoreError.self) { try read() }
      #expect(error?.isAboutData == true && error?.description.contains("numbers.number = '\(value)'") == true)
    } else {
      #expect(try read() == [Int(value)])
    }
    // The next row and the next query are not affected.
    try connection.run("INSERT INTO numbers VALUES (1)")
    var unreadable = 0
    let numbers = try connection.readableRows("SELECT number FROM numbers") { row throws(StoreError) in
      row.number(0)
    } unreadable: { _, _ in
      unreadable += 1
    }
    #expect(numbers.last == 1 && unreadable == (isDamage ? 1 : 0))
  }
}
