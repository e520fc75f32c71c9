/// What a bug report keeps of the values in an audit text. Each parameter whose value the text contains is stated once, except
/// a bool.
///
///     #@ report: teams name, to; numbers until; hides technician
///
/// A statement is a kind and its parameters:
///
///     teams      the name of a team: replaced by the placeholder of that team
///     numbers    the value of an option: kept if it is a number or a time, otherwise replaced. `readings.temp` is the value of
///                the key `temp` in the pairs `readings`.
///     words      an enum: its values are kept
///     options    pairs with values: kept if the option of `pfctl` with the same name takes a number (`--count N`)
///     hides      replaced, unless it is the name of a job or sink, or another word that identifies no person
package struct ReportRule: Hashable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case teams, numbers, words, options, hides
  }

  /// A parameter, or `PARAMETER.KEY`, with its kind.
  struct Statement: Hashable, Sendable {
    let name: String
    let kind: Kind
  }

  let statements: [Statement]

  /// Parses the text after `report:`; nil if it does not have the form above, or states a parameter twice.
  init?(_ text: String) {
    var statements: [Statement] = []
    for part in text.split(separator: ";") {
      let words = trimmed(String(part)).split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2, let kind = Kind(rawValue: words[0]) else { return nil }
      for name in words[1].split(separator: ",", omittingEmptySubsequences: false).map({ trimmed(String($0)) }) {
        guard !name.isEmpty, !name.contains(" ") else { return nil }
        statements.append(Statement(name: name, kind: kind))
      }
    }
    guard Set(statements.map(\.name)).count == statements.count else { return nil }
    self.statements = statements
  }
}
