import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

/// The PostgreSQL servers that tests start.
@Suite(.serialized, .requires(.postgresql))
struct PostgresServerTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func `committed data survives every kind of server stop`() throws {
    let server = try PostgresServer()
    let (one, other) = (try server.newDatabase(), try server.newDatabase())
    try server.query("CREATE TABLE said (word text)", in: one)
    #expect(throws: PostgresTrouble.self) { try server.query("SELECT * FROM said", in: other) }
    let ends = [
      "fast": { try server.stop(.fast) }, "immediate": { try server.stop(.immediate) }, "kill": { try server.kill() },
    ]
    for (name, end) in ends {
      try server.query("INSERT INTO said VALUES ('\(name)')", in: one)
      try end()
      #expect(!server.isRunning)
      #expect(throws: PostgresTrouble.self) { try server.query("SELECT 1") }
      try server.start()
    }
    #expect(try server.query("SELECT word FROM said ORDER BY word COLLATE \"C\"", in: one) == "fast\nimmediate\nkill")
    let path = server.folder
    #expect(try server.query("SHOW listen_addresses") == "" && server.query("SHOW fsync") == "on")
    #expect(FileManager.default.fileExists(atPath: path + "/data/PG_VERSION"))
  }

  @Test func `sessions end when they are terminated`() async throws {
    let server = try PostgresServer.shared.get()
    let programs = try PostgresServer.programs()
    let database = try server.newDatabase()
    let sleeper = try ChildProgram(
      programs + "/psql", [server.connection(to: database), "-Xqc", "SELECT pg_sleep(600)"],
      environment: ["PATH": "/usr/bin:/bin"],
      [0: .reading("/dev/null"), 1: .writing("/dev/null"), 2: .writing("/dev/null")])
    try await waitUntil("the session is there and ends") { try server.terminateBackends(of: database) == 1 }
    #expect(sleeper.end() == .exit(2))
    try server.drop(database)
  }

  @Test(arguments: CuttingProxy.Cut.allCases)
  func `the proxy cuts a commit at the point the test chose`(_ cut: CuttingProxy.Cut) throws {
    let server = try PostgresServer.shared.get()
    let database = try server.newDatabase()
    try server.query("CREATE TABLE said (word text)", in: database)
    let proxy = try CuttingProxy(to: server.socketFolder, port: server.port, in: folder.path + "/proxy")
    func say(_ word: String) throws {
      try server.query("BEGIN", "INSERT INTO said VALUES ('\(word)')", "COMMIT", in: database, host: proxy.socketFolder)
    }
    func count(_ word: String) throws -> String {
      try server.query("SELECT count(*) FROM said WHERE word = '\(word)'", in: database)
    }
    try say("first")
    proxy.cut(cut, afterCommits: 1)
    try say("second")
    #expect(throws: PostgresTrouble.self) { try say("third") }
    try say("fourth")
    #expect(proxy.cuts == 1 && proxy.commits == 4)
    for word in ["first", "second", "fourth"] { #expect(try count(word) == "1", "\(word)") }
    switch cut {
    case .before: #expect(try count("third") == "0")
    // The outcome is not known at once.
    case .passed: #expect(["0", "1"].contains(try count("third")))
    case .answered: #expect(try count("third") == "1")
    }
    proxy.goAway()
    #expect(throws: PostgresTrouble.self) { try say("fifth") }
    proxy.comeBack()
    try say("sixth")
    #expect(try count("fifth") == "0" && count("sixth") == "1")
    try server.drop(database)
  }

  @Test func `a server ends with the process that started it`() async throws {
    let server = try PostgresServer()
    let place = folder.path + "/servers"
    try folder.make("servers")
    try FileManager.default.createSymbolicLink(atPath: place + "/one", withDestinationPath: server.folder)
    let held = try PostgresServer.guardServers(in: place)
    #expect(try server.query("SELECT 1") == "1")
    // As if the process had ended.
    close(held)
    try await waitUntil("its folder is gone") { !FileManager.default.fileExists(atPath: place) }
    #expect(throws: PostgresTrouble.self) { try server.query("SELECT 1") }
  }

  @Test func `a network login needs the right password`() throws {
    let server = try PostgresServer(listens: true)
    try server.query("CREATE ROLE anna LOGIN PASSWORD 'right'")
    try server.allow("host all all 127.0.0.1/32 scram-sha-256")
    let file = folder.path + "/pass"
    func ask(_ password: String) throws -> ChildProgram.Ending {
      try folder.write("pass", "*:*:*:anna:\(password)\n")
      chmod(file, 0o600)
      let words = "host=127.0.0.1 port=\(server.port) dbname=postgres user=anna passfile=\(file)"
      return try ChildProgram(
        PostgresServer.programs() + "/psql", [words, "-Xwqc", "SELECT 1"], environment: ["PATH": "/usr/bin:/bin"],
        [0: .reading("/dev/null"), 1: .writing("/dev/null"), 2: .writing("/dev/null")]
      ).end()
    }
    #expect(try ask("right") == .exit(0))
    #expect(try ask("wrong") == .exit(2))
    #expect(server.words.contains("password authentication failed"))
  }
}
