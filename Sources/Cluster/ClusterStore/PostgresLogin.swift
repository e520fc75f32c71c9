import CPostgres
import FlowModel
import FlowStore

/// Connects to a server and interprets a refused connection.
struct PostgresLogin {
  private let server: ServerLocation
  private(set) var place: String

  init(_ server: ServerLocation) {
    self.server = server
    place = server.name
  }

  /// Defaults, which the connection string overrides. With them the loss of a machine is detected within half a minute, before
  /// the service manager's watchdog ends the daemon.
  private var options: [(String, String)] {
    [
      ("connect_timeout", "3"), ("fallback_application_name", server.application), ("keepalives_idle", "10"),
      ("keepalives_interval", "5"), ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
      ("dbname", server.connection), ("client_encoding", "UTF8"),
    ]
  }

  /// - Parameter knowsStore: true if an earlier connection succeeded, so that a refused login counts as temporary.
  /// - Throws: `StoreError.refused`.
  mutating func connect(knowsStore: Bool) throws(StoreError) -> OpaquePointer {
    let made = withCStrings { poolflow_pq_connect($0, $1) }
    guard let made else { throw .refused(by: place, .away("there is no memory for a connection")) }
    place = Self.name(of: made)
    if Int(poolflow_pq_status(made)) == POOLFLOW_PQ_CONNECTION_OK { return made }
    defer { poolflow_pq_finish(made) }
    let said = Self.line(poolflow_pq_error(made).map { String(cString: $0) } ?? "", otherwise: "no server answers")
    let isFull = said.contains("too many") || said.contains("connection slots")
    // libpq reports no code for a refused login; a ping shows whether the server accepts connections at all.
    guard !knowsStore, !isFull, withCStrings({ poolflow_pq_ping($0, $1) }) == 0 else {
      throw .refused(by: place, .away(said))
    }
    let isSession = said.contains("target_session_attrs") || said.contains("read-only")
    throw .refused(by: place, isSession ? .readOnly : .login(said))
  }

  /// Passes the options to `body` as libpq's two arrays of keywords and values.
  private func withCStrings<Value>(
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    let texts = options.flatMap { [$0.0, $0.1] }.map { Array($0.utf8CString) }
    let joined = texts.flatMap { $0 }
    return joined.withUnsafeBufferPointer { bytes in
      var (keywords, values): ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) = ([], [])
      var offset = 0
      for (index, text) in texts.enumerated() {
        let begin = bytes.baseAddress?.advanced(by: offset)
        if index.isMultiple(of: 2) { keywords.append(begin) } else { values.append(begin) }
        offset += text.count
      }
      keywords.append(nil)
      values.append(nil)
      return keywords.withUnsafeBufferPointer { keywords in
        values.withUnsafeBufferPointer { values in
          guard let keywords = keywords.baseAddress, let values = values.baseAddress else { fatalError("no options") }
          return body(keywords, values)
        }
      }
    }
  }

  /// Name of the database and server, for messages.
  private static func name(of connection: OpaquePointer) -> String {
    func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { visible(String(cString: $0)) } ?? "" }
    let host = text(poolflow_pq_host(connection))
    let port = text(poolflow_pq_port(connection))
    return "the PostgreSQL database '\(text(poolflow_pq_database(connection)))'"
      + (host.isEmpty ? "" : " at \(host)\(port.isEmpty ? "" : ":\(port)")")
  }

  /// The text on one line of at most 400 characters, with control characters escaped.
  static func line(_ text: String, otherwise: String) -> String {
    let line = visible(text.split { $0.isNewline || $0 == "\t" }.joined(separator: " "))
    return line.isEmpty ? otherwise : String(line.prefix(400))
  }
}

/// Detects a pooler that gives each transaction another session; session locks and prepared statements are lost there.
enum PostgresPooler {
  /// True if the connection goes through a pooler that shares sessions between clients. Opens a second connection to find out.
  static func isShared(by connection: OpaquePointer, _ login: PostgresLogin) throws(StoreError) -> Bool {
    // A pooler reports its own number as the server process.
    let own = number(connection, "SELECT pg_backend_pid()")
    guard let own, own != Int(poolflow_pq_backend(connection)) else { return false }
    var login = login
    let other = try login.connect(knowsStore: true)
    defer { poolflow_pq_finish(other) }
    // Through a pooler, a second client in a transaction gets the session that the first one does not occupy between
    // statements.
    guard number(other, "BEGIN; SELECT pg_backend_pid()") != own else { return true }
    return number(connection, "SELECT pg_backend_pid()") != own
  }

  private static func number(_ connection: OpaquePointer, _ sql: String) -> Int? {
    guard let answer = poolflow_pq_execute(connection, sql) else { return nil }
    defer { poolflow_pq_clear(answer) }
    guard poolflow_pq_rows(answer) > 0 else { return nil }
    return poolflow_pq_value(answer, 0, 0).flatMap { Int(String(cString: $0)) }
  }
}
