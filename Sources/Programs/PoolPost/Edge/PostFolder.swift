import FoundationEssentials
import Glibc
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings

/// What is on the disk, each file whole under its name or not there.
///
///     work/EVENT/event.json, calendar.ics   what was taken, with KEY.json beside it for each delivery: the plan
///     receipts/EVENT.KEY.json               what became of a delivery; no address and no text stands there
///     untold/KEY.SUM.json                   receipts that the daemon's folder had no room for
///     dead/EVENT.KEY/                       what could not be brought, with its event and the reason
///     retry/EVENT.KEY/                      a dead letter that somebody wants brought after all
///     channels.json                         the sender's report: the health of each channel, and what must be repaired
///     clock.json                            what is known of the clock
///     moves.json                            groups of Telegram that have another number since they have grown
///     done/EVENT                            empty: it was taken, so that a file of that name is not taken again
///     bad/NAME, NAME.reason                 files of the drop that are no event
struct PostFolder: Sendable {
  let state: String
  let drop: String

  func path(_ parts: String...) -> String { ([state] + parts).joined(separator: "/") }

  /// - Throws: `SystemFailure`.
  init(state: String, drop: String) throws(SystemFailure) {
    (self.state, self.drop) = (state, drop)
    for name in ["", "/work", "/receipts", "/untold", "/dead", "/retry", "/done", "/bad"] {
      try PrivateFiles.makeFolder(state + name)
    }
  }

  // MARK: Taking

  /// Events in the drop, oldest names first.
  func waiting() throws(SystemFailure) -> [String] {
    try PrivateFiles.names(in: "\(drop)/new").filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
  }

  func wasTaken(_ event: String) -> Bool {
    access(path("work", event), F_OK) == 0 || access(path("done", event), F_OK) == 0
  }

  /// - Throws: `SystemFailure`, EFBIG for one that is too large.
  func event(inDrop name: String) throws -> [UInt8] {
    try PrivateFiles.bytes("\(drop)/new/\(name).json", limit: Limits.postEventBytes)
  }

  /// Empty where there is none.
  func calendar(inDrop name: String) throws -> [UInt8] {
    do { return try PrivateFiles.bytes("\(drop)/new/\(name).ics", limit: Limits.postCalendarBytes) } catch let error
      as SystemFailure
    {
      guard error.code == ENOENT || error.code == EFBIG else { throw error }
      return []
    }
  }

  /// The event and its plan under their name, before anything is sent.
  func plan(_ event: String, _ bytes: [UInt8], calendar: [UInt8], _ deliveries: [Delivery]) throws {
    let draft = path("work", ".\(event)")
    try PrivateFiles.removeTree(draft)
    try PrivateFiles.makeFolder(draft)
    try PrivateFiles.write("\(draft)/event.json", bytes)
    if !calendar.isEmpty { try PrivateFiles.write("\(draft)/calendar.ics", calendar) }
    for delivery in deliveries { try PrivateFiles.write("\(draft)/\(delivery.key).json", try Self.encoded(delivery)) }
    try PrivateFiles.flush(draft)
    try PrivateFiles.rename(draft, to: path("work", event))
    try PrivateFiles.flush(path("work"))
  }

  /// The event's own file goes last: as long as it is there, it is looked at again.
  func clear(fromDrop name: String) throws(SystemFailure) {
    for suffix in ["html", "ics", "headers", "json"] {
      guard unlink("\(drop)/new/\(name).\(suffix)") == 0 || errno == ENOENT else {
        throw SystemFailure("cannot remove '\(drop)/new/\(name).\(suffix)'")
      }
    }
  }

  /// Keeps what it was, beside the reason. It is still in the drop.
  func putAside(_ name: String, reason: String) throws {
    let target = path("bad", name)
    for file in [target, target + ".reason"] { unlink(file) }
    // Of one that is too large the beginning is enough; where it cannot be read, the reason is all.
    let bytes =
      (try? PrivateFiles.piece(of: "\(drop)/new/\(name).json", at: 0, upTo: Limits.postEventBytes).bytes) ?? []
    try PrivateFiles.write(target, bytes)
    try PrivateFiles.write(target + ".reason", Array((reason + "\n").utf8))
    try PrivateFiles.flush(path("bad"))
  }

  // MARK: Working

  /// Events at work, and the deliveries of one.
  func atWork() throws(SystemFailure) -> [String] {
    try PrivateFiles.names(in: path("work")).filter { !$0.hasPrefix(".") }
  }

  func deliveries(of event: String) throws -> [Delivery] {
    try PrivateFiles.names(in: path("work", event)).filter {
      $0.hasSuffix(".json") && $0 != "event.json" && !$0.hasPrefix(".")
    }
    .map {
      try UntrustedJSON.decode(Delivery.self, from: PrivateFiles.bytes(path("work", event, $0), limit: 64 << 10))
    }
  }

  func event(_ name: String) throws -> [UInt8] {
    try PrivateFiles.bytes(path("work", name, "event.json"), limit: Limits.postEventBytes)
  }

