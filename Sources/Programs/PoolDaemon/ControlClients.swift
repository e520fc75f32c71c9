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
  }

  /// Somebody at the door who waits for a place.
  private struct Arrival {
    let socket: UnixSocket
    let peer: PeerCredentials
    let since: Duration
  }

  private let permission: ControlPermission
  private let events: ControlEvents
  private let gate: CallGate
  private var shares: ConnectionShares
  /// In the order of their coming.
  private var arrivals: [Arrival] = []
  private var clients: [UInt64: Client] = [:]
  /// The connections that the last `interests` asked about, in its order.
  private var polled: [UInt64] = []
  private var lastConnection: UInt64 = 0
  private var stopBy: Duration?
  /// When we last began to look at what has come: whoever is slow is judged by this, never by the time that passed while
  /// nobody looked.
  private var lookedAt: Duration = .zero
  /// Since when nobody could come in who waits at the door; nil while nobody waits.
  private var fullSince: Duration?
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  init(permission: ControlPermission, events: ControlEvents, gate: CallGate) {
    self.permission = permission
    self.events = events
    self.gate = gate
    shares = ConnectionShares(ownUID: permission.ownUID)
  }

  var isEmpty: Bool { clients.isEmpty }

  var nextDeadline: Duration? {
    var times = clients.values.compactMap(\.channel.overdueAt) + [stopBy, gate.nextDeadline].compactMap { $0 }
    if let fullSince {
      let slow = clients.values.compactMap(\.channel.owesSince).min()
      times += [fullSince, slow].compactMap { $0.map { $0 + Limits.controlPatience } }.filter { $0 > lookedAt }
    }
    times += gate.holdersInTheWay.compactMap { clients[$0]?.channel.losesRoomAt }
    return times.min()
  }

  /// True while there is room at the door. Who finds none waits in the kernel, in the order of his coming.
  var opensDoor: Bool { arrivals.count < Limits.controlArrivals }

  /// What to wait for; remembers the order for `serve`.
  var interests: [SocketPoller.Interest] {
    mutating get {
      // A peer that is gone would end every wait at once; it is looked at again after its answer.
      polled = clients.filter { !($0.value.channel.isGone && $0.value.channel.isAnswering) }.keys.sorted()
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
    while opensDoor {
      switch try listener.accept() {
      case .nobody: return true
      case .exhausted: return false
      case .connection(let socket): receive(socket, at: now)
      }
    }
    return true
  }

  private mutating func receive(_ socket: UnixSocket, at now: Duration) {
    // A peer whose credentials cannot be read is nobody that we may serve.
    guard let peer = try? PeerCredentials(of: socket), permission.admits(peer) else {
      let group = ControlPermission.groupName
      let sentence = "only root, the daemon's own user and members of the group \(group) may use this socket"
      return turnAway(socket, ControlError(.notPermitted, sentence))
    }
    arrivals.append(Arrival(socket: socket, peer: peer, since: now))
  }

  /// Lets in who can have a place, perhaps that of somebody who wastes it, and turns away who has waited for long enough
  /// while nobody left.
  private mutating func admit(at now: Duration) {
    let looked = lookedAt
    guard !arrivals.isEmpty else { return }
    var rest: [Arrival] = []
    for arrival in arrivals {
      if let obstacle = shares.obstacle(to: arrival.peer.uid) {
        guard let key = leastWorthy(against: obstacle, for: arrival.peer.uid, at: looked) else {
          rest.append(arrival)
          continue
        }
        remove(key)
      }
      seat(arrival, at: now)
      fullSince = nil
    }
    arrivals = rest
    guard !rest.isEmpty else {
      fullSince = nil
      return
    }
    let since = fullSince ?? now
    fullSince = since
    guard looked - since >= Limits.controlPatience else { return }
    let patient = rest.filter { looked - $0.since < Limits.controlPatience }
    for arrival in rest where looked - arrival.since >= Limits.controlPatience {
      let what =
        shares.obstacle(to: arrival.peer.uid) == .share
        ? "user \(arrival.peer.uid) has \(Limits.controlClientsOfUser) connections already, which is a user's share"
        : "\(Limits.controlClients) clients are connected already"
      turnAway(arrival.socket, ControlError(.busy, what + "; try again in a moment"))
    }
    arrivals = patient
    // Who is left has not waited long enough yet.
    fullSince = arrivals.map(\.since).min()
  }

  private mutating func seat(_ arrival: Arrival, at now: Duration) {
    lastConnection += 1
    let peer = arrival.peer
    let caller = Caller(uid: peer.uid, gid: peer.gid, pid: peer.pid, connection: lastConnection)
    clients[lastConnection] = Client(socket: arrival.socket, caller: caller, channel: ControlChannel(at: now))
    shares.join(lastConnection, uid: peer.uid)
    gate.joined(lastConnection)
  }

  /// Says why and closes, before a byte of the peer is read.
  private func turnAway(_ socket: UnixSocket, _ error: ControlError) {
    // A new socket has room for a sentence; if not, the peer sees the end of the connection.
    _ = try? socket.send((Envelope.error(error) + [0])[...])
  }

  /// Of those whose place would help: whoever has gone and left nothing but calls that want no answer, else whoever has
  /// owed bytes for longest, else whoever has been here for long without asking anything.
  private func leastWorthy(
    against obstacle: ConnectionShares.Obstacle, for uid: UInt32, at now: Duration
  ) -> UInt64? {
    let candidates = clients.filter { shares.wouldHelp($0.key, against: obstacle, for: uid) }
    if let gone = candidates.first(where: { $0.value.channel.isGone }) { return gone.key }
    let slow = candidates.compactMap { key, client in
      client.channel.owesSince.flatMap { now - $0 > Limits.controlPatience ? (key: key, since: $0) : nil }
    }
    if let slowest = slow.min(by: { $0.since < $1.since }) { return slowest.key }
    let idle = candidates.filter {
      $0.value.channel.isIdle && now - $0.value.channel.lastActive > Limits.controlDeadline
    }
    return idle.min { $0.value.channel.lastActive < $1.value.channel.lastActive }?.key
  }

  // MARK: Work

  /// Reads and writes what the last wait found ready.
  ///
  /// - Parameter began: when that wait began: what it did not find had not come by then.
  mutating func serve(_ ready: ArraySlice<SocketPoller.Readiness>, since began: Duration, at now: Duration) {
    lookedAt = began
    for (key, readiness) in zip(polled, ready) {
      // Taken out: of a client that stays in there, too, every piece of a long call would copy all pieces before it.
      guard var client = clients.removeValue(forKey: key) else { continue }
      if readiness.readable { read(&client, at: now) }
      if readiness.writable { write(&client, at: now) }
      if readiness.hungUp {
        if !client.channel.isGone {
          if client.channel.isAnswering { events.yield(.hungUp(client.caller)) }
          client.channel.peerHasGone()
          gate.left(key)
        }
        // What it sent is read to its end.
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

  mutating func answer(
    _ frame: [UInt8]?, to key: UInt64, last: Bool, taken: CheckedContinuation<Bool, Never>, at now: Duration
  ) {
    guard var client = clients.removeValue(forKey: key) else { return taken.resume(returning: false) }
    client.channel.answer(frame, last: last, at: now)
    // Most answers fit at once; what does not waits for the poll.
    if client.channel.wantsOutput { write(&client, at: now) }
    client.waiting.append(taken)
    clients[key] = client
  }

  /// Hands out calls, lets senders go on, closes who is done, gone or overdue.
  mutating func tidy(at now: Duration) {
    gate.expire(at: now)
    makeRoom(at: lookedAt)
    for key in clients.keys.sorted() {
      guard var client = clients.removeValue(forKey: key) else { continue }
      if let frame = client.channel.nextCall(at: now) { events.yield(.call(frame: frame, client.caller)) }
      if client.channel.pendingOutput.count <= Limits.controlBacklogBytes {
        for waiting in client.waiting { waiting.resume(returning: true) }
        client.waiting = []
      }
      clients[key] = client
      let isOverdue = client.channel.overdueAt.map { $0 <= lookedAt } ?? false
      let isTooLate = stopBy.map { $0 <= now } ?? false
      if client.isBroken || client.channel.isFinished || isOverdue || isTooLate { remove(key) }
    }
    admit(at: now)
  }

  /// Ends the connections of those who let long answers lie while others wait for the room.
  private mutating func makeRoom(at now: Duration) {
    while true {
      let deaf = gate.holdersInTheWay.compactMap { key in
        clients[key]?.channel.losesRoomAt.map { (key: key, at: $0) }
      }
      guard let first = deaf.min(by: { $0.at < $1.at }), first.at <= now else { return }
      remove(first.key)
    }
  }

  // MARK: End

  /// Takes no further call; those under way have a moment to end.
  mutating func beginStop(at now: Duration) {
    arrivals = []
    stopBy = now + Limits.controlStopGrace
    for key in clients.keys { clients[key]?.channel.close() }
  }

  mutating func closeAll() {
    arrivals = []
    for key in clients.keys.sorted() { remove(key) }
  }

  private mutating func remove(_ key: UInt64) {
    guard let client = clients.removeValue(forKey: key) else { return }
    shares.leave(key)
    gate.removed(key)
    for waiting in client.waiting { waiting.resume(returning: false) }
    events.yield(.ended(client.caller))
  }
}
