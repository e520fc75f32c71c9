/// What a bug report keeps of the audit texts of a call; `FlowWire.ReportRule` describes how an interface declares it.
package struct AuditRedaction: Hashable, Sendable {
  /// The kind of an option's value.
  package enum Kind: Hashable, Sendable {
    /// A team's name, replaced by the placeholder of that team.
    case team
    /// Kept if it is a number or a time.
    case number
    /// Replaced, unless it is a word that identifies no person.
    case hidden
  }

  /// The first words of the text, such as `team` and `rename`.
  package let command: [String]
  /// The number of team names directly after the command.
  package let teams: Int
  /// Kinds by the name of the option, without `--`.
  package let options: [String: Kind]
  /// The values of the call's enums.
  package let words: Set<String>

  package init(command: [String], teams: Int, options: [String: Kind], words: [[String]]) {
    self.command = command
    self.teams = teams
    self.options = options
    self.words = Set(words.joined())
  }
}
