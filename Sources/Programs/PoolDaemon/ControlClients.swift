internal import PoolControl
internal import PoolModel
internal import PoolPlatform

/// The connections of the control loop; used on its thread only.
struct Clients {
  private struct Client {
    let socket: UnixSocket
    let caller: Caller
    var channel: ControlChannel
    /// Senders that wait until there is room for more.
    var waiting: [CheckedContinuation<Bool, Never>] = []
    var isBroken = false
    /// The peer has closed while a call is answered: what it sent before (`oneway` calls perhaps) is still done.
    var isGone = false
  }

  private let permission: ControlPermission
  private let events: ControlEvents
  private var clients: [UInt64: Client] = [:]
  /// The connections that the last `interests` asked about, in its order.
  private var polled: [UInt64] = []
  private var lastConnection: UInt64 = 0
  private var stopBy: Duration?
  /// Since when every place was taken by somebody who may keep it; nil while there is one.
  private var fullSince: Duration?
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(permission: ControlPermission, events: ControlEvents) {
    self.permission = permission
    self.events = events
  }

  var isEmpty: Bool { clients.isEmpty }

  func nextDeadline(after now: Duration) -> Duration? {
    let doors = [fullSince.map { $0 + Limits.controlPatience }, nextToGo].compactMap { $0 }.filter { $0 > now }
    return (clients.values.compactMap(\.channel.overdueAt) + [stopBy].compactMap { $0 } + doors).min()
  }

  /// When a slow client's patience is used up, where somebody may need its place.
  private var nextToGo: Duration? {
    guard fullSince != nil else { return nil }
    return clients.values.compactMap(\.channel.owesSince).min().map { $0 + Limits.controlPatience }
  }

  /// True where who knocks should be let in: there is a place, one can be made, or none came free for so long that it
  /// is kinder to say so. Until then the kernel keeps them in the order of their coming.
  mutating func opensDoor(at now: Duration) -> Bool {
    if clients.count < Limits.controlClients || leastWorthy(at: now) != nil {
      fullSince = nil
      return true
    }
    let since = fullSince ?? now
    fullSince = since
    return now - since >= Limits.controlPatience
  }

  /// What to wait for; remembers the order for `serve`.
  var interests: [SocketPoller.Interest] {
    mutating get {
      // A peer that is gone would end every wait at once; it is looked at again after its answer.
      polled = clients.filter { !($0.value.isGone && $0.value.channel.isAnswering) }.keys.sorted()
      return polled.compactMap { key in
        clients[key].map {
          SocketPoller.Interest($0.socket, reading: $0.channel.wantsInput, writing: $0.channel.wantsOutput)
        }
      }
    }
  }

  // MARK: Arrival

  /// Accepts who waits. False when the machine has no descriptor left.
  mutating func accept(from listener: UnixSocketListener, at now: Duration) throws(SocketError) -> Bool {
    // Bounded, so that a flood of connections cannot hold back the clients that are here.
    for _ in 0..<Limits.controlClients where opensDoor(at: now) {
      switch try listener.accept() {
      case .nobody: return true
      case .exhausted: return false
      case .connection(let socket): admit(socket, at: now)
      }
    }
    return true
  }

  private mutating func admit(_ socket: UnixSocket, at now: Duration) {
    // A peer whose credentials cannot be read is nobody that we may serve.
    guard let peer = try? PeerCredentials(of: socket), permission.admits(peer) else {
      let group = ControlPermission.groupName
      let sentence = "only root, the daemon's own user and members of the group \(group) may use this socket"
      return turnAway(socket, ControlError(.notPermitted, sentence))
    }
    if clients.count >= Limits.controlClients, let key = leastWorthy(at: now) { remove(key) }
    guard clients.count < Limits.controlClients else {
      let sentence = "\(Limits.controlClients) clients are connected already; try again in a moment"
      return turnAway(socket, ControlError(.busy, sentence))
    }
    lastConnection += 1
    let caller = Caller(
      uid: peer.uid, gid: peer.gid, pid: peer.pid, connection: lastConnection)
    clients[lastConnection] = Client(socket: socket, caller: caller, channel: ControlChannel(at: now))
  }

