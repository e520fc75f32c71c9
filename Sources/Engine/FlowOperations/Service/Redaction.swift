internal import FlowCommandKit
internal import FlowModel

extension PersonalName.Kind {
  static let team = PersonalName.Kind(rawValue: "team")
  static let technician = PersonalName.Kind(rawValue: "technician")
  static let user = PersonalName.Kind(rawValue: "user")
}

/// Replaces names by numbered placeholders, the same name always by the same placeholder.
///
/// Values are redacted before JSON encoding: an encoder escapes quotes, and a name with a quote would not be found.
struct Redaction {
  /// A name to search for, with its placeholder.
  private struct Name {
    let characters: [String]
    let word: String
  }

  /// Placeholders by kind and lower-case name.
  private var words: [String: String] = [:]
  /// The names to search for, keyed by their first word, longer names first.
  private var namesByFirstWord: [String: [Name]] = [:]
  private var known: Set<String> = []
  /// Words allowed in quotations: jobs, sinks, zones.
  private(set) var safeWords: Set<String> = []

  /// The words of the commands in audit lines.
  let commands: AuditVocabulary

  /// - Parameters:
  ///   - catalogue: all commands.
  ///   - names: names and their placeholders.
  init(_ catalogue: CommandCatalogue, _ names: [(String, String)] = []) {
    commands = AuditVocabulary(catalogue)
    for (name, word) in names { learn(name, as: word) }
  }

  /// The placeholder for a name, which is then also replaced in sentences.
  @discardableResult
  mutating func word(for name: String, _ kind: PersonalName.Kind) -> String {
    guard !name.isEmpty else { return name }
    let key = "\(kind.rawValue) \(name.lowercased())"
    if let word = words[key] { return word }
    let word = "\(kind.rawValue)-\(words.count + 1)"
    words[key] = word
    // A one-character name would match in every sentence.
    if name.count > 1 { learn(name, as: word) }
    return word
  }

  private mutating func learn(_ name: String, as word: String) {
    known.insert(word)
    let characters = name.map { $0.lowercased() }
    let firstWord = characters[..<Self.wordEnd(Array(name), 0)].joined()
    var names = namesByFirstWord[firstWord] ?? []
    guard !names.contains(where: { $0.characters == characters }) else { return }
    // Longer names first: one name may be a prefix of another.
    names.insert(
      Name(characters: characters, word: word),
      at: names.firstIndex { $0.characters.count < characters.count } ?? names.count)
    namesByFirstWord[firstWord] = names
  }

  /// Allows a word in quotations unless it is also a known name.
  mutating func addSafeWord(_ word: String) {
    if redacted(word) == word { safeWords.insert(word) }
  }

  /// The job's name; a reminder job is redacted, because users name reminders.
  mutating func job(_ job: String) -> String {
    guard job.hasPrefix(Self.reminder) else { return job }
    if let word = words[job] { return word }
    let word = "\(Self.reminder)\(words.count + 1)"
    words[job] = word
    learn(job, as: word)
    return word
  }

  static let reminder = "reminder-"

  /// A redacted run id such as `20260302T140000Z-reminder-filters-17`, which may end in the store's mark and a person.
  mutating func id(_ id: String) -> String {
    var parts = id.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 3, parts[1] + "-" == Self.reminder else { return id }
    var tail: [String] = []
    if let last = parts.last, PersonKey(last) != nil { tail.insert(parts.removeLast(), at: 0) }
    if let last = parts.last, last.utf8.count == 8, last.allSatisfy(\.isHexDigit) {
      tail.insert(parts.removeLast(), at: 0)
    }
    if let last = parts.last, Int64(last) != nil { tail.insert(parts.removeLast(), at: 0) }
    return ([parts[0], job(parts.dropFirst().joined(separator: "-"))] + tail).joined(separator: "-")
  }

  // MARK: Sentences

  /// A sentence without known names, quotations, home directories, addresses and telephone numbers.
  func sentence(_ text: String) -> String {
    Self.withoutContacts(withoutQuotations(Self.withoutHomes(redacted(text))))
  }

