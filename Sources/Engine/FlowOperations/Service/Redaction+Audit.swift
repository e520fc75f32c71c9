import FlowWork
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

extension Redaction {
  /// An audit line of which only the command's words, enum values and numbers remain.
  ///
  /// Everything else is replaced: the daemon does not know deleted, former or misspelt names.
  mutating func command(_ line: String) -> String {
    var words = line.split(separator: " ").map(String.init)
    var kept: [String] = []
    func keep(_ word: String) {
      if word != Self.placeholder || kept.last != Self.placeholder { kept.append(word) }
    }
    let verb = commands.verb(of: words)
    verb.forEach(keep)
    words.removeFirst(verb.count)
    // The first operands of some commands are teams: `team rename OLD NEW` has two.
    var teams = commands.teamOperands[verb] ?? 0
    var option: String?
    for word in words {
      if let name = commands.option(word) {
        (option, teams) = (name, 0)
        keep(word)
      } else if let name = option, commands.optionKinds[name] == .team {
        keep(self.word(for: word, .team))
        option = nil
      } else if teams > 0 {
        keep(self.word(for: word, .team))
        teams -= 1
      } else if let pair = commands.setting(word) {
        keep("\(pair.key)=\(isSafe(pair.value, behind: pair.key) ? pair.value : Self.placeholder)")
        option = nil
      } else if word.hasPrefix(Self.reminder) {
        keep(job(word))
      } else {
        let isKept = isSafe(word, behind: option)
        keep(isKept ? word : Self.placeholder)
        if !isKept { option = nil }
      }
    }
    return kept.joined(separator: " ")
  }

  /// The replacement for free text.
  static let placeholder = "…"

  private func isSafe(_ word: String, behind option: String?) -> Bool {
    if commands.vocabulary.contains(word) || safeWords.contains(word) { return true }
    guard let option, commands.takesNumber(option) else { return false }
    return Self.isNumber(word)
  }

  /// True for `7.4`, `84F`, `2026-03-02`, `07:00`; false for a telephone number.
  static func isNumber(_ word: String) -> Bool {
    let bytes = Array(word.utf8)
    let isDigit: (UInt8) -> Bool = { (48...57).contains($0) }
    let digits = bytes.count(where: isDigit)
    let isDate = bytes.count > 9 && bytes[4] == UInt8(ascii: "-") && bytes[7] == UInt8(ascii: "-")
    let isTime = bytes.contains(UInt8(ascii: ":"))
    guard digits > 0, digits < 7 || isDate && digits < 18 || isTime && digits < 10 else { return false }
    let marks = bytes.filter { !isDigit($0) }
    if isDate { return marks.allSatisfy { "-:.TZ+".utf8.contains($0) } }
    let unit = bytes.reversed().prefix { !isDigit($0) }.count
    return unit < 4 && bytes.dropLast(unit).allSatisfy { isDigit($0) || "-:.".utf8.contains($0) }
  }
}

/// The words of audit lines that identify no person: those of the commands, and those that the calls declare.
struct AuditVocabulary {
  private let paths: [[String]]
  private let options: Set<String>
  /// The options whose values are numbers or times in every command.
  private let numericOptions: Set<String>
  /// Words that identify no person.
  let vocabulary: Set<String>
  /// The number of team names directly after a command.
  let teamOperands: [[String]: Int]
  /// The kinds of the options' values; hidden if two calls differ.
  let optionKinds: [String: AuditRedaction.Kind]

  init(_ catalogue: CommandCatalogue) {
    let descriptions = catalogue.descriptions
    paths = descriptions.map(\.path)
    let all = Dictionary(grouping: descriptions.flatMap(\.options), by: \.name)
    options = Set(all.keys)
    let kinds: Set<String> = ["N", "TIME", "DATE", "DAY", "MONTH", "VOLUME", "HH:MM"]
    numericOptions = Set(all.filter { $0.value.allSatisfy { kinds.contains($0.value ?? "") } }.keys)
    var words: Set<String> = [
      "on", "off", "yes", "no", "all", "none", "latest", "now", "default", "en", "es", "fr", "de", "pt-BR",
      "12h",
      "24h", "imperial", "metric", "today", "tomorrow", "yesterday",
    ]
    // The audit texts as their calls declare them (`#@ report: …`).
    let audits = catalogue.interfaces.methods.compactMap { $0.auditRedaction }
    teamOperands = Dictionary(audits.map { ($0.command, $0.teams) }, uniquingKeysWith: min)
    optionKinds = Dictionary(
      audits.flatMap { Array($0.options) }, uniquingKeysWith: { $0 == $1 ? $0 : .hidden })
    for audit in audits { words.formUnion(audit.words) }
    words.formUnion(EntryStateView.allCases.map(\.rawValue) + catalogue.jobs.trades.map(\.rawValue))
    for option in descriptions.flatMap(\.options) {
      if let value = option.value, value.contains("|") { words.formUnion(value.split(separator: "|").map(String.init)) }
    }
    vocabulary = words
  }

  /// The words of the command; for a command that no longer exists, the words that any command has.
  func verb(of words: [String]) -> [String] {
    let whole = paths.filter { words.starts(with: $0) }.max { $0.count < $1.count }
    if let whole { return whole }
    let first = Set(paths.map { $0[0] })
    return words.first.map { first.contains($0) ? [$0] : [] } ?? []
  }

  func option(_ word: String) -> String? {
    guard word.hasPrefix("--") else { return nil }
    let name = String(word.dropFirst(2))
    return options.contains(name) ? name : nil
  }

  func setting(_ word: String) -> (key: String, value: String)? {
    guard let sign = word.firstIndex(of: "=") else { return nil }
    let key = String(word[..<sign])
    return options.contains(key) ? (key, String(word[word.index(after: sign)...])) : nil
  }

  /// True if a call declares the option's value as a number. For other options, such as the key of a setting, the descriptions
  /// of the commands decide.
  func takesNumber(_ option: String) -> Bool {
    optionKinds[option].map { $0 == .number } ?? numericOptions.contains(option)
  }
}