  func calendar(_ name: String) throws -> [UInt8] {
    do { return try PrivateFiles.bytes(path("work", name, "calendar.ics"), limit: Limits.postCalendarBytes) } catch let
      error as SystemFailure
    {
      guard error.code == ENOENT else { throw error }
      return []
    }
  }

  func save(_ delivery: Delivery) throws {
    try replace(path("work", delivery.event), "\(delivery.key).json", try Self.encoded(delivery))
  }

  /// Writes down the end of a delivery: the dead letter where it was not brought, and the receipt. As long as that is there
  /// this life of it has ended, whatever else a crash left undone.
  func record(_ delivery: Delivery) throws {
    if delivery.end != .delivered, delivery.end != .replaced { try bury(delivery) }
    try replace(path("receipts"), Self.receiptName(delivery), delivery.receipt.bytes)
  }

  /// What was written down of its end; nil where it has none.
  func receipt(of delivery: Delivery) throws -> [UInt8]? {
    do {
      return try PrivateFiles.bytes(path("receipts", Self.receiptName(delivery)), limit: Limits.receiptBytes)
    } catch let error as SystemFailure where error.code == ENOENT {
      return nil
    }
  }

  /// Removes a delivery that was written down and, with the last of its event, the event.
  ///
  /// Done again after a crash in the middle, it comes to the same.
  func finish(_ delivery: Delivery) throws {
    let file = path("work", delivery.event, "\(delivery.key).json")
    guard unlink(file) == 0 || errno == ENOENT else { throw SystemFailure("cannot remove '\(file)'") }
    try close(delivery.event)
  }

  /// With nothing left to bring, nothing of the event is kept but its name.
  func close(_ event: String) throws {
    guard try deliveries(of: event).isEmpty else { return }
    try replace(path("done"), event, [])
    try PrivateFiles.removeTree(path("work", event))
  }

  private func bury(_ delivery: Delivery) throws {
    let grave = path("dead", "\(delivery.event).\(delivery.key)")
    try PrivateFiles.makeFolder(grave)
    try replace(grave, "event.json", try event(delivery.event))
    let calendar = try calendar(delivery.event)
    if !calendar.isEmpty { try replace(grave, "calendar.ics", calendar) }
    try replace(grave, "delivery.json", try Self.encoded(delivery))
    try PrivateFiles.flush(path("dead"))
  }

  private static func encoded(_ delivery: Delivery) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(try encoder.encode(delivery))
  }

  private static func receiptName(_ delivery: Delivery) -> String { "\(delivery.event).\(delivery.key).json" }

  /// Writes a whole file in the place of what is there.
  private func replace(_ folder: String, _ name: String, _ bytes: [UInt8]) throws {
    let draft = "\(folder)/.\(name).new"
    unlink(draft)
    try PrivateFiles.write(draft, bytes)
    guard Glibc.rename(draft, "\(folder)/\(name)") == 0 else { throw SystemFailure("cannot rename '\(draft)'") }
    try PrivateFiles.flush(folder)
  }

  private static let kept = ["receipts", "untold", "dead", "done", "bad"]

  /// Removes what was kept for long enough.
  ///
  /// - Parameter now: what is dated later, by a clock that was ahead, is dated now.
  func prune(before limit: Timestamp, now: Timestamp) throws(SystemFailure) {
    for folder in Self.kept {
      for name in try PrivateFiles.names(in: path(folder)) {
        guard let changed = changed(folder, name) else { continue }
        if changed < limit { try PrivateFiles.removeTree(path(folder, name)) }
        guard changed.since(now) > Limits.believableJump else { continue }
        let time = timespec(tv_sec: Int(now.seconds), tv_nsec: 0)
        // Where that fails it is kept for longer.
        _ = [time, time].withUnsafeBufferPointer {
          utimensat(AT_FDCWD, path(folder, name), $0.baseAddress, AT_SYMLINK_NOFOLLOW)
        }
      }
    }
  }

  private func changed(_ folder: String, _ name: String) -> Timestamp? {
    var status = stat()
    guard lstat(path(folder, name), &status) == 0 else { return nil }
    return Timestamp(seconds: Int64(status.st_mtim.tv_sec))
  }

  /// When anything here was last written that was not written in the future.
  func newestChange(notAfter now: Timestamp) -> Timestamp? {
    (Self.kept + ["work"]).compactMap { folder in
      (try? PrivateFiles.names(in: path(folder)))?.compactMap { changed(folder, $0) }.filter { $0 <= now }.max()
    }.max()
  }
}

// MARK: What others say and ask

extension PostFolder {
  /// Keeps a receipt for a folder that had no room.
  ///
  /// - Returns: false where too many are kept already.
  func keepUntold(_ name: String, _ bytes: [UInt8]) throws -> Bool {
    guard try PrivateFiles.names(in: path("untold")).count < Limits.postReceipts else { return false }
    try replace(path("untold"), name, bytes)
    return true
  }

  func untold() throws(SystemFailure) -> [String] {
    try PrivateFiles.names(in: path("untold")).filter(Receipt.isFileName)
  }

