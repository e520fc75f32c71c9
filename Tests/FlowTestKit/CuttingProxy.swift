import FlowPlatform
import Foundation
import Glibc
import Synchronization

/// A socket between a program and its PostgreSQL server that cuts connections where the test says: around a COMMIT, whose
/// outcome the sender then does not know.
///
/// It parses only as much of the protocol as needed: message boundaries, and which client messages are a COMMIT, in plain text
/// or as a prepared statement. It does not support TLS, which is not used over a local socket.
package final class CuttingProxy: Sendable {
  package enum Cut: CaseIterable, Sendable {
    /// The COMMIT never reaches the server.
    case before
    /// The COMMIT is forwarded and both ends are cut at once, whatever the server does with it.
    case passed
    /// The server has answered the COMMIT and the answer is dropped.
    case answered
  }

  /// The folder of the proxy's socket: `host` in a connection string.
  package let socketFolder: String
  private let target: String
  private let listener: Int32
  private let state = Mutex(State())

  private struct State {
    var cut: Cut?
    var commitsToPass = 0
    var cuts = 0
    var commits = 0
    var goesAway = false
    var held: HeldCommit?
    var isClosed = false
    var isAway = false
    var connections: [Int32: Int32] = [:]
  }

  /// - Parameter port: the port number in the name of the server's socket, and of the proxy's own.
  package init(to serverFolder: String, port: Int = 5432, in folder: String) throws {
    socketFolder = folder
    target = "\(serverFolder)/.s.PGSQL.\(port)"
    mkdir(folder, 0o711)
    listener = try Self.listen(at: "\(folder)/.s.PGSQL.\(port)")
    let listener = listener
    try SystemThread.start { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        if client < 0, errno == EINTR { continue }
        guard client >= 0, let self else {
          if client >= 0 { close(client) }
          break
        }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        self.take(client)
      }
      close(listener)
    }
  }

  deinit {
    state.withLock { $0.isClosed = true }
    // Wakes the thread in `accept`.
    shutdown(listener, Int32(SHUT_RDWR))
    dropAll()
  }

  /// Cuts the next COMMIT, or a later one.
  ///
  /// - Parameter goesAway: true to block all connections from then on until `comeBack()`.
  package func cut(_ cut: Cut, afterCommits count: Int = 0, goesAway: Bool = false) {
    state.withLock { ($0.cut, $0.commitsToPass, $0.goesAway) = (cut, count, goesAway) }
  }

  /// Holds the next COMMIT, or a later one, until the test releases it.
  package func hold(afterCommits count: Int = 0) -> HeldCommit {
    let held = HeldCommit()
    state.withLock { ($0.held, $0.commitsToPass) = (held, count) }
    return held
  }

  /// Cancels planned cuts and holds.
  package func forgetCuts() { state.withLock { ($0.cut, $0.held) = (nil, nil) } }

  /// The number of cuts so far.
  package var cuts: Int { state.withLock { $0.cuts } }
  /// The number of COMMITs seen, including those that were cut.
  package var commits: Int { state.withLock { $0.commits } }

  /// Cuts all connections and accepts none until `comeBack()`, as if the network were down.
  package func goAway() {
    state.withLock { $0.isAway = true }
    dropAll()
  }

  package func comeBack() { state.withLock { $0.isAway = false } }

  package func dropAll() {
    state.withLock { state in
      // The reading threads close the descriptors.
      for (client, server) in state.connections { for end in [client, server] { shutdown(end, Int32(SHUT_RDWR)) } }
    }
  }

  // MARK: One connection

  private func take(_ client: Int32) {
    guard state.withLock({ !$0.isClosed && !$0.isAway }), let server = Self.connect(to: target) else {
      close(client)
      return
    }
    state.withLock { $0.connections[client] = server }
    let pair = Pair(client: client, server: server)
    do {
      try SystemThread.start { self.passOn(from: pair) }
      try SystemThread.start { self.passBack(to: pair) }
    } catch {
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }
  }

  private final class Pair: Sendable {
    let client: Int32
    let server: Int32
    let swallows = Mutex(false)
    /// Both directions must have ended before the descriptor numbers can be reused.
    private let open = Mutex(2)

    init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

    func end() { for end in [client, server] { shutdown(end, Int32(SHUT_RDWR)) } }

    /// - Returns: true if this was the second direction.
    func hasEnded() -> Bool {
      open.withLock { left in
        left -= 1
        return left == 0
      }
    }
  }

  private func leave(_ pair: Pair) {
    guard pair.hasEnded() else { return }
    state.withLock { _ = $0.connections.removeValue(forKey: pair.client) }
    close(pair.client)
    close(pair.server)
  }

  private func passOn(from pair: Pair) {
    var reader = FrontendReader()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    reading: while true {
      let count = read(pair.client, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      // Process messages one by one: those before a COMMIT in the same buffer are always forwarded.
      for message in reader.take(buffer[..<count]) {
        let (cut, held) = message.isCommit ? decide() : (nil, nil)
        held?.keep()
        switch cut {
        case nil:
          guard Self.send(message.bytes, to: pair.server) else { break reading }
        case .before: break reading
        case .passed:
          _ = Self.send(message.bytes + Self.sync(after: message), to: pair.server)
          break reading
        case .answered:
          pair.swallows.withLock { $0 = true }
          guard Self.send(message.bytes + Self.sync(after: message), to: pair.server) else { break reading }
          // The end of the other direction closes the connection.
          leave(pair)
          return
        }
      }
    }
    pair.end()
    leave(pair)
  }

  private func passBack(to pair: Pair) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(pair.server, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      if pair.swallows.withLock({ $0 }) {
        // In a pipeline, an earlier reply may come first; the last one ends in ReadyForQuery.
        if Self.endsInReady(buffer[..<count]) { break }
        continue
      }
      guard Self.send(Array(buffer[..<count]), to: pair.client) else { break }
    }
    pair.end()
    leave(pair)
  }

  private func decide() -> (Cut?, HeldCommit?) {
    state.withLock { state in
      state.commits += 1
      guard state.cut != nil || state.held != nil else { return (nil, nil) }
      if state.commitsToPass > 0 {
        state.commitsToPass -= 1
        return (nil, nil)
      }
      defer { (state.cut, state.held) = (nil, nil) }
      if state.cut != nil {
        state.cuts += 1
        if state.goesAway { state.isAway = true }
      }
      return (state.cut, state.held)
    }
  }

  /// The server executes an Execute message at once, but commits and answers at the following Sync.
  private static func sync(after message: FrontendReader.Message) -> [UInt8] {
    message.bytes.first == UInt8(ascii: "E") ? [UInt8(ascii: "S"), 0, 0, 0, 4] : []
  }

  /// ReadyForQuery: `Z`, four bytes of length, one state byte, `I` after a COMMIT.
  private static func endsInReady(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.suffix(6).elementsEqual([UInt8(ascii: "Z"), 0, 0, 0, 5, UInt8(ascii: "I")])
  }

  // MARK: Sockets

  private static func send(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  private static func address(_ path: String) -> sockaddr_un {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return address
  }

  private static func connect(to path: String) -> Int32? {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = address(path)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if code == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  private static func listen(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = address(path)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0, Glibc.listen(descriptor, 64) == 0 else {
      throw SystemFailure("cannot listen at '\(path)'")
    }
    return descriptor
  }
}

/// Finds the boundaries of a client's messages and the messages that commit.
struct FrontendReader {
  struct Message {
    let bytes: [UInt8]
    let isCommit: Bool
  }

  private var rest: [UInt8] = []
  private var hasStarted = false
  /// Prepared statements that are a COMMIT, and their portals.
  private var statements: Set<[UInt8]> = []
  private var portals: Set<[UInt8]> = []

  mutating func take(_ bytes: ArraySlice<UInt8>) -> [Message] {
    rest += bytes
    var messages: [Message] = []
    var begin = 0
    while let length = length(at: begin) {
      let message = Array(rest[begin..<begin + length])
      messages.append(Message(bytes: message, isCommit: hasStarted && isCommit(message)))
      hasStarted = true
      begin += length
    }
    rest.removeFirst(begin)
    return messages
  }

  /// The first message has no type byte.
  private func length(at begin: Int) -> Int? {
    let head = begin + (hasStarted ? 1 : 0)
    guard rest.count >= head + 4 else { return nil }
    let length = rest[head..<head + 4].reduce(0) { $0 << 8 | Int($1) } + (hasStarted ? 1 : 0)
    return length >= 4 && rest.count >= begin + length ? length : nil
  }

  private mutating func isCommit(_ message: [UInt8]) -> Bool {
    let texts = message.dropFirst(5).split(separator: 0, omittingEmptySubsequences: false)
    func says(_ index: Int) -> Bool {
      guard texts.indices.contains(index) else { return false }
      return String(decoding: texts[index], as: UTF8.self).uppercased().split(separator: ";").contains { command in
        let first = command.split { !$0.isLetter && $0 != "_" }.first
        return first == "COMMIT" || first == "END"
      }
    }
    switch message[0] {
    case UInt8(ascii: "Q"): return says(0)
    case UInt8(ascii: "P") where texts.count >= 2:
      if says(1) { statements.insert(Array(texts[0])) } else { statements.remove(Array(texts[0])) }
      return false
    case UInt8(ascii: "B") where texts.count >= 2:
      if statements.contains(Array(texts[1])) {
        portals.insert(Array(texts[0]))
      } else {
        portals.remove(Array(texts[0]))
      }
      return false
    case UInt8(ascii: "E") where !texts.isEmpty: return portals.contains(Array(texts[0]))
    default: return false
    }
  }
}
