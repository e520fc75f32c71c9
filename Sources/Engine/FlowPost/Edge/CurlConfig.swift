import FlowModel

/// The configuration for `curl --config -`: one option per line, with the value always in double quotes, where only `\` and `"`
/// need escapes.
///
/// curl only warns about an unknown option or an invalid number, so the tests expect an empty stderr.
struct CurlConfig: Sendable {
  private(set) var text = ""

  /// A value with characters that could start another option or header.
  struct InvalidValue: Error {}

  /// Adds an option without a value.
  mutating func flag(_ name: String) { text += "\(name)\n" }

  /// Adds an option with a value.
  ///
  /// - Throws: `InvalidValue` for control characters, which could start another header, and for values of 64 KiB or more.
  mutating func add(_ name: String, _ value: String) throws(InvalidValue) {
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), value.utf8.count < 64 << 10 else { throw InvalidValue() }
    text += "\(name) = \"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"\n"
  }

  private init() {}
  static let empty = CurlConfig()

  /// Builds the configuration for one request.
  ///
  /// - Throws: `InvalidValue`.
  init(_ request: PostRequest, timeout: Duration) throws(InvalidValue) {
    try add("url", request.url)
    for name in ["silent", "show-error", "globoff"] { flag(name) }
    if let envelope = request.envelope {
      try add("proto", "=smtp,smtps")
      try add("mail-from", "<\(envelope.from)>")
      try add("mail-rcpt", "<\(envelope.to)>")
      try add("upload-file", Transfer.bodyPath)
      // The trace shows which command each reply answers.
      flag("verbose")
      if request.demandsTLS { flag("ssl-reqd") }
      if let login = request.login { try add("user", login) }
    } else {
      try add("proto", request.isLocal ? "=http,https" : "=https")
      try add("request", request.method)
      try add("data-binary", "@\(Transfer.bodyPath)")
      // A header that begins with `@` would make curl read a file of headers.
      for header in request.headers {
        guard header.first?.isLetter == true else { throw InvalidValue() }
        try add("header", header)
      }
      try add("header", "Expect:")
      try add("user-agent", "poolflow-post")
    }
    try add("connect-timeout", String(min(10, timeout.components.seconds)))
    try add("max-time", String(timeout.components.seconds))
    try add("noproxy", "*")
    if let authority = request.authority { try add("cacert", authority) }
    try add("output", Transfer.answerPath)
    text +=
      "write-out = \"%{exitcode} %{http_code} %{size_request} %{size_upload} %header{retry-after}\\n\"\n"
  }
}
