/// What of the store's statements a server says otherwise than SQLite.
///
/// The statements are written once, in words that both take; the few that PostgreSQL lacks are put into its own when a statement
/// is prepared, once for each. Where that does not do (a table's shape, a key of a row that has none of its own), the statement
/// asks `Connection.dialect`.
enum Dialect {
  /// A statement of the store in PostgreSQL's words.
  ///
  /// - `?` and `?N` are `$N`, a name before `IS ?` included: `IS NOT DISTINCT FROM` would use no index there
  /// - `max` and `min` of several values are `greatest` and `least`: what can be NULL in them is no argument of the store's
  /// - `lower` and `upper` fold ASCII alone, whatever the database's language
  /// - `LIKE` does not look at case, `GLOB` does
  /// - `CROSS JOIN … ON` and `INDEXED BY` are hints that SQLite alone takes
  static func postgresql(_ sql: String) -> String {
    var reader = SQLWords(sql)
    var placeholders = Placeholders()
    return translate(reader.all(), &placeholders)
  }

  /// Numbers of `?`, as SQLite gives them: one more than the greatest before.
  private struct Placeholders {
    var greatest = 0

    mutating func number(_ word: Substring) -> Int {
      let number = Int(word.dropFirst()) ?? greatest + 1
      greatest = max(greatest, number)
      return number
    }
  }

  private static func translate(_ words: [Substring], _ placeholders: inout Placeholders) -> String {
    var out: [String] = []
    var index = words.startIndex
    func at(_ place: Int) -> String { words.indices.contains(place) ? words[place].uppercased() : "" }
    while index < words.endIndex {
      let word = words[index]
      defer { index += 1 }
      if word.first == "?" {
        out.append("$\(placeholders.number(word))")
        continue
      }
      switch at(index) {
      case "IS" where at(index + 1).first == "?":
        let column = out.popLast() ?? ""
        let parameter = "$\(placeholders.number(words[index + 1]))"
        out.append("(\(column) = \(parameter) OR (\(column) IS NULL AND \(parameter) IS NULL))")
        index += 1
      case "IS" where at(index + 1) == "NOT" && at(index + 2).first == "?":
        out.append("IS DISTINCT FROM")
        index += 1
      case "CROSS" where at(index + 1) == "JOIN": continue
      case "INDEXED" where at(index + 1) == "BY": index += 2
      case "LIKE": out.append("ILIKE")
      case "GLOB":
        out.append("LIKE \(pattern(words[index + 1], &placeholders))")
        index += 1
      case "INSTR" where at(index + 1) == "(": out.append("strpos")
      case "GROUP_CONCAT" where at(index + 1) == "(": out.append("string_agg")
      case "MAX" where at(index + 1) == "(" && arguments(words, from: index + 1) > 1: out.append("greatest")
      case "MIN" where at(index + 1) == "(" && arguments(words, from: index + 1) > 1: out.append("least")
      case "LOWER" where at(index + 1) == "(", "UPPER" where at(index + 1) == "(":
        let end = closing(words, from: index + 1)
        let inner = translate(Array(words[index + 2..<end]), &placeholders)
        out.append("\(word)((\(inner)) COLLATE \"C\")")
        index = end
      default: out.append(String(word))
      }
    }
    return out.joined(separator: " ")
  }

  /// What GLOB takes as a pattern, for LIKE: the store's patterns hold no sets.
  private static func pattern(_ word: Substring, _ placeholders: inout Placeholders) -> String {
    let said = word.first == "?" ? "$\(placeholders.number(word))" : String(word)
    let pairs = [("\\", "\\\\"), ("%", "\\%"), ("_", "\\_"), ("*", "%"), ("?", "_")]
    return pairs.reduce(said) { "replace(\($0), '\($1.0)', '\($1.1)')" }
  }

  /// The place of the parenthesis that closes the one at `start`.
  private static func closing(_ words: [Substring], from start: Int) -> Int {
    var depth = 0
    for place in start..<words.endIndex {
      if words[place] == "(" { depth += 1 }
      if words[place] == ")" { depth -= 1 }
      if depth == 0 { return place }
    }
    return words.endIndex
  }

  private static func arguments(_ words: [Substring], from start: Int) -> Int {
    var depth = 0
    var count = 1
    for word in words[start..<closing(words, from: start)] {
      if word == "(" { depth += 1 }
      if word == ")" { depth -= 1 }
      if word == ",", depth == 1 { count += 1 }
    }
    return count
  }

