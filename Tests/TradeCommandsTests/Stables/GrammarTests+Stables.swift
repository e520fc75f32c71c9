@testable import FlowCommandKit

extension GrammarTests {
  /// Options that only commands of stables take, or `setup` for a stable.
  static let stableFields: [Grammar.OptionRule] = [
    .init("owner", "TEXT", "whose horse it is"), .init("clipped", "…|…", "whether it needs a blanket earlier"),
    .init("added", "DATE", "since when it is on the boards"), .init("by", "TEXT", "who fed"),
    .init("am-grain", "TEXT", "what is fed"), .init("am-supplements", "TEXT", "what is fed"),
    .init("am-medications", "TEXT", "what is fed"), .init("pm-grain", "TEXT", "what is fed"),
    .init("pm-supplements", "TEXT", "what is fed"), .init("pm-medications", "TEXT", "what is fed"),
    .init("description", "TEXT", "what it is for"), .init("horse", "HORSE", "whose schedule"),
    .init("missed", nil, "only what was missed"), .init("due", "DATE", "when the next is due"),
    .init("provider", "TEXT", "who came"), .init("horses", "FILE", "a list of horses"),
    .init("feed-am", "HH:MM", "when open morning feeds are reported"),
    .init("feed-pm", "HH:MM", "when open evening feeds are reported"),
  ]
}
