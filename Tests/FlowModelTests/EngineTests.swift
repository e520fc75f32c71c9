import Foundation
import Testing

/// The engine modules (time, jobs, notices, delivery, settings) depend on no trade.
struct EngineTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The engine's modules with their layers.
  private static let engine = [
    "FlowNotices": "Domain", "FlowWork": "Domain", "FlowSettings": "Edge", "FlowScheduler": "Flow",
    "FlowDelivery": "Flow",
  ]
  /// The modules that an engine module may import: each other, and the modules for time, numbers, the operating system and the
  /// wire, whose views describe settings.
  private static let foundations = Set(engine.keys).union([
    "PoolModel", "FlowCalendar", "FlowPlatform", "FlowControl", "CLinux",
  ])

  /// The Swift files of a module.
  private func sources(of room: String) throws -> [URL] {
    let folder = Self.root.appending(path: "Sources/\(try #require(Self.engine[room]))/\(room)")
    let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    let sources = files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(!sources.isEmpty, "\(room) is not where it was")
    return sources
  }

  @Test(arguments: engine.keys.sorted())
  func `an engine module depends on no module of a trade`(room: String) throws {
    let package = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    let declared = try #require(
      package.firstMatch(of: try Regex("(?:domain|edge|flow)\\(\\s*\"\(room)\",\\s*\\[([^\\]]*)\\]"))?[1].substring)
    let names = declared.matches(of: /"(\w+)"/).map { String($0.1) }
    #expect(names.contains("PoolModel"))
    #expect(Set(names).subtracting(Self.foundations).isEmpty)
  }

  @Test(arguments: engine.keys.sorted())
  func `an engine module imports no module of a trade`(room: String) throws {
    for source in try sources(of: room) {
      for line in try String(contentsOf: source, encoding: .utf8).matches(of: /(?m)^(?:\w+ )?import (Pool\w+)$/) {
        #expect(Self.foundations.contains(String(line.1)), "\(source.lastPathComponent)")
      }
    }
  }

  @Test(arguments: engine.keys.sorted())
  func `an engine module contains no word of pool service`(room: String) throws {
    let words = /(?i)\b(pools?|visits?|technicians?|customers?|chemicals?|stops (?:today|of a)|route of a)\b/
    // The settings' help texts are written for people of this trade.
    for source in try sources(of: room) where !source.lastPathComponent.hasPrefix("SettingsKey") {
      for line in try String(contentsOf: source, encoding: .utf8).split(separator: "\n") {
        // Thread pools are allowed.
        guard !line.contains("thread"), let word = line.firstMatch(of: words) else { continue }
        Issue.record("\(source.lastPathComponent): '\(word.1)' in \(line)")
      }
    }
  }
}
