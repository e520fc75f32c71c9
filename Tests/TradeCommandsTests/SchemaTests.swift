import FlowControl
import FlowOperations
import FlowWork
import Foundation
import Testing
import TradeCommands

@testable import FlowCommandKit

private let catalogue = CommandCatalogue.every

/// The declared JSON documents of all commands, without running any.
struct SchemaTests {
  @Test func `every command but completion declares its documents`() {
    let without = catalogue.commands.filter { $0.documents.isEmpty }.map { $0.description.name }
    #expect(without.sorted() == ["completion"])
  }

  @Test func `documents of the same name have the same schema`() throws {
    var known: [String: JSONShapes] = [:]
    for document in catalogue.commands.flatMap({ $0.documents }) {
      let shapes = try document.shapes
      #expect(!shapes.fields.isEmpty, "\(document.name)")
      if let there = known[document.name] { #expect(there.fields == shapes.fields, "\(document.name)") }
      known[document.name] = shapes
    }
    #expect(known.count > 90)
  }

  @Test func `every kind of work that sends notices has a schema of its events`() {
    let names = Set(catalogue.schemas.map(\.name))
    for kind in CommandCatalogue.every.jobs.every.ofTeam {
      #expect(names.contains("org.poolflow.\(kind.rawValue)/1") == (kind.rawValue != "feed-reset"), "\(kind.rawValue)")
    }
  }

  @Test func `the description of a job's settings names each key of a timing`() throws {
    let comments = catalogue.interfaces.comments.flatMap { $0.split(separator: "\n") }
    let comment = try #require(comments.first { $0.hasPrefix("JobSettingView\t") })
    let named = comment.matches(of: /`([a-z-]+)`/).map { String($0.1) }
    #expect(named.sorted() == JobTiming.Key.allCases.map(\.rawValue).sorted(), "\(comment)")
  }

  @Test func `every schema has a unique name and valid references`() throws {
    #expect(Set(catalogue.schemas.map(\.name)).count == catalogue.schemas.count)
    for entry in catalogue.schemas {
      let text = try JSONSchema(entry, descriptions: catalogue.interfaces.comments).tree.text()
      let schema = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      #expect(schema["title"] as? String == entry.name)
      let defined = Set((schema["$defs"] as? [String: Any])?.keys.map { $0 } ?? [])
      let named = Set(text.matches(of: /#\/\$defs\/([^"]+)/).map { String($0.1) })
      #expect(named == defined, "\(entry.name)")
    }
  }

  @Test func `a schema is found by full name, without version, and without prefix`() {
    for word in ["pfctl.list/1", "pfctl.list", "list"] {
      #expect(catalogue.schema(named: word)?.name == "pfctl.list/1")
    }
    #expect(catalogue.schema(named: "org.poolflow.reminder")?.name == "org.poolflow.reminder/1")
    #expect(catalogue.schema(named: "lst") == nil)
  }

  private enum Word: String, Codable, CaseIterable { case one, two }
  private enum Number: Int, Codable, CaseIterable { case one = 1, two }

  private struct Sample: Codable {
    struct Row: Codable {
      let text: String
      let count: Int?
    }

    let flag: Bool
    let ratio: Double
    let word: Word
    let number: Number?
    let rows: [Row]
    let names: [String: [String]]
  }

  @Test func `a type's schema lists its fields in order and marks optional ones`() throws {
    let shapes = try JSONShapes(of: Sample.self)
    #expect(
      shapes.fields == [
        JSONField(name: "flag", shape: .boolean, isRequired: true),
        JSONField(name: "ratio", shape: .number, isRequired: true),
        JSONField(name: "word", shape: .words(["one", "two"]), isRequired: true),
        JSONField(name: "number", shape: .numbers([1, 2]), isRequired: false),
        JSONField(name: "rows", shape: .list(.object("SchemaTests.Sample.Row")), isRequired: true),
        JSONField(name: "names", shape: .map(.list(.string)), isRequired: true),
      ])
    #expect(
      shapes.objects["SchemaTests.Sample.Row"] == [
        JSONField(name: "text", shape: .string, isRequired: true),
        JSONField(name: "count", shape: .integer, isRequired: false),
      ])
  }

  private struct Nested: Codable { let inner: [Nested] }

  @Test func `a recursive type has no schema and gives an error`() {
    #expect(throws: (any Error).self) { try JSONShapes(of: Nested.self) }
  }

  // MARK: --json=FIELD,…

  private static let body = DaemonCall.Audit.Reply(entries: [
    AuditView(at: "1", local: "2", uid: 3, user: nil, command: "run", result: "done", finishedAt: nil),
    AuditView(at: "4", local: "5", uid: 6, user: "ann", command: "skip", result: nil, finishedAt: nil),
  ])

  private func written(_ fields: String) throws -> String {
    let document = try #require(AuditCommand.documents.first)
    let bytes = try document.bytes(of: Self.body, FieldSelection(fields, of: AuditCommand.self))
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `selected fields of a list are written per row in the given order`() throws {
    #expect(
      try written("user,uid,command") == """
        [
          {
            "uid": 3,
            "command": "run"
          },
          {
            "user": "ann",
            "uid": 6,
            "command": "skip"
          }
        ]
        """)
    #expect(try written("uid,uid") == "[\n  {\n    \"uid\": 3\n  },\n  {\n    \"uid\": 6\n  }\n]")
  }

  @Test func `the document's own fields can be selected too`() throws {
    #expect(try written("entries").hasPrefix("{\n  \"entries\": [\n    {\n      \"at\": \"1\","))
  }

  @Test func `without selected fields the whole document is written`() throws {
    let document = try #require(AuditCommand.documents.first)
    let bytes = try document.bytes(of: Self.body, FieldSelection("", of: AuditCommand.self))
    #expect(String(decoding: bytes, as: UTF8.self).contains("pfctl.audit/1"))
  }

  @Test(arguments: [
    ("usr", "no field 'usr'; did you mean user? The fields are at, local, uid, user"),
    ("entries,uid", "not have all these fields in one object"), (",", "names no field"),
    ("a\u{1B}b", "no field 'a\\u{1B}b'"),
  ])
  func `an unknown field is refused and the valid ones are listed`(fields: String, why: String) {
    do {
      _ = try FieldSelection(fields, of: AuditCommand.self)
      Issue.record("it was taken")
    } catch {
      #expect(error.message.contains(why), "\(error.message)")
      #expect(error.message.contains("finished_at; or entries") && error.exitCode == ExitCode.usage)
    }
  }

  @Test func `an undeclared document is an error`() throws {
    let document = try #require(AuditCommand.documents.first)
    #expect(throws: JSONDocument.NotDeclared.self) { try document.bytes(of: ["other": 1], nil) }
  }

  // MARK: Errors

  @Test func `the error names used by pfctl equal those listed in help, with exit codes`() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Sources").path
    let folders = [
      "Engine/FlowCommandKit", "Engine/FlowCommands", "Engine/FlowOperations", "Engine/FlowSetup", "Pools/PoolCommands",
      "Stables/StableCommands",  // Stables
    ]
    let codes: [String: Int32] = [
      "attention": ExitCode.attention, "declined": ExitCode.declined, "usage": ExitCode.usage,
      "notFound": ExitCode.notFound, "badData": ExitCode.badData,
      "noInput": ExitCode.noInput, "unavailable": ExitCode.unavailable, "internalFault": ExitCode.internalFault,
      "cannotCreate": ExitCode.cannotCreate, "inputOutput": ExitCode.inputOutput, "tryAgain": ExitCode.tryAgain,
      "notPermitted": ExitCode.notPermitted, "badSettings": ExitCode.badSettings, "interrupted": ExitCode.interrupted,
    ]
    var found: [String: Set<Int32>] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: sources)
    where name.hasSuffix(".swift") && folders.contains(where: { name.hasPrefix($0 + "/") }) {
      let text = try String(contentsOf: URL(filePath: "\(sources)/\(name)"), encoding: .utf8)
      let made =
        /(?:CommandFailure|self\.init)\(\s*name: "([a-z-]+)",(?s:.{1,400}?)exitCode: (?:ExitCode\.([a-zA-Z]+)|error\.exitCode)/
      for match in text.matches(of: made) {
        guard let code = match.2.flatMap({ codes[String($0)] }) else {
          Issue.record("\(name): '\(match.1)' exits with something that this test does not know")
          continue
        }
        found[String(match.1), default: []].insert(code)
      }
    }
    let listed = Dictionary(uniqueKeysWithValues: CommandFailure.names.map { ($0.name, Set([$0.exitCode])) })
    #expect(found == listed)
  }

