import FlowControl
import FlowModel
import FlowSettings
import FlowTestKit
import FlowWork
import Foundation
import PoolJobs
import Testing

/// The settings of the store's engine; a password in the connection string is refused.
struct StoreSettingsTests {
  private let secret = "s3cret/wörd"

  private func read(_ text: String) -> SettingsReading {
    SettingsReading(text: "[Store]\n" + text, name: "poolflow.conf", catalogue: .pools)
  }

  private func values(_ reading: SettingsReading) -> [String: String?] {
    Dictionary(uniqueKeysWithValues: reading.values.filter { $0.section == "Store" }.map { ($0.key, $0.value) })
  }

  @Test func `the store is a file by default, and a database if set`() throws {
    #expect(SettingsReading.defaults.settings.store == Settings.StoreSettings())
    #expect(values(.defaults) == ["Engine": "sqlite", "Connection": nil, "Credential": nil, "Node": nil])
    let reading = read(
      "Engine = postgresql\nConnection = service=poolflow\nCredential = store-password\nNode = pool-1\n")
    #expect(reading.problems == [] && reading.settings.store.engine == .postgresql)
    #expect(reading.settings.store.connection?.text == "service=poolflow")
    #expect(reading.settings.store.credential == "store-password")
    #expect(reading.settings.store.node == "pool-1")
    #expect(read("Engine = postgresql\nConnection = service=p\nNode = %H\n").settings.store.node == "%H")
    let takeRestart = reading.values.filter { $0.section == "Store" }.map(\.takesRestart)
    #expect(takeRestart == [true, true, true, true])
    // The connection may be set before the engine uses it.
    #expect(read("Connection = service=poolflow\n").problems == [])
  }

  @Test(arguments: [
    ("Engine = oracle\n", "an engine is sqlite or postgresql"),
    ("Engine = postgres\nConnection = service=p\n", "did you mean \"postgresql\"?"),
    ("Engine = postgresql\n", "Engine = postgresql needs Connection ="),
    ("Connection = \n", "a connection string of libpq"),
    ("Connection = poolflow\n", "\"poolflow\" has no value"),
    ("Connection = host='db\n", "a quote is not closed"),
    ("Credential = ../x\n", "the name of a credential"),
    ("Node = a\n", "Node = needs Engine = postgresql"),
    ("Engine = postgresql\nConnection = service=p\nNode = two words\n", "a name of up to 24 letters"),
    ("Engine = postgresql\nConnection = service=p\nNode = a-name-of-twenty-five-char\n", "a name of up to 24 letters"),
    ("Engine = postgresql\nConnection = service=p\nNode = %h\n", "or %H"),
    ("Colour = red\n", "there are Engine, Connection, Credential, Node"),
  ])
  func `an invalid store setting is reported`(_ text: String, _ words: String) throws {
    let problems = read(text).problems
    #expect(problems.count == 1 && "\(problems)".contains(words), "\(problems)")
  }

  @Test(arguments: [
    "host=db password=SECRET", "host=db PassWord = 'SECRET'", "sslmode=verify-full sslpassword=SECRET host=db",
    "host=db user=x password=\\SECRET", "postgresql://anna:SECRET@db/poolflow", "postgres://anna:SECRET@db",
    "postgresql://db/poolflow?password=SECRET", "postgresql://db?user=anna&pass%77ord=SECRET",
  ])
  func `a password in the connection string is refused without being shown`(_ shape: String) throws {
    let reading = read("Engine = postgresql\nConnection = \(shape.replacing("SECRET", with: secret))\n")
    let problem = try #require(reading.problems.first)
    #expect(reading.problems.count == 1 && "\(problem)".contains("cannot hold a password"))
    #expect("\(problem)".contains("passfile") && "\(problem)".contains("Credential ="))
    #expect(!"\(problem)".contains(secret) && reading.settings.store.connection == nil)
    #expect(values(reading)["Connection"] == "…")
    #expect(!"\(SettingDifferenceView.between(SettingsReading.defaults.values, reading.values))".contains(secret))
  }

  @Test(arguments: [
    ("service=poolflow", "service poolflow"),
    ("host=/run/postgresql dbname=poolflow", "poolflow on /run/postgresql"),
    ("dbname = 'pool flow' host=a,b port=5432,5433 passfile='/etc/pool\\'flow/pass'", "pool flow on a,b:5432,5433"),
    ("postgresql://anna@db:5433/poolflow?sslmode=verify-full&passfile=%2Fetc%2Fpass", "poolflow on db:5433"),
    ("postgresql://", ""),
  ])
  func `a connection string is parsed as libpq does`(_ text: String, _ place: String) throws {
    let connection = try ConnectionString(text)
    #expect(connection.place == place && connection.text == text)
    #expect(connection["password"] == nil)
    if text.contains("passfile") { #expect(connection["passfile"]?.hasSuffix("/pass") == true) }
    // With a password added, the string is one that a settings file refuses: the password is recognised.
    #expect(throws: ConnectionString.Mistake.secret("password")) {
      _ = try ConnectionString(connection.adding(password: "it's & a\\b c"))
    }
  }
}
