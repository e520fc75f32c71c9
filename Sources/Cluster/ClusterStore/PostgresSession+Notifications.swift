import CPostgres

/// Notifications that other nodes send.
extension PostgresSession {
  /// The socket to poll for notifications of other nodes; nil without a session.
  var descriptor: Int32? {
    guard let connection else { return nil }
    let descriptor = poolflow_pq_socket(connection)
    return descriptor >= 0 ? descriptor : nil
  }

  /// Payloads of the notifications received since the last call; nil if the session has ended.
  func takeCalls() -> [String]? {
    guard let connection else { return nil }
    var words: [String] = []
    let calls = withUnsafeMutablePointer(to: &words) { list in
      poolflow_pq_take_calls(
        connection,
        { list, words in
          guard let list, let words else { return }
          list.assumingMemoryBound(to: [String].self).pointee.append(String(cString: words))
        }, list)
    }
    guard calls < 0 else { return words }
    noteLostConnection(
      PostgresLogin.line(String(cString: poolflow_pq_error(connection)), otherwise: "the connection broke"))
    return nil
  }
}
