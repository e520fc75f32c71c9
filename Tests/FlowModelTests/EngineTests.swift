import Foundation
import Testing

/// The engine (`Sources/Engine`) depends on no trade and not on the cluster's store.
struct EngineTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  private static let folder = root.appending(path: "Sources/Engine")

  /// Modules without a trade's import whose types still carry some of its terms: teams' settings, technicians' days off, the names
  /// of the control protocol, tables of the schema, members of events and of a backup's manifest, the technicians of uploads and
  /// calls, and help.
  private static let withTerms: Set = [
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
    #expect(Self.modules.count >= 14 && Self.withTerms.isSubset(of: Self.modules), "\(Self.modules)")
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

  @Test(arguments: modules.filter { !withTerms.contains($0) })
  func `an engine module contains no term of a trade`(module: String) throws {
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
