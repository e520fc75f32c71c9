/// Command names and options of other programs and of earlier versions: they are refused, and the error names the equivalent of
/// pfctl.
package struct OtherToolWords: Sendable {
  /// The hint for an unknown command.
  package var commands: [String: String] = [:]
  /// Options that belong to another command, keyed by `COMMAND OPTION`.
  package var elsewhere: [String: String] = [:]

  package init() {}

  package init(joining parts: [OtherToolWords]) {
    for part in parts {
      commands.merge(part.commands) { first, _ in first }
      elsewhere.merge(part.elsewhere) { first, _ in first }
    }
  }

  /// Other programs' verbs and their equivalents; the first one that the noun has is suggested.
  package static let verbs = [
    "delete": ["remove"], "rm": ["remove"], "del": ["remove"], "create": ["add"], "new": ["add", "create"],
    "make": ["create", "add"], "edit": ["set"], "update": ["set"], "modify": ["set"], "get": ["show", "list"],
    "info": ["show"], "describe": ["show"], "ls": ["list"], "mv": ["rename", "move"],
    "view": ["show"], "cat": ["show"], "search": ["list"], "find": ["list"], "check": ["verify"], "forget": ["prune"],
    "dump": ["export"],
  ]

  /// A hint with the noun's equivalent of `word`, or, if no noun was typed, with a command that ends in that verb; nil if
  /// neither exists.
  package static func verb(
    _ word: String, behind beginning: String, among next: [String], in catalogue: CommandCatalogue
  ) -> String? {
    if let own = verbs[word]?.first(where: next.contains) { return "did you mean `pfctl \(beginning)\(own)`?" }
    guard beginning.isEmpty else { return nil }
    let own = verbs[word]?.first ?? word
    guard let command = catalogue.descriptions.first(where: { $0.path.count > 1 && $0.path.last == own }) else {
      return nil
    }
    return "a verb follows its noun, such as `pfctl \(command.name)`"
  }

  /// Options of other programs, and in the last three lines of version 0.1, with their equivalents; the first one that the command
  /// has is suggested.
  package static let options = [
    "o": ["json"], "output": ["json"], "format": ["json"], "n": ["dry-run", "limit", "count"], "y": ["yes"],
    "force": ["yes"], "s": ["quiet"], "silent": ["quiet"], "no-headers": ["no-legend"], "template": ["json"],
    "jq": ["json"], "lines": ["limit"], "iterations": ["limit"], "L": ["limit"], "a": ["all"],
    "for": ["technician"], "date": ["at"], "as-of": ["at"], "count": ["limit"], "after": ["from"], "note": ["notes"],
    "to": ["until", "place"], "at": ["place"], "reason": ["notes"], "technician": ["tell"], "from": ["sender"],
    "svg": ["format"], "matrix": ["durations"], "email": ["mail"], "latitude": ["locate"], "longitude": ["locate"],
  ]
}
