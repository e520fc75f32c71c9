import Foundation
import Testing

/// The engine (`Sources/Engine`) depends on no trade and not on the cluster's store.
struct EngineTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let folder = root.appending(path: "Sources/Engine")

  /// Modules whose texts for people and comments still contain terms of a trade: help, messages and the names that the wire,
  /// the schema and the settings keep.
  private static let withTermsInTexts: Set = [
    "FlowModel", "FlowControl", "FlowStore", "FlowBackup", "FlowServices", "FlowAnswers", "FlowDaemon", "FlowCommands",
    "FlowOperations", "FlowSetup", "FlowPost",
  ]

  private static let modules =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasPrefix("Flow") }.sorted()

  /// The Swift files of a module.
  private func sources(of module: String) throws -> [URL] {
    let files = try #require(
      FileManager.default.enumerator(at: Self.folder.appending(path: module), includingPropertiesForKeys: nil))
    let sources = files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(!sources.isEmpty, "\(module) has no source files")
    return sources
  }

  /// The modules that a source file imports.
  private static func imports(of file: URL) throws -> [String] {
    imports(in: try String(contentsOf: file, encoding: .utf8))
  }

  private static func imports(in source: String) -> [String] {
    source.matches(of: /(?m)^ *(?:[\w@()]+ )*?import (?:\w+ )?(\w+)/).map { String($0.1) }
  }

  /// The modules of a trade, or of the programs, that a module imports.
  private func foreignImports(of module: String) throws -> Set<String> {
    Set(try sources(of: module).flatMap { try Self.imports(of: $0) }).filter { name in
      ["Pool", "Stable", "Trade"].contains { name.hasPrefix($0) }
    }
  }

  @Test func `the engine's folder contains its modules`() {
    #expect(Self.modules.count >= 14 && Self.withTermsInTexts.isSubset(of: Self.modules), "\(Self.modules)")
  }

  @Test(arguments: modules)
  func `an engine module imports no trade`(module: String) throws {
    let found = try foreignImports(of: module)
    #expect(found.isEmpty, "\(module) imports \(found.sorted())")
  }

  @Test func `only the list of database servers imports the cluster's store`() throws {
    let sources = Self.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    for file in files.compactMap({ $0 as? URL })
    where file.pathExtension == "swift" && !file.path.hasPrefix(sources.path + "/Cluster/") {
      let found = try Self.imports(of: file).filter { $0.hasPrefix("Cluster") || $0 == "CPostgres" }
      let isList = file.path == sources.path + "/Programs/Trades/Trades.swift"
      #expect(found.isEmpty || isList && found == ["ClusterStore"], "\(file.lastPathComponent) imports \(found)")
    }
  }

  @Test(arguments: [
    "import Cluster", "package import Cluster", "@testable import Cluster", "import struct Cluster.Engine",
    "@_spi(Tests) public import Cluster", "import Cluster  // why", "#if DEBUG\n  import Cluster\n#endif",
  ])
  func `an import is found however it is written`(source: String) {
    #expect(Self.imports(in: source) == ["Cluster"])
  }

  /// The words of a trade that no identifier of the engine may contain.
  private static let terms: Set<Substring> = [
    "pool", "pools", "visit", "visits", "chemical", "chemicals", "horse", "horses", "barn", "barns", "feed", "feeds",
    "blanket", "blankets", "route", "routes",
  ]

  /// Terms with another meaning in the engine: pools of threads, streams of events, ends of lines, and the rules by which a
  /// notice goes to sinks.
  private static let otherMeanings: Set<Substring> = [
    "WorkerPool", "EventFeed", "withLineFeeds", "SinkRoute", "route", "routes", "withoutRoute",
  ]

  /// The identifiers of a source that contain one of `terms` as a word of their camel case; texts, code inside their
  /// interpolations, and comments do not count.
  private static func identifiersWithTerms(in source: String) -> Set<Substring> {
    let code = source.replacing(/(?s)(#*)""".*?"""\1/, with: "").replacing(/"(?:\\.|[^"\\\n])*"/, with: "")
      .replacing(/\/\/[^\n]*/, with: "")
    return Set(
      code.matches(of: /[A-Za-z_][A-Za-z0-9_]*/).map(\.output).filter { identifier in
        let words = identifier.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/)
        return words.contains { terms.contains(Substring($0.output.lowercased())) }
      })
  }

  /// The Swift names of the members and types of the engine's interfaces of the control protocol, which clients rely on.
  private static func namesOnTheWire() throws -> Set<Substring> {
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    let interfaces = files.compactMap { $0 as? URL }.filter { $0.pathExtension == "varlink" }
    try #require(!interfaces.isEmpty)
    return try interfaces.reduce(into: []) { names, file in
      let text = try String(contentsOf: file, encoding: .utf8).replacing(/#[^\n]*/, with: "")
      names.formUnion(
        text.matches(of: /[A-Za-z]\w*/).map { name in
          let words = name.output.split(separator: "_")
          return Substring(words.dropFirst().reduce(String(words[0])) { $0 + $1.capitalized })
        })
    }
  }

  @Test(arguments: modules)
  func `no identifier of an engine module contains a term of a trade`(module: String) throws {
    let wire = try Self.namesOnTheWire()
    for source in try sources(of: module) {
      let found = Self.identifiersWithTerms(in: try String(contentsOf: source, encoding: .utf8))
        .subtracting(Self.otherMeanings).subtracting(wire)
      #expect(found.isEmpty, "\(source.lastPathComponent): \(found.sorted())")
    }
  }

  @Test(arguments: ["let poolCount = 1", "struct PoolID {}", "team.horses.count", "case noSuchVisit", "BARNName()"])
  func `an identifier with a term of a trade is found`(source: String) {
    #expect(!Self.identifiersWithTerms(in: source).isEmpty)
  }

  @Test(arguments: ["let spool = 1", "// a pool", "print(\"pools \\\"pools\\\" pools\")", "var feedback = visitor"])
  func `other words, texts and comments are no terms of a trade`(source: String) {
    #expect(Self.identifiersWithTerms(in: source).isEmpty)
  }

  @Test(arguments: modules.filter { !withTermsInTexts.contains($0) })
  func `texts and comments of an engine module contain no term of a trade`(module: String) throws {
    let terms =
      /(?i)\b(pools?|visits?|customers?|chemicals?|stops (?:today|of a)|route of a|horses?|barns?|blankets?)\b/
    // The settings' help texts are written for people of a trade.
    for source in try sources(of: module) where !source.lastPathComponent.hasPrefix("SettingsKey") {
      for line in try String(contentsOf: source, encoding: .utf8).split(separator: "\n") {
        // Pools of threads are allowed.
        guard !line.contains("thread"), !source.lastPathComponent.hasPrefix("WorkerPool"),
          let word = line.firstMatch(of: terms)
        else { continue }
        Issue.record("\(source.lastPathComponent): '\(word.1)' in \(line)")
      }
    }
  }
}
