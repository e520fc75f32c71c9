/// The partition that a call concerns. With several nodes, the node that receives a change owns this partition while it makes
/// the change.
///
///     #@ partition: team                       the partition of the team that the parameter `team` names
///     #@ partition: team, else server          likewise for an optional parameter; without a team, partition 0
///     #@ partition: team in name               the partition of the team that the parameter `name` names
///     #@ partition: team of upload, else all   the partition of the team of the upload that `upload` names
///     #@ partition: server                     partition 0, which does the server-wide work
///     #@ partition: all                        all partitions, because the call can change any team
///     #@ partition: none                       no partition: any node answers. Every call that only reads has this.
package struct PartitionRule: Hashable, Sendable {
  /// Where the partition comes from.
  enum Source: Hashable, Sendable {
    case fixed(String)
    case team(parameter: String)
    case upload(parameter: String)
  }

  let source: Source
  /// `server`, `all` or `none`, for a call without a team; nil if each call has one.
  let fallback: String?

  static let fixedNames = ["server", "all", "none"]

  /// Parses the text after `partition:`; nil if it has none of the forms above.
  init?(_ text: String) {
    let parts = text.split(separator: ",", maxSplits: 1).map { trimmed(String($0)) }
    guard let first = parts.first else { return nil }
    switch first.split(separator: " ").map(String.init) {
    case ["team"]: source = .team(parameter: "team")
    case let words where words.count == 3 && words[0] == "team" && words[1] == "in": source = .team(parameter: words[2])
    case let words where words.count == 3 && words[0] == "team" && words[1] == "of":
      source = .upload(parameter: words[2])
    case let words where words.count == 1 && Self.fixedNames.contains(words[0]) && parts.count == 1:
      source = .fixed(words[0])
    default: return nil
    }
    guard parts.count == 2 else {
      fallback = nil
      return
    }
    let words = parts[1].split(separator: " ").map(String.init)
    guard words.count == 2, words[0] == "else", Self.fixedNames.contains(words[1]) else { return nil }
    fallback = words[1]
  }

  /// Checks the rule against the parameters of its call.
  ///
  /// - Returns: the fault as a sentence; nil if there is none.
  func fault(in input: [InterfaceGrammar.Field], reads: Bool) -> String? {
    if reads, source != .fixed("none") {
      return "only reads, so any node answers it: write '#@ partition: none'"
    }
    switch source {
    case .fixed: return nil
    case .upload(let name):
      guard input.contains(where: { $0.name == name && $0.kind == .string }) else {
        return "has no parameter \(name) of type string, which its partition needs"
      }
      guard fallback == nil else { return nil }
      return "needs the partition for an unknown upload: '#@ partition: team of \(name), else all'"
    case .team(let name):
      guard let kind = input.first(where: { $0.name == name })?.kind else {
        return "has no parameter \(name), which its partition needs"
      }
      switch kind {
      case .string:
        return fallback != nil ? "always has a \(name): write its partition without 'else'" : nil
      case .optional(.string):
        guard fallback == nil else { return nil }
        return "needs the partition for calls without \(name): '#@ partition: team, else server'"
      default: return "has a \(name) that is no string, so it names no team"
      }
    }
  }

  /// The Swift expression of type `CallPartition`.
  var expression: String {
    switch source {
    case .fixed(let name): return ".\(name)"
    case .upload(let name):
      return ".teamOfUpload(\(SwiftNames.value(name)), otherwise: .\(fallback ?? "all"))"
    case .team(let name):
      let value = SwiftNames.value(name)
      guard let fallback else { return ".team(\(value))" }
      return "\(value).map { CallPartition.team($0) } ?? CallPartition.\(fallback)"
    }
  }
}