  @Test func `every error has a meaning, and help lists all errors`() throws {
    let topic = try #require(HelpTopic.all(catalogue).first { $0.name == "errors" })
    #expect(topic.entries.count == catalogue.interfaces.errors.count + CommandFailure.names.count)
    #expect(catalogue.interfaces.errors.count > 40)
    #expect(catalogue.interfaces.errors.count > 50)  // Stables
    for error in catalogue.interfaces.errors {
      #expect(!error.meaning.isEmpty, "\(error.kind.rawValue)")
      #expect(topic.entries.contains { $0.0 == error.kind.rawValue && $0.1.hasSuffix("[\(error.exitCode)]") })
    }
  }

  @Test func `fields are completed after the equals sign and each comma`() {
    let completion = Completion(.every) { _, _ in [] }
    #expect(completion.answer(["audit", "--json=us"]) == .words([.init("--json=user")]))
    #expect(completion.answer(["audit", "--json=user,ui"]) == .words([.init("--json=user,uid")]))
    #expect(completion.answer(["completion", "--json="]) == .words([]))
  }

  @Test func `schema names are completed`() {
    let completion = Completion(.every) { _, _ in [] }
    #expect(completion.answer(["help", "sche"]) == .words([.init("schema", SchemaHelp.summary)]))
    #expect(completion.answer(["help", "phr"]) == .words([.init("phrases", PhraseHelp.summary)]))
    guard case .words(let found) = completion.answer(["help", "schema", "pfctl.team-"]) else {
      Issue.record("no words")
      return
    }
    #expect(found.map(\.word).contains("pfctl.team-set/1") && found.allSatisfy { $0.word.hasPrefix("pfctl.team-") })
  }
}
