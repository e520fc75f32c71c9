/// Translates the store's SQL for PostgreSQL.
///
/// Statements are written once, in SQL that both engines accept. Constructs that PostgreSQL lacks are replaced when a
/// statement is prepared. Statements that need more (row ids, a table's schema) are written separately for each engine.
///
/// Why text, and not statements as values with named parts for each engine:
///
/// - Nearly all differences are placeholders: of the 342 statements of the store and the trades 287 have one, and 40 use another
///   construct of the list below. As values, all of these would be in pieces for the sake of the 40.
/// - A statement in the source can be pasted into `sqlite3` as it is, and a search for a column finds every use.
/// - The replaced constructs are a closed list. Each is recognised by whole tokens outside quoted texts and comments, and everything
///   else is passed on as written, so a construct that is missing here is an error of the server and never another meaning.
/// - Every statement reaches the server through `PostgresQuery`, which calls `postgresql(_:)` once and keeps the prepared result.
///   `StatementTests` compiles every statement of the sources on either engine and requires a row of each SELECT, and the store's
///   suites require equal answers; `.ci/run` runs them on a PostgreSQL server.
enum Dialect {
  /// Translates a statement:
  ///
  /// - `?` and `?N` become `$N`; `IS ?` becomes a comparison that can use an index, unlike `IS NOT DISTINCT FROM`
  /// - `max` and `min` of several values become `greatest` and `least`; the store never passes NULL to them
  /// - `lower` and `upper` fold only ASCII, whatever the database's locale
  /// - `LIKE` ignores case, `GLOB` does not
  /// - `CROSS JOIN … ON` and `INDEXED BY` are hints for SQLite only and are removed
  static func postgresql(_ sql: String) -> String {
    var reader = SQLTokenizer(sql)
    var placeholders = Placeholders()
    return translate(reader.all(), &placeholders)
  }

  /// Numbers of placeholders. A plain `?` gets one more than the highest number so far, as in SQLite.
  private struct Placeholders {
    var greatest = 0

    mutating func number(_ token: Substring) -> Int {
      let number = Int(token.dropFirst()) ?? greatest + 1
      greatest = max(greatest, number)
      return number
    }
  }

  /// Translates the tokens of a statement.
  private static func translate(_ tokens: [Substring], _ placeholders: inout Placeholders) -> String {
    var out: [String] = []
    var index = tokens.startIndex
    func at(_ place: Int) -> String { tokens.indices.contains(place) ? tokens[place].uppercased() : "" }
    while index < tokens.endIndex {
      let token = tokens[index]
      defer { index += 1 }
      if token.first == "?" {
        out.append("$\(placeholders.number(token))")
        continue
      }
      switch at(index) {
      case "IS" where at(index + 1).first == "?":
        let column = out.popLast() ?? ""
        let parameter = "$\(placeholders.number(tokens[index + 1]))"
        out.append("(\(column) = \(parameter) OR (\(column) IS NULL AND \(parameter) IS NULL))")
        index += 1
      case "IS" where at(index + 1) == "NOT" && at(index + 2).first == "?":
        out.append("IS DISTINCT FROM")
        index += 1
      case "CROSS" where at(index + 1) == "JOIN": continue
      case "INDEXED" where at(index + 1) == "BY": index += 2
      case "LIKE": out.append("ILIKE")
      case "GLOB":
        out.append("LIKE \(pattern(tokens[index + 1], &placeholders))")
        index += 1
      case "INSTR" where at(index + 1) == "(": out.append("strpos")
      case "GROUP_CONCAT" where at(index + 1) == "(": out.append("string_agg")
      case "MAX" where at(index + 1) == "(" && arguments(tokens, from: index + 1) > 1: out.append("greatest")
      case "MIN" where at(index + 1) == "(" && arguments(tokens, from: index + 1) > 1: out.append("least")
      case "LOWER" where at(index + 1) == "(", "UPPER" where at(index + 1) == "(":
        let end = closing(tokens, from: index + 1)
        let inner = translate(Array(tokens[index + 2..<end]), &placeholders)
        out.append("\(token)((\(inner)) COLLATE \"C\")")
        index = end
      default: out.append(String(token))
      }
    }
    return out.joined(separator: " ")
  }

  /// Converts a GLOB pattern into a LIKE pattern; the store's patterns contain no character sets.
  private static func pattern(_ token: Substring, _ placeholders: inout Placeholders) -> String {
    let operand = token.first == "?" ? "$\(placeholders.number(token))" : String(token)
    let pairs = [("\\", "\\\\"), ("%", "\\%"), ("_", "\\_"), ("*", "%"), ("?", "_")]
    return pairs.reduce(operand) { "replace(\($0), '\($1.0)', '\($1.1)')" }
  }

  /// The index of the parenthesis that closes the one at `start`.
  private static func closing(_ tokens: [Substring], from start: Int) -> Int {
    var depth = 0
    for place in start..<tokens.endIndex {
      if tokens[place] == "(" { depth += 1 }
      if tokens[place] == ")" { depth -= 1 }
      if depth == 0 { return place }
    }
    return tokens.endIndex
  }

  /// The number of arguments in the parentheses that open at `start`.
  private static func arguments(_ tokens: [Substring], from start: Int) -> Int {
    var depth = 0
    var count = 1
    for token in tokens[start..<closing(tokens, from: start)] {
      if token == "(" { depth += 1 }
      if token == ")" { depth -= 1 }
      if token == ",", depth == 1 { count += 1 }
    }
    return count
  }

  /// The batched form of a query: takes a list of first values and returns the rows of each in order, with that value as the
  /// last column.
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

  /// True if the server generates this key column's numbers.
  static func isIdentity(_ column: String, in sql: String) -> Bool {
    postgresql(schema: sql).contains("\(column) bigint GENERATED")
  }

  /// Translates a migration.
  ///
  /// Row numbers that SQLite generates become identity columns; tables whose `rowid` the store reads get a `rowid` column.
  static func postgresql(schema script: String) -> String {
    var reader = SQLTokenizer(script)
    let tokens = reader.all()
    var out: [String] = []
    var index = tokens.startIndex
    func at(_ place: Int) -> String { tokens.indices.contains(place) ? tokens[place].uppercased() : "" }
    while index < tokens.endIndex {
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
        // `hex(randomblob(n))` has two digits per byte; the first eight digits of a UUID are random.
        out.append("left(gen_random_uuid()::text, \(2 * (Int(at(index + 4)) ?? 4)))")
        index += 6
      case "CREATE" where at(index + 1) == "TABLE" && at(index + 3) == "(":
        out += tokens[index...index + 3].map(String.init)
        if tablesWithRowNumbers.contains(String(tokens[index + 2])) {
          out.append("rowid bigint GENERATED BY DEFAULT AS IDENTITY UNIQUE,")
        }
        index += 3
      default: out.append(String(tokens[index]))
      }
    }
    return out.joined(separator: " ")
  }

  /// Tables whose rows the store identifies by SQLite's `rowid`.
  static let tablesWithRowNumbers: Set<String> = ["pools", "service_events", "care_events"]
}

/// Splits a statement into tokens: names and numbers with their dots, quoted texts, placeholders, operators, and single
/// characters.
private struct SQLTokenizer {
  private var rest: Substring

  init(_ sql: String) { rest = sql[...] }

  mutating func all() -> [Substring] {
    var tokens: [Substring] = []
    while let token = next() { tokens.append(token) }
    return tokens
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
    let token = rest.prefix(count)
    rest = rest.dropFirst(count)
    return token
  }

  /// Length of the quoted text; a doubled quote belongs to the text.
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
