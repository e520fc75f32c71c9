import FlowControl
import FlowModel
import FlowPlatform

/// The connections of the control loop. Used on the loop's thread only.
struct Clients {
  /// A connection: its socket, its protocol state and the senders that wait for it.
  private struct Client {
    let socket: UnixSocket
    let caller: Caller
    var channel: ControlChannel
    /// Senders that wait until the output buffer has space.
    var waiting: [CheckedContinuation<Bool, Never>] = []
    var isBroken = false
  }

  /// An accepted peer that waits for a free connection slot.
  private struct Arrival {
    let socket: UnixSocket
    let peer: PeerCredentials
    let since: Duration
  }

  private let permission: ControlPermission
  private let events: ControlEvents
  private let gate: CallGate
  private var shares: ConnectionLimiter
  /// Oldest first.
  private var arrivals: [Arrival] = []
  private var clients: [UInt64: Client] = [:]
  /// The connections that the last `interests` asked about, in its order.
  private var polled: [UInt64] = []
  private var lastConnection: UInt64 = 0
  private var stopBy: Duration?
  /// Start of the last poll. Slow peers are judged by this time, so that time in which the loop did not poll does not count
  /// against them.
  private var pollStarted: Duration = .zero
  /// Since when no waiting peer could be admitted; nil while no peer waits.
  private var fullSince: Duration?
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(permission: ControlPermission, events: ControlEvents, gate: CallGate) {
    self.permission = permission
    self.events = events
    self.gate = gate
    shares = ConnectionLimiter(ownUID: permission.ownUID)
  }

  var isEmpty: Bool { clients.isEmpty }

  var nextDeadline: Duration? {
    var times = clients.values.compactMap(\.channel.overdueAt) + [stopBy, gate.nextDeadline].compactMap { $0 }
    if let fullSince {
      let slow = clients.values.compactMap(\.channel.peerLateSince).min()
      times += [fullSince, slow].compactMap { $0.map { $0 + Limits.idleClientPatience } }.filter { $0 > pollStarted }
    }
    times += gate.connectionsHoldingBudget.compactMap { clients[$0]?.channel.memoryDeadline }
    return times.min()
  }

  /// True while the list of waiting peers has space. Other peers wait in the kernel's accept queue.
  var canAccept: Bool { arrivals.count < Limits.queuedConnections }

  /// The sockets to poll; remembers their order for `serve`.
  var interests: [SocketPoller.Interest] {
    mutating get {
      // The socket of a closed peer would end every poll at once; it is polled again after its answer.
      polled = clients.filter { !($0.value.channel.isGone && $0.value.channel.isAnswering) }.keys.sorted()
      return polled.compactMap { key in
        clients[key].map {
          SocketPoller.Interest($0.socket, reading: $0.channel.wantsInput, writing: $0.channel.wantsOutput)
        }
      }
    }
  }

  // MARK: Arrival

  /// Accepts waiting connections.
  ///
  /// - Returns: false if the process or machine has no descriptor left.
  mutating func accept(from listener: UnixSocketListener, at now: Duration) throws(SocketError) -> Bool {
    while canAccept {
      switch try listener.accept() {
      case .noClient: return true
      case .exhausted: return false
      case .connection(let socket): receive(socket, at: now)
      }
    }
    return true
  }

  /// Queues an accepted peer, or turns it away if it may not use the socket.
  private mutating func receive(_ socket: UnixSocket, at now: Duration) {
    // Refuse a peer whose credentials cannot be read.
    guard let peer = try? PeerCredentials(of: socket), permission.admits(peer) else {
      let group = ControlPermission.groupName
      let sentence = "only root, the daemon's own user and members of the group \(group) may use this socket"
      return turnAway(socket, ControlError(.notPermitted, sentence))
    }
    arrivals.append(Arrival(socket: socket, peer: peer, since: now))
  }

  /// Admits waiting peers for whom a connection slot is free, or can be freed by closing the connection that `connectionToClose`
  /// names. Turns away peers that have waited for `Limits.idleClientPatience` while no slot became free.
  private mutating func admit(at now: Duration) {
    let pollTime = pollStarted
    guard !arrivals.isEmpty else { return }
    var rest: [Arrival] = []
    for arrival in arrivals {
      if let obstacle = shares.obstacle(to: arrival.peer.uid) {
        guard let key = connectionToClose(against: obstacle, for: arrival.peer.uid, at: pollTime) else {
          rest.append(arrival)
          continue
        }
        remove(key)
      }
      openConnection(arrival, at: now)
      fullSince = nil
    }
    arrivals = rest
    guard !rest.isEmpty else {
      fullSince = nil
      return
    }
    let since = fullSince ?? now
    fullSince = since
    guard pollTime - since >= Limits.idleClientPatience else { return }
    let stillWaiting = rest.filter { pollTime - $0.since < Limits.idleClientPatience }
    for arrival in rest where pollTime - arrival.since >= Limits.idleClientPatience {
      let what =
        shares.obstacle(to: arrival.peer.uid) == .userLimit
        ? "user \(arrival.peer.uid) has \(Limits.controlClientsPerUser) connections open, the most that one user may have"
        : "\(Limits.controlClients) clients are connected already"
      turnAway(arrival.socket, ControlError(.busy, what + "; try again in a moment"))
    }
    arrivals = stillWaiting
    // The remaining peers have not waited long enough yet.
    fullSince = arrivals.map(\.since).min()
  }