  /// A question in the server's words, for each of a list of first values: its rows in their order, then the value that each
  /// belongs to.
  static func forEach(_ text: String) -> String {
    var inner = ""
    var rest = text[...]
    while let place = rest.firstRange(of: "$1") {
      let isFirst = rest[place.upperBound...].first?.isNumber != true
      inner += rest[..<place.lowerBound] + (isFirst ? "asked.number" : "$1")
      rest = rest[place.upperBound...]
    }
    inner += rest
    return """
      SELECT answer.*, asked.number FROM unnest($1) WITH ORDINALITY AS asked (number, asked_place)
      CROSS JOIN LATERAL (SELECT answer.*, row_number() OVER () AS answer_place FROM (\(inner)) AS answer) AS answer
      ORDER BY asked.asked_place, answer.answer_place
      """
  }

  // MARK: Tables

  /// Whether a server numbers this column, the key of a table, by itself: the table says no more of it than that it is one.
  static func isIdentity(_ column: String, in sql: String) -> Bool {
    postgresql(schema: sql).contains("\(column) bigint GENERATED")
  }

  /// A step of the schema in PostgreSQL's words.
  ///
  /// Numbers of rows that SQLite gives by itself are an identity; `rowid` is a column where the store asks for it.
  static func postgresql(schema script: String) -> String {
    var reader = SQLWords(script)
    let words = reader.all()
    var out: [String] = []
    var index = words.startIndex
    func at(_ place: Int) -> String { words.indices.contains(place) ? words[place].uppercased() : "" }
    while index < words.endIndex {
      defer { index += 1 }
      switch at(index) {
      case "INTEGER" where at(index + 1) == "PRIMARY" && at(index + 2) == "KEY" && at(index + 3) == "AUTOINCREMENT":
        out.append("bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
        index += 3
      case "INTEGER" where at(index + 1) == "PRIMARY" && at(index + 2) == "KEY" && at(index + 3) == ",":
        out.append("bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY")
        index += 2
      case "INTEGER": out.append("bigint")
      case "REAL": out.append("double precision")
      case "TEXT": out.append("text COLLATE \"C\"")
      case "STRICT":
        if at(index + 1) == ",", at(index + 2) == "WITHOUT" { index += 3 }
      case "HEX" where at(index + 2) == "RANDOMBLOB":
        // hex(randomblob(n)) has two letters a byte, and a UUID begins with eight of chance.
        out.append("left(gen_random_uuid()::text, \(2 * (Int(at(index + 4)) ?? 4)))")
        index += 6
      case "CREATE" where at(index + 1) == "TABLE" && at(index + 3) == "(":
        out += words[index...index + 3].map(String.init)
        if tablesWithRowNumbers.contains(String(words[index + 2])) {
          out.append("rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,")
        }
        index += 3
      default: out.append(String(words[index]))
      }
    }
    return out.joined(separator: " ")
  }

  /// Whose rows the store knows by the number that SQLite gives every row.
  static let tablesWithRowNumbers: Set<String> = ["pools", "service_events", "care_events"]
}

/// Takes a statement apart: names and numbers with their dots, texts in quotes, placeholders, and every other letter by itself.
private struct SQLWords {
  private var rest: Substring

  init(_ sql: String) { rest = sql[...] }

  mutating func all() -> [Substring] {
    var words: [Substring] = []
    while let word = next() { words.append(word) }
    return words
  }

  private mutating func next() -> Substring? {
    rest = rest.drop(while: \.isWhitespace)
    while rest.hasPrefix("--") { rest = rest.drop { $0 != "\n" }.drop(while: \.isWhitespace) }
    guard let first = rest.first else { return nil }
    if first == "'" || first == "\"" { return take(quoted(first)) }
    if first == "?" { return take(1 + rest.dropFirst().prefix(while: \.isWholeNumber).count) }
    if first.isLetter || first.isNumber || first == "_" {
      return take(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }.count)
    }
    for pair in ["::", "||", "<=", ">=", "<>", "!=", "->"] where rest.hasPrefix(pair) { return take(2) }
    return take(1)
  }

  private mutating func take(_ count: Int) -> Substring {
    let word = rest.prefix(count)
    rest = rest.dropFirst(count)
    return word
  }

  /// A quote that is written twice is one of the text.
  private func quoted(_ quote: Character) -> Int {
    var count = 1
    var inner = rest.dropFirst()
    while let letter = inner.popFirst() {
      count += 1
      guard letter == quote else { continue }
      guard inner.first == quote else { break }
      inner.removeFirst()
      count += 1
    }
    return count
  }
}