  /// Says why and closes, before a byte of the peer is read.
  private func turnAway(_ socket: UnixSocket, _ error: ControlError) {
    // A new socket has room for a sentence; if not, the peer sees the end of the connection.
    _ = try? socket.send((Envelope.error(error) + [0])[...])
  }

  /// Whoever has owed bytes for longest, else whoever has been here for long without asking anything.
  private func leastWorthy(at now: Duration) -> UInt64? {
    let slow = clients.compactMap { key, client in
      client.channel.owesSince.flatMap { now - $0 > Limits.controlPatience ? (key: key, since: $0) : nil }
    }
    if let slowest = slow.min(by: { $0.since < $1.since }) { return slowest.key }
    let idle = clients.filter { $0.value.channel.isIdle && now - $0.value.channel.lastActive > Limits.controlDeadline }
    return idle.min { $0.value.channel.lastActive < $1.value.channel.lastActive }?.key
  }

  // MARK: Work

  /// Reads and writes what the last wait found ready.
  mutating func serve(_ ready: ArraySlice<SocketPoller.Readiness>, at now: Duration) {
    for (key, readiness) in zip(polled, ready) {
      guard var client = clients[key] else { continue }
      if readiness.readable { read(&client, at: now) }
      if readiness.writable { write(&client, at: now) }
      if readiness.hungUp, !readiness.readable {
        if !client.isGone, client.channel.isAnswering { events.yield(.hungUp(client.caller)) }
        client.isGone = true
        client.isBroken = client.isBroken || !client.channel.isAnswering
      }
      clients[key] = client
    }
  }

  private mutating func read(_ client: inout Client, at now: Duration) {
    do {
      switch try client.socket.receive(into: &buffer) {
      case .bytes(let count): client.channel.received(buffer[..<count], at: now)
      case .end: client.channel.inputDidEnd()
      case .later: break
      }
    } catch {
      client.isBroken = true
    }
  }

  private func write(_ client: inout Client, at now: Duration) {
    do {
      let count = try client.socket.send(client.channel.pendingOutput)
      if count > 0 { client.channel.wrote(count, at: now) }
    } catch {
      client.isBroken = true
    }
  }

  mutating func answer(
    _ frame: [UInt8]?, to key: UInt64, last: Bool, taken: CheckedContinuation<Bool, Never>, at now: Duration
  ) {
    guard var client = clients[key] else { return taken.resume(returning: false) }
    client.channel.answer(frame, last: last, at: now)
    // Most answers fit at once; what does not waits for the poll.
    if client.channel.wantsOutput { write(&client, at: now) }
    client.waiting.append(taken)
    clients[key] = client
  }

  /// Hands out calls, lets senders go on, closes who is done, gone or overdue.
  mutating func tidy(at now: Duration) {
    for key in clients.keys.sorted() {
      guard var client = clients[key] else { continue }
      if let frame = client.channel.nextCall(at: now) { events.yield(.call(frame: frame, client.caller)) }
      if client.channel.pendingOutput.count <= Limits.controlBacklogBytes {
        for waiting in client.waiting { waiting.resume(returning: true) }
        client.waiting = []
      }
      clients[key] = client
      let isOverdue = client.channel.overdueAt.map { $0 <= now } ?? false
      let isTooLate = stopBy.map { $0 <= now } ?? false
      if client.isBroken || client.channel.isFinished || isOverdue || isTooLate { remove(key) }
    }
  }

  // MARK: End

  /// Takes no further call; those under way have a moment to end.
  mutating func beginStop(at now: Duration) {
    stopBy = now + Limits.controlStopGrace
    for key in clients.keys { clients[key]?.channel.close() }
  }

  mutating func closeAll() {
    for key in clients.keys.sorted() { remove(key) }
  }

  private mutating func remove(_ key: UInt64) {
    guard let client = clients.removeValue(forKey: key) else { return }
    for waiting in client.waiting { waiting.resume(returning: false) }
    events.yield(.ended(client.caller))
  }
}