  func untold(_ name: String) throws -> [UInt8] {
    try PrivateFiles.bytes(path("untold", name), limit: Limits.receiptBytes)
  }

  func forgetUntold(_ name: String) throws(SystemFailure) { try PrivateFiles.removeTree(path("untold", name)) }

  func say(_ report: [UInt8]) throws { try replace(state, "channels.json", report) }

  func keep(_ clock: SenderClock.Memory) throws {
    try replace(state, "clock.json", Array(try JSONEncoder().encode(clock)))
  }

  /// Nil where nothing can be read: the first reading of the clock is believed then, as at the first start.
  func clock() -> SenderClock.Memory? {
    guard let bytes = try? PrivateFiles.bytes(path("clock.json"), limit: 4 << 10) else { return nil }
    return try? UntrustedJSON.decode(SenderClock.Memory.self, from: bytes)
  }

  /// Wishes for dead letters that expired by a clock that was ahead, and are of use by now.
  ///
  /// - Returns: their names.
  func reopen(endedAfter now: Timestamp) throws -> [String] {
    let state = try PostState(state)
    let letters = try state.deadLetters().filter { letter in
      letter.delivery.end == .expired && letter.delivery.endedAt ?? 0 > now.milliseconds
        && letter.delivery.expiresAt > now.milliseconds
    }
    for letter in letters { try state.retry(letter) }
    return letters.map(\.name)
  }

  func keep(_ moves: ChatMoves) throws {
    let encoder = JSONEncoder()
    try replace(state, "moves.json", Array(try encoder.encode(moves)))
  }

  /// None where nothing can be read: the server says it again.
  func moves() -> ChatMoves {
    guard let bytes = try? PrivateFiles.bytes(path("moves.json"), limit: 1 << 20) else { return ChatMoves() }
    return (try? UntrustedJSON.decode(ChatMoves.self, from: bytes)) ?? ChatMoves()
  }

  /// Dead letters that somebody wants brought after all.
  func wished() throws(SystemFailure) -> [String] {
    try PrivateFiles.names(in: path("retry")).filter { !$0.hasPrefix(".") }
  }

  /// Puts a dead letter among what is at work, under the name that it had; done again after a crash in the middle, it comes to
  /// the same.
  ///
  /// - Parameter plan: the deliveries of an event by the settings of now, for a notice that nobody could be told of.
  /// - Returns: what is delivered now; nothing where it is at work already.
  func revive(
    _ name: String, _ settings: PostSettings, at now: Timestamp, plan newPlan: (PostEvent) -> [Delivery]
  ) throws -> [Delivery] {
    let grave = path("retry", name)
    let delivery = try UntrustedJSON.decode(
      Delivery.self, from: PrivateFiles.bytes("\(grave)/delivery.json", limit: 64 << 10))
    guard name == "\(delivery.event).\(delivery.key)", (try? PathComponent(identity: delivery.event)) != nil else {
      throw SystemFailure("'\(grave)' is no dead letter", code: EINVAL)
    }
    let file = path("work", delivery.event, "\(delivery.key).json")
    if access(file, F_OK) == 0 {
      try PrivateFiles.removeTree(grave)
      return []
    }
    var revived = [delivery]
    if delivery.isForNobody {
      let bytes = try PrivateFiles.bytes("\(grave)/event.json", limit: Limits.postEventBytes)
      revived = newPlan(try PostEvent(bytes, name: delivery.event))
      guard !revived.contains(where: \.isForNobody) else { throw StillNobody(words: delivery.words) }
    }
    let isKnown = settings.channels.contains { $0.name == delivery.channel && $0.kind.rawValue == delivery.kind }
    let word = PostSettings.Kind(rawValue: delivery.kind)?.addressWord ?? delivery.kind
    let other =
      isKnown || delivery.isForNobody ? nil : PostPlan.channel(for: delivery.address, called: word, settings)
    for index in revived.indices where revived[index].end == nil || !delivery.isForNobody {
      revived[index].revive(at: now, lasting: Limits.postUntil, by: other)
    }
    // First the end of its life before: with it this one would have ended, too.
    try PrivateFiles.removeTree(path("receipts", Self.receiptName(delivery)))
    try PrivateFiles.flush(path("receipts"))
    if access(path("work", delivery.event), F_OK) == 0 {
      for delivery in revived { try save(delivery) }
    } else {
      let calendar = "\(grave)/calendar.ics"
      try plan(
        delivery.event, try PrivateFiles.bytes("\(grave)/event.json", limit: Limits.postEventBytes),
        calendar: access(calendar, F_OK) == 0
          ? try PrivateFiles.bytes(calendar, limit: Limits.postCalendarBytes) : [], revived)
    }
    try PrivateFiles.removeTree(grave)
    return revived
  }

  /// Why a notice that nobody could be told of stays a dead letter.
  private struct StillNobody: Error, CustomStringConvertible {
    let words: String
    var description: String { "\(words), still" }
  }

  /// What cannot be begun anew is a dead letter again.
  func giveUp(wish name: String) {
    // Where that fails it is a wish still, and tried again at the next start.
    _ = Glibc.rename(path("retry", name), path("dead", name))
  }
}
