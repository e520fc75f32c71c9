import FlowCommands
import FlowControl
import FlowTestKit
import FlowWork
import Foundation
import PoolCommands
import StableCommands  // Stables
import Testing
import TradeCommands
import TradeInterfaces

@testable import FlowCommandKit

private let catalogue = CommandCatalogue.every

/// Nothing that a command needs is forgotten in the lists of its module.
struct RegistrationTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources")

  /// The text of every Swift file in the modules that contain commands.
  private static func texts() throws -> [String] {
    let folders = ["FlowCommandKit", "FlowCommands", "FlowOperations", "FlowSetup"].map { "Engine/\($0)" }
    let trades = try [
      "Pools",
      "Stables",  // Stables
    ].flatMap { trade in
      try FileManager.default.contentsOfDirectory(atPath: sources.appending(path: trade).path)
        .filter { $0.hasSuffix("Commands") }.map { "\(trade)/\($0)" }
    }
    return try (folders + trades).flatMap { folder in
      let path = sources.appending(path: folder).path
      return try FileManager.default.subpathsOfDirectory(atPath: path).filter { $0.hasSuffix(".swift") }
        .map { try String(contentsOf: URL(filePath: "\(path)/\($0)"), encoding: .utf8) }
    }
  }

  @Test func `every command in the sources is in the list of its module`() throws {
    let declared = try Self.texts().flatMap { text in
      text.matches(of: /(?m)^(?:package )?(?:enum|struct|final class) (\w+): Command\b/).map { String($0.1) }
    }
    // `pfctl` without words runs the overview.
    let registered = catalogue.commands.map { "\($0)" } + ["Overview"]
    #expect(declared.sorted() == registered.sorted())
  }

  @Test func `pfctl and the daemon know the same kinds of jobs of each trade`() {
    let (jobs, daemon) = (catalogue.jobs, JobCatalogues.all)
    #expect(jobs.trades == daemon.trades)
    for trade in daemon.trades {
      #expect(jobs.of(trade).ofTeam == daemon.of(trade).ofTeam && jobs.of(trade).ofServer == daemon.of(trade).ofServer)
      #expect(jobs.of(trade).subscriptions == daemon.of(trade).subscriptions)
    }
    for name in ["reminder-filters", "reminder-", "unknown"] {
      #expect(jobs.kind(named: name) == daemon.kind(named: name), "\(name)")
    }
  }

  @Test func `every command has a summary and a name of its own`() {
    for command in catalogue.commands {
      #expect(!command.description.summary.isEmpty && !command.description.summary.hasSuffix("."))
    }
    #expect(Set(catalogue.descriptions.map(\.name)).count == catalogue.commands.count)
  }

  @Test func `a command is found by its name, although another's name may begin with the same words`() {
    for command in catalogue.commands {
      let found = catalogue.command(of: command.description.path)
      #expect(found.map { $0 == command } == true, "\(command.description.name)")
    }
  }

  private static let trades: [String: CommandModule] = [
    "pools": .pools,
    "stables": .stables,  // Stables
  ]

  @Test(arguments: trades.keys.sorted().map { [$0] } + [[]])
  func `without a trade its commands are missing, and nothing else`(trades: [String]) {
    let modules = [.engine] + trades.compactMap { Self.trades[$0] }
    #expect(modules.count == trades.count + 1)
    let some = CommandCatalogue(modules)
    let own = modules.flatMap { ListPart.joined($0.commands) }.map { $0.description.name }
    #expect(some.descriptions.map(\.name) == catalogue.descriptions.map(\.name).filter(Set(own).contains))
    let words = Set(some.nouns.flatMap(\.words))
    for description in some.descriptions { #expect(words.contains(description.path[0]), "\(description.name)") }
    #expect(Set(ManPages(some).names).isSubset(of: ManPages(catalogue).names))
  }

  @Test func `each module adds examples only to commands of the engine`() {
    let engine = Set(ListPart.joined(CommandModule.engine.commands).map { $0.description.name })
    for module in Self.trades.values {
      #expect(Set(module.examplesOfCommands.keys).isSubset(of: engine), "\(module.examplesOfCommands.keys)")
    }
  }

  /// Calls that only other Varlink clients make.
  private static let withoutCommand: Set = [
    "ServiceCall.GetInfo", "ServiceCall.GetInterfaceDescription", "FieldCall.SetProfile", "ImportCall.Cancel",
    // `weather` asks `ForecastsCall`; these stay for clients of before.
    "WeatherCall.Import", "WeatherCall.Show",  // Stables
  ]

  @Test func `the commands know the interfaces that the daemon serves`() {
    #expect(catalogue.interfaces.interfaces.map(\.name) == InterfaceCatalogue.every.interfaces.map(\.name))
  }

  @Test func `every call of the daemon is made by a command, or is listed`() throws {
    let text = try Self.texts().joined(separator: "\n")
    let made = Set(text.matches(of: /\b(\w+Call\.\w+)\(/).map { String($0.1) })
    // `FlowControl.BackupCall.Create` without its module.
    let calls = Set(
      InterfaceCatalogue.every.methods.map {
        String(reflecting: $0).split(separator: ".").dropFirst().joined(separator: ".")
      })
    #expect(calls.count > 100)
    #expect(calls.subtracting(made) == Self.withoutCommand)
  }
}
