import StableCommands
import Testing

@testable import FlowCommandKit

/// The commands of stables as a module of their own.
struct StableModuleTests {
  private let catalogue = CommandCatalogue([.stables])

  @Test func `every command is on a page of a noun, and each noun has commands`() {
    let words = catalogue.nouns.flatMap(\.words)
    // `report horse` is on the engine's page about texts and figures.
    #expect(Set(catalogue.descriptions.map { $0.path[0] }) == Set(words).union(["report"]))
    for noun in catalogue.nouns { #expect(!catalogue.commands(of: noun).isEmpty, "\(noun.name)") }
  }

  @Test func `every kind of names is known without another module`() {
    for value in catalogue.values {
      for case .names(let kind, _) in value.sources { #expect(catalogue.nameSources[kind] != nil, "\(kind)") }
    }
  }
}