  /// Opens a connection for an accepted socket.
  private mutating func openConnection(_ arrival: Arrival, at now: Duration) {
    lastConnection += 1
    let peer = arrival.peer
    let caller = Caller(uid: peer.uid, gid: peer.gid, pid: peer.pid, connection: lastConnection)
    clients[lastConnection] = Client(socket: arrival.socket, caller: caller, channel: ControlChannel(at: now))
    shares.join(lastConnection, uid: peer.uid)
    gate.connectionOpened(lastConnection)
  }

  /// Sends the reason and closes, without reading a byte from the peer.
  private func turnAway(_ socket: UnixSocket, _ error: ControlError) {
    // A new socket's buffer has space for one sentence; otherwise the peer only sees the connection close.
    _ = try? socket.send((Envelope.error(error) + [0])[...])
  }

  /// The connection to close so that a waiting peer fits in: first one whose peer has gone and left only oneway calls, then the
  /// one that has stalled longest, then one that has long been idle. Nil if none qualifies.
  private func connectionToClose(
    against obstacle: ConnectionLimiter.Obstacle, for uid: UInt32, at now: Duration
  ) -> UInt64? {
    let candidates = clients.filter { shares.wouldRemove($0.key, against: obstacle, for: uid) }
    if let gone = candidates.first(where: { $0.value.channel.isGone }) { return gone.key }
    let slow = candidates.compactMap { key, client in
      client.channel.peerLateSince.flatMap { now - $0 > Limits.idleClientPatience ? (key: key, since: $0) : nil }
    }
    if let slowest = slow.min(by: { $0.since < $1.since }) { return slowest.key }
    let idle = candidates.filter {
      $0.value.channel.isIdle && now - $0.value.channel.lastActive > Limits.controlDeadline
    }
    return idle.min { $0.value.channel.lastActive < $1.value.channel.lastActive }?.key
  }

  // MARK: Work

  /// Reads and writes the sockets that the last poll found ready.
  ///
  /// - Parameter began: start of that poll. Peers are judged late by this time, since data that came after it is not read yet.
  mutating func serve(_ ready: ArraySlice<SocketPoller.Readiness>, since began: Duration, at now: Duration) {
    pollStarted = began
    for (key, readiness) in zip(polled, ready) {
      // Removed from the dictionary while it changes: otherwise every piece of a long call would copy all earlier pieces.
      guard var client = clients.removeValue(forKey: key) else { continue }
      if readiness.readable { read(&client, at: now) }
      if readiness.writable { write(&client, at: now) }
      if readiness.hungUp {
        if !client.channel.isGone {
          if client.channel.isAnswering { events.yield(.hungUp(client.caller)) }
          client.channel.peerDidDisconnect()
          gate.peerClosed(key)
        }
        // Not broken yet while input that the peer sent before closing is still to be read.
        client.isBroken = client.isBroken || (!readiness.readable && !client.channel.isAnswering)
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

  /// Queues an answer for a connection and writes as much as fits; `taken` resumes with false if the connection has gone.
  mutating func answer(
    _ frame: [UInt8]?, to key: UInt64, last: Bool, taken: CheckedContinuation<Bool, Never>, at now: Duration
  ) {
    guard var client = clients.removeValue(forKey: key) else { return taken.resume(returning: false) }
    client.channel.answer(frame, last: last, at: now)
    // Most answers fit into the socket at once; the rest waits for the poll.
    if client.channel.wantsOutput { write(&client, at: now) }
    client.waiting.append(taken)
    clients[key] = client
  }

  /// Dispatches calls, resumes senders, and closes connections that are finished, gone or overdue.
  mutating func tidy(at now: Duration) {
    gate.expire(at: now)
    closeStalledReaders(at: pollStarted)
    for key in clients.keys.sorted() {
      guard var client = clients.removeValue(forKey: key) else { continue }
      if let frame = client.channel.nextCall(at: now) { events.yield(.call(frame: frame, client.caller)) }
      if client.channel.pendingOutput.count <= Limits.controlBacklogBytes {
        for waiting in client.waiting { waiting.resume(returning: true) }
        client.waiting = []
      }
      clients[key] = client
      let isOverdue = client.channel.overdueAt.map { $0 <= pollStarted } ?? false
      let isTooLate = stopBy.map { $0 <= now } ?? false
      if client.isBroken || client.channel.isFinished || isOverdue || isTooLate { remove(key) }
    }
    admit(at: now)
  }

  /// Closes connections that leave long answers unread while other calls wait for memory budget.
  private mutating func closeStalledReaders(at now: Duration) {
    while true {
      let unreadAnswers = gate.connectionsHoldingBudget.compactMap { key in
        clients[key]?.channel.memoryDeadline.map { (key: key, at: $0) }
      }
      guard let first = unreadAnswers.min(by: { $0.at < $1.at }), first.at <= now else { return }
      remove(first.key)
    }
  }

  // MARK: End

  /// Accepts no further call; running calls get `Limits.controlStopGrace` to end.
  mutating func beginStop(at now: Duration) {
    arrivals = []
    stopBy = now + Limits.controlStopGrace
    for key in clients.keys { clients[key]?.channel.close() }
  }

  mutating func closeAll() {
    arrivals = []
    for key in clients.keys.sorted() { remove(key) }
  }

  /// Closes a connection and frees its slot and its waiting calls.
  private mutating func remove(_ key: UInt64) {
    guard let client = clients.removeValue(forKey: key) else { return }
    shares.leave(key)
    gate.connectionClosed(key)
    for waiting in client.waiting { waiting.resume(returning: false) }
    events.yield(.ended(client.caller))
  }
}