  /// Replaces each known name by its placeholder where it is a whole word, and not part of an option (`--all`) or of a file
  /// extension (`.csv`).
  func redacted(_ text: String) -> String {
    guard !namesByFirstWord.isEmpty else { return text }
    let characters = Array(text)
    let lowercaseCharacters = characters.map { $0.lowercased() }
    var result = ""
    var index = 0
    while index < characters.count {
      var end = Self.wordEnd(characters, index)
      if Self.isOption(characters, index) {
        while end < characters.count, characters[end] == "-" || Self.isInWord(characters[end]) { end += 1 }
      } else if !Self.isFileExtension(characters, index),
        let name = name(at: index, of: lowercaseCharacters, characters)
      {
        result += name.word
        index += name.characters.count
        continue
      }
      result += String(characters[index..<end])
      index = end
    }
    return result
  }

  private func name(at index: Int, of lowercaseCharacters: [String], _ characters: [Character]) -> Name? {
    let firstWord = lowercaseCharacters[index..<Self.wordEnd(characters, index)].joined()
    return namesByFirstWord[firstWord]?.first { name in
      let end = index + name.characters.count
      guard end <= lowercaseCharacters.count, lowercaseCharacters[index..<end].elementsEqual(name.characters) else {
        return false
      }
      return end == lowercaseCharacters.count || !Self.isInWord(characters[end - 1]) || !Self.isInWord(characters[end])
    }
  }

  private static func isInWord(_ character: Character) -> Bool { character.isLetter || character.isNumber }

  /// The end of the word that begins at `index`, or of the single punctuation character there.
  private static func wordEnd(_ characters: [Character], _ index: Int) -> Int {
    guard index < characters.count else { return characters.count }
    var end = index + 1
    guard isInWord(characters[index]) else { return end }
    while end < characters.count, isInWord(characters[end]) { end += 1 }
    return end
  }

  private static func isOption(_ characters: [Character], _ index: Int) -> Bool {
    guard index + 2 < characters.count, characters[index...(index + 1)] == ["-", "-"], characters[index + 2].isLetter
    else {
      return false
    }
    return index == 0 || characters[index - 1] != "-" && !isInWord(characters[index - 1])
  }

  private static func isFileExtension(_ characters: [Character], _ index: Int) -> Bool {
    index > 1 && characters[index - 1] == "." && isInWord(characters[index - 2])
  }

  /// Replaces quotations of typed text; quoted paths and known words remain.
  private func withoutQuotations(_ text: String) -> String {
    guard text.contains("'") else { return text }
    let characters = Array(text)
    var result = ""
    var index = 0
    while index < characters.count {
      let begins = characters[index] == "'" && (index == 0 || !Self.isInWord(characters[index - 1]))
      let close =
        begins
        ? characters.indices[(index + 1)...].first { index in
          characters[index] == "'" && (index + 1 == characters.count || !Self.isInWord(characters[index + 1]))
        } : nil
      guard let close else {
        result.append(characters[index])
        index += 1
        continue
      }
      let quoted = String(characters[(index + 1)..<close])
      let isOurs = quoted.isEmpty || quoted.hasPrefix("/") || known.contains(quoted) || safeWords.contains(quoted)
      result += isOurs ? "'\(quoted)'" : "'…'"
      index = close + 1
    }
    return result
  }

  /// `/home/anna/x` becomes `/home/user/x`.
  static func withoutHomes(_ text: String) -> String {
    let home = "/home/"
    guard text.contains(home) else { return text }
    var parts = text.split(separator: home, omittingEmptySubsequences: false).map(String.init)
    for index in parts.indices.dropFirst() {
      parts[index] = "user" + String(parts[index].drop { !"/' ,;:)".contains($0) })
    }
    return parts.joined(separator: home)
  }

  /// Replaces e-mail addresses and telephone numbers (ten digits or more).
  static func withoutContacts(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.split(separator: " ", omittingEmptySubsequences: false).map { word in
        let trimmed = word.drop { "\"'(<".contains($0) }
        if let at = trimmed.firstIndex(of: "@"), at != trimmed.startIndex, trimmed[at...].contains(".") {
          return "[e-mail]"
        }
        let isDialled = word.allSatisfy { $0.isNumber || "+-().\",".contains($0) }
        let isPhone =
          isDialled && word.filter(\.isNumber).count >= 10 && word.contains { "+-()".contains($0) }
        return isPhone ? "[phone]" : String(word)
      }.joined(separator: " ")
    }.joined(separator: "\n")
  }
}
