/// A libpq connection string for PostgreSQL: `key=value` pairs or a URI. libpq interprets the parameters; this type
/// only parses them, to keep passwords out of files, logs and replies.
package struct ConnectionString: Hashable, Sendable {
  /// The reason why a connection string is refused.
  package enum Mistake: Error, Hashable, CustomStringConvertible {
    /// The string contains a password or other secret, in the named parameter.
    case secret(String)
    case noValue(of: String)
    case openQuote
    case empty

    package var description: String {
      switch self {
      case .secret(let word):
        "it cannot hold a password (\(word)), because other people can read the settings. Put it into a passfile (~/.pgpass or "
          + "passfile=PATH), into a service file (service=NAME), or name a systemd credential with Credential ="
      case .noValue(let word):
        "\"\(word)\" has no value; write it as libpq expects it: host=db dbname=poolflow"
      case .openQuote: "a quote is not closed"
      case .empty: "it must be a connection string of libpq, such as service=poolflow"
      }
    }
  }

  package let text: String
  /// The parameters in order; if a name occurs twice, libpq uses the last one.
  private let parameters: [Parameter]

  /// One parameter.
  private struct Parameter: Hashable {
    let name: String
    let value: String
  }

  private static let secrets: Set<String> = ["password", "sslpassword", "oauth_client_secret"]
  private static let schemes = ["postgresql://", "postgres://"]

  package init(_ text: String) throws(Mistake) {
    self.text = text
    parameters =
      if let scheme = Self.schemes.first(where: text.hasPrefix) {
        Self.parameters(ofURI: text.dropFirst(scheme.count))
      } else {
        try Self.parameters(of: text)
      }
    if let secret = parameters.first(where: { Self.secrets.contains($0.name) }) { throw .secret(secret.name) }
    guard !parameters.isEmpty else { throw .empty }
  }

  private var isURI: Bool { Self.schemes.contains(where: text.hasPrefix) }

  /// The value of a parameter; nil if it is absent.
  package subscript(_ name: String) -> String? { parameters.last { $0.name == name }?.value }

  /// The server and database for display, such as `poolflow on db.example.net`.
  package var place: String {
    if let service = self["service"] { return "service \(service)" }
    let place = [self["host"] ?? self["hostaddr"], self["port"].map { ":" + $0 }].compactMap { $0 }.joined()
    return [self["dbname"], place.isEmpty ? nil : place].compactMap { $0 }.joined(separator: " on ")
  }

  /// The string passed to libpq, with the password added. Must stay in memory only.
  package func adding(password: String) -> String {
    guard isURI else {
      let quoted = password.reduce(into: "") { $0 += ["'", "\\"].contains($1) ? "\\\($1)" : "\($1)" }
      return "\(text) password='\(quoted)'"
    }
    let encoded = password.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.count == 1 ? "0" : "") + digits
    }
    return text + (text.contains("?") ? "&" : "?") + "password=" + encoded.joined()
  }

  /// Parses `name = value` pairs separated by white space. A quoted value may contain spaces; a backslash escapes the
  /// next character.
  private static func parameters(of text: String) throws(Mistake) -> [Parameter] {
    var rest = text[...]
    var parameters: [Parameter] = []
    while true {
      rest = rest.drop(while: \.isWhitespace)
      guard !rest.isEmpty else { return parameters }
      let name = rest.prefix { $0 != "=" && !$0.isWhitespace }
      rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
      guard rest.first == "=", !name.isEmpty else { throw .noValue(of: withoutSecret(name)) }
      rest = rest.dropFirst().drop(while: \.isWhitespace)
      let isQuoted = rest.first == "'"
      if isQuoted { rest.removeFirst() }
      var value = ""
      while let letter = rest.first, isQuoted ? letter != "'" : !letter.isWhitespace {
        rest.removeFirst()
        if letter == "\\", let escaped = rest.popFirst() { value.append(escaped) } else { value.append(letter) }
      }
      if isQuoted, rest.popFirst() != "'" { throw .openQuote }
      parameters.append(Parameter(name: name.lowercased(), value: value))
    }
  }

  /// Shortens text without `=` for an error message, because it may be the rest of a password that contains a space.
  private static func withoutSecret(_ word: Substring) -> String { word.count > 16 ? "…" : String(word) }

  /// Parses a URI: `USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?NAME=VALUE&…`
  private static func parameters(ofURI text: Substring) -> [Parameter] {
    var parameters: [Parameter] = []
    func take(_ name: String, _ value: Substring) {
      if !value.isEmpty { parameters.append(Parameter(name: name, value: decoded(value))) }
    }
    var rest = text
    let user = rest.prefix { $0 != "@" && $0 != "/" && $0 != "?" }
    // libpq ends the user part at a slash, but a user may type a password that contains one; it must be recognised as
    // well.
    if rest.dropFirst(user.count).first == "@" || (user.contains(":") && rest.contains("@")) {
      let whole = rest[..<(rest.lastIndex(of: "@") ?? rest.endIndex)]
      let parts = whole.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      take("user", parts[0])
      if parts.count == 2 { take("password", parts[1]) }
      rest = rest.dropFirst(whole.count + 1)
    }
    let hosts = rest.prefix { $0 != "/" && $0 != "?" }
    rest = rest.dropFirst(hosts.count)
    take("host", hosts)
    if rest.first == "/" {
      let name = rest.dropFirst().prefix { $0 != "?" }
      rest = rest.dropFirst(name.count + 1)
      take("dbname", name)
    }
    for pair in rest.dropFirst().split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      take(decoded(parts[0]).lowercased(), parts.count == 2 ? parts[1] : "")
    }
    // A URI without any part is valid: it stands for libpq's defaults.
    return parameters.isEmpty ? [Parameter(name: "dbname", value: "")] : parameters
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(decoded)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
