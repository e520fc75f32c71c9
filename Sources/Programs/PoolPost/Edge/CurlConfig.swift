import PoolModel

/// What `curl --config -` reads: a line each, always in double quotes, in which four signs alone mean something.
///
/// An option that curl does not know, or a number that is none, is only a warning to it: the tests ask for an empty stderr.
struct CurlConfig: Sendable {
  private(set) var text = ""

  /// A text that could begin another line or another header.
  struct Unfit: Error {}

  mutating func flag(_ name: String) { text += "\(name)\n" }

  /// - Throws: `Unfit` for control characters, which could make a second header of one.
  mutating func add(_ name: String, _ value: String) throws(Unfit) {
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), value.utf8.count < 64 << 10 else { throw Unfit() }
    text += "\(name) = \"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\"\n"
  }

  private init() {}
  static let empty = CurlConfig()

  /// - Throws: `Unfit`.
  init(_ request: PostRequest, timeout: Duration) throws(Unfit) {
    try add("url", request.url)
    for name in ["silent", "show-error", "globoff"] { flag(name) }
    if let envelope = request.envelope {
      try add("proto", "=smtp,smtps")
      try add("mail-from", "<\(envelope.from)>")
      try add("mail-rcpt", "<\(envelope.to)>")
      try add("upload-file", Transfer.bodyPath)
      // Its trace says which command a reply answers.
      flag("verbose")
      if request.demandsTLS { flag("ssl-reqd") }
      if let login = request.login { try add("user", login) }
    } else {
      try add("proto", request.isLocal ? "=http,https" : "=https")
      try add("request", request.method)
      try add("data-binary", "@\(Transfer.bodyPath)")
      // One that begins with @ would be a file of headers.
      for header in request.headers {
        guard header.first?.isLetter == true else { throw Unfit() }
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
