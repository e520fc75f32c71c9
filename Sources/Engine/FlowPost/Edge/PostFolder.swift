import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import FoundationEssentials
import Glibc

/// The state folder and the drop folder. Each file is either complete under its name or missing.
///
///     work/EVENT/event.json, calendar.ics   a taken event, with KEY.json beside it for each delivery: the plan
///     receipts/EVENT.KEY.json               the outcome of a delivery, without address and text
///     untold/KEY.SUM.json                   receipts for which the daemon's folder had no space
///     dead/EVENT.KEY/                       a dead letter, with its event and the reason
///     retry/EVENT.KEY/                      a dead letter that an operator wants retried
///     channels.json                         the sender's report: the health of each channel, and all failures
///     clock.json                            the state of the clock check
///     moves.json                            the new chat ids of Telegram groups
///     done/EVENT                            empty: the event was taken, so a file of that name is not taken again
///     bad/NAME, NAME.reason                 files of the drop that are not valid events
struct PostFolder: Sendable {
  let state: String
  let drop: String

  func path(_ parts: String...) -> String { ([state] + parts).joined(separator: "/") }

  /// Creates the missing folders of the state folder.
  ///
  /// - Throws: `SystemFailure`.
  init(state: String, drop: String) throws(SystemFailure) {
    (self.state, self.drop) = (state, drop)
    for name in ["", "/work", "/receipts", "/untold", "/dead", "/retry", "/done", "/bad"] {
      try PrivateFiles.makeFolder(state + name)
    }
  }

  // MARK: Claiming events

  /// The ids of the events in the drop, oldest first, by name.
  func waiting() throws(SystemFailure) -> [String] {
    try PrivateFiles.names(in: "\(drop)/new").filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
  }

  /// Whether an event of this name is being worked on or is done.
  func wasTaken(_ event: String) -> Bool {
    access(path("work", event), F_OK) == 0 || access(path("done", event), F_OK) == 0
  }

  /// Reads an event in the drop.
  ///
  /// - Throws: `SystemFailure`; with EFBIG if the file is larger than `Limits.postEventBytes`.
  func event(inDrop name: String) throws -> [UInt8] {
    try PrivateFiles.bytes("\(drop)/new/\(name).json", limit: Limits.postEventBytes)
  }

  /// Reads the calendar of an event in the drop; empty if there is none, or it is too large.
  func calendar(inDrop name: String) throws -> [UInt8] {
    do { return try PrivateFiles.bytes("\(drop)/new/\(name).ics", limit: Limits.postCalendarBytes) } catch let error
      as SystemFailure
    {
      guard error.code == ENOENT || error.code == EFBIG else { throw error }
      return []
    }
  }

  /// Writes an event and its plan in one atomic step, before anything is sent.
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

  /// Removes an event and its sidecar files from the drop. The event's own file goes last, so that a failed removal is
  /// repeated.
  func clear(fromDrop name: String) throws(SystemFailure) {
    for suffix in ["html", "ics", "headers", "json"] {
      guard unlink("\(drop)/new/\(name).\(suffix)") == 0 || errno == ENOENT else {
        throw SystemFailure("cannot remove '\(drop)/new/\(name).\(suffix)'")
      }
    }
  }

  /// Copies an invalid file of the drop to `bad/`, with the reason. The file stays in the drop.
  func quarantine(_ name: String, reason: String) throws {
    let target = path("bad", name)
    for file in [target, target + ".reason"] { unlink(file) }
    // Keep the beginning of a file that is too large; if it cannot be read, keep only the reason.
    let bytes =
      (try? PrivateFiles.piece(of: "\(drop)/new/\(name).json", at: 0, upTo: Limits.postEventBytes).bytes) ?? []
    try PrivateFiles.write(target, bytes)
    try PrivateFiles.write(target + ".reason", Array((reason + "\n").utf8))
    try PrivateFiles.flush(path("bad"))
  }

  // MARK: Plans

  /// The ids of the events that have a plan.
  func plannedEvents() throws(SystemFailure) -> [String] {
    try PrivateFiles.names(in: path("work")).filter { !$0.hasPrefix(".") }
  }

  /// Reads the deliveries of an event.
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

  /// Reads the calendar of an event; empty if there is none.
  func calendar(_ name: String) throws -> [UInt8] {
    do { return try PrivateFiles.bytes(path("work", name, "calendar.ics"), limit: Limits.postCalendarBytes) } catch let
      error as SystemFailure
    {
      guard error.code == ENOENT else { throw error }
      return []
    }
  }

  /// Saves the state of a delivery.
  func save(_ delivery: Delivery) throws {
    try replace(path("work", delivery.event), "\(delivery.key).json", try Self.encoded(delivery))
  }

  /// Records the end of a delivery: first a dead letter if it failed, then the receipt. Once the receipt exists the delivery
  /// has ended, even if a crash prevents the remaining steps.
  func record(_ delivery: Delivery) throws {
    if delivery.end != .delivered, delivery.end != .replaced { try writeDeadLetter(delivery) }
    try replace(path("receipts"), Self.receiptName(delivery), delivery.receipt.bytes)
  }

  /// Reads the receipt of an ended delivery; nil if it has not ended.
  func receipt(of delivery: Delivery) throws -> [UInt8]? {
    do {
      return try PrivateFiles.bytes(path("receipts", Self.receiptName(delivery)), limit: Limits.receiptBytes)
    } catch let error as SystemFailure where error.code == ENOENT {
      return nil
    }
  }

  /// Removes a recorded delivery and, with the last delivery of its event, the event. It may be repeated after a crash.
  func finish(_ delivery: Delivery) throws {
    let file = path("work", delivery.event, "\(delivery.key).json")
    guard unlink(file) == 0 || errno == ENOENT else { throw SystemFailure("cannot remove '\(file)'") }
    try close(delivery.event)
  }

  /// Removes an event without remaining deliveries, and keeps its name in `done/`.
  func close(_ event: String) throws {
    guard try deliveries(of: event).isEmpty else { return }
    try replace(path("done"), event, [])
    try PrivateFiles.removeTree(path("work", event))
  }

  /// Writes a dead letter.
  private func writeDeadLetter(_ delivery: Delivery) throws {
    let letterFolder = path("dead", "\(delivery.event).\(delivery.key)")
    try PrivateFiles.makeFolder(letterFolder)
    try replace(letterFolder, "event.json", try event(delivery.event))
    let calendar = try calendar(delivery.event)
    if !calendar.isEmpty { try replace(letterFolder, "calendar.ics", calendar) }
    try replace(letterFolder, "delivery.json", try Self.encoded(delivery))
    try PrivateFiles.flush(path("dead"))
  }

  private static func encoded(_ delivery: Delivery) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(try encoder.encode(delivery))
  }

  private static func receiptName(_ delivery: Delivery) -> String { "\(delivery.event).\(delivery.key).json" }

  /// Writes a file and puts it atomically at its name.
  private func replace(_ folder: String, _ name: String, _ bytes: [UInt8]) throws {
    let draft = "\(folder)/.\(name).new"
    unlink(draft)
    try PrivateFiles.write(draft, bytes)
    guard Glibc.rename(draft, "\(folder)/\(name)") == 0 else { throw SystemFailure("cannot rename '\(draft)'") }
    try PrivateFiles.flush(folder)
  }

  private static let prunedFolders = ["receipts", "untold", "dead", "done", "bad"]

  /// Removes files last changed before `limit`.
  ///
  /// - Parameter now: the present time. Files dated more than `Limits.plausibleClockJump` later, by a clock that was ahead, get
  ///   this time.
  func prune(before limit: Timestamp, now: Timestamp) throws(SystemFailure) {
    for folder in Self.prunedFolders {
      for name in try PrivateFiles.names(in: path(folder)) {
        guard let changeTime = changeTime(folder, name) else { continue }
        if changeTime < limit { try PrivateFiles.removeTree(path(folder, name)) }
        guard changeTime.since(now) > Limits.plausibleClockJump else { continue }
        let time = timespec(tv_sec: Int(now.seconds), tv_nsec: 0)
        // If that fails, the file is only kept for longer.
        _ = [time, time].withUnsafeBufferPointer {
          utimensat(AT_FDCWD, path(folder, name), $0.baseAddress, AT_SYMLINK_NOFOLLOW)
        }
      }
    }
  }

  private func changeTime(_ folder: String, _ name: String) -> Timestamp? {
    var status = stat()
    guard lstat(path(folder, name), &status) == 0 else { return nil }
    return Timestamp(seconds: Int64(status.st_mtim.tv_sec))
  }

  /// Returns the latest change time of the files that is not after `now`; nil if there is none.
  func newestChange(notAfter now: Timestamp) -> Timestamp? {
    (Self.prunedFolders + ["work"]).compactMap { folder in
      (try? PrivateFiles.names(in: path(folder)))?.compactMap { changeTime(folder, $0) }.filter { $0 <= now }.max()
    }.max()
  }
}

// MARK: Requests of other processes

extension PostFolder {
  /// Keeps a receipt for which the daemon's folder had no space.
  ///
  /// - Returns: false if `Limits.postReceipts` are kept already.
  func keepPendingReceipt(_ name: String, _ bytes: [UInt8]) throws -> Bool {
    guard try PrivateFiles.names(in: path("untold")).count < Limits.postReceipts else { return false }
    try replace(path("untold"), name, bytes)
    return true
  }

  /// The names of the receipts that wait for space in the daemon's folder.
  func pendingReceipts() throws(SystemFailure) -> [String] {
    try PrivateFiles.names(in: path("untold")).filter(Receipt.isFileName)
  }

  func pendingReceipts(_ name: String) throws -> [UInt8] {
    try PrivateFiles.bytes(path("untold", name), limit: Limits.receiptBytes)
  }

  func removePendingReceipt(_ name: String) throws(SystemFailure) { try PrivateFiles.removeTree(path("untold", name)) }

  /// Writes the sender's report.
  func writeReport(_ report: [UInt8]) throws { try replace(state, "channels.json", report) }

  func save(_ clock: SenderClock.SavedState) throws {
    try replace(state, "clock.json", Array(try JSONEncoder().encode(clock)))
  }

  /// Reads the saved state of the clock check; nil if it is missing or unreadable, in which case the first reading is believed.
  func clock() -> SenderClock.SavedState? {
    guard let bytes = try? PrivateFiles.bytes(path("clock.json"), limit: 4 << 10) else { return nil }
    return try? UntrustedJSON.decode(SenderClock.SavedState.self, from: bytes)
  }

  /// Requests a retry of dead letters that expired because the clock was ahead, and that are not expired at `now`.
  ///
  /// - Returns: the names of the dead letters.
  func reopen(endedAfter now: Timestamp) throws -> [String] {
    let state = try StateFolderView(state)
    let letters = try state.deadLetters().filter { letter in
      letter.delivery.end == .expired && letter.delivery.endedAt ?? 0 > now.milliseconds
        && letter.delivery.expiresAt > now.milliseconds
    }
    for letter in letters { try state.retry(letter) }
    return letters.map(\.name)
  }

  func save(_ moves: ChatIDChanges) throws {
    let encoder = JSONEncoder()
    try replace(state, "moves.json", Array(try encoder.encode(moves)))
  }

  /// Reads the chat ids of Telegram groups; empty if the file is unreadable, because the server reports them again.
  func moves() -> ChatIDChanges {
    guard let bytes = try? PrivateFiles.bytes(path("moves.json"), limit: 1 << 20) else { return ChatIDChanges() }
    return (try? UntrustedJSON.decode(ChatIDChanges.self, from: bytes)) ?? ChatIDChanges()
  }

  /// The names of the dead letters that an operator wants retried.
  func retryRequests() throws(SystemFailure) -> [String] {
    try PrivateFiles.names(in: path("retry")).filter { !$0.hasPrefix(".") }
  }

  /// Moves a dead letter back to `work/` under its former name. It may be repeated after a crash.
  ///
  /// - Parameter newPlan: plans an event by the present settings, for a notice that had no recipient.
  /// - Returns: the deliveries to work on; empty if they are being worked on already.
  /// - Throws: `SystemFailure`, or an error if the notice still has no recipient.
  func revive(
    _ name: String, _ settings: PostSettings, at now: Timestamp, plan newPlan: (PostEvent) -> [Delivery]
  ) throws -> [Delivery] {
    let letterFolder = path("retry", name)
    let delivery = try UntrustedJSON.decode(
      Delivery.self, from: PrivateFiles.bytes("\(letterFolder)/delivery.json", limit: 64 << 10))
    guard name == "\(delivery.event).\(delivery.key)", (try? PathComponent(identity: delivery.event)) != nil else {
      throw SystemFailure("'\(letterFolder)' is no dead letter", code: EINVAL)
    }
    let file = path("work", delivery.event, "\(delivery.key).json")
    if access(file, F_OK) == 0 {
      try PrivateFiles.removeTree(letterFolder)
      return []
    }
    var revived = [delivery]
    if delivery.hasNoRecipient {
      let bytes = try PrivateFiles.bytes("\(letterFolder)/event.json", limit: Limits.postEventBytes)
      revived = newPlan(try PostEvent(bytes, name: delivery.event))
      guard !revived.contains(where: \.hasNoRecipient) else { throw StillNoRecipient(words: delivery.words) }
    }
    let isKnown = settings.channels.contains { $0.name == delivery.channel && $0.kind.rawValue == delivery.kind }
    let addressType = PostSettings.Kind(rawValue: delivery.kind)?.addressWord ?? delivery.kind
    let other =
      isKnown || delivery.hasNoRecipient ? nil : PostPlan.channel(for: delivery.address, ofType: addressType, settings)
    for index in revived.indices where revived[index].end == nil || !delivery.hasNoRecipient {
      revived[index].revive(at: now, lasting: Limits.postDefaultExpiry, by: other)
    }
    // Remove the old receipt first: it would end the revived delivery too.
    try PrivateFiles.removeTree(path("receipts", Self.receiptName(delivery)))
    try PrivateFiles.flush(path("receipts"))
    if access(path("work", delivery.event), F_OK) == 0 {
      for delivery in revived { try save(delivery) }
    } else {
      let calendar = "\(letterFolder)/calendar.ics"
      try plan(
        delivery.event, try PrivateFiles.bytes("\(letterFolder)/event.json", limit: Limits.postEventBytes),
        calendar: access(calendar, F_OK) == 0
          ? try PrivateFiles.bytes(calendar, limit: Limits.postCalendarBytes) : [], revived)
    }
    try PrivateFiles.removeTree(letterFolder)
    return revived
  }

  /// The reason why a notice without a recipient stays a dead letter.
  private struct StillNoRecipient: Error, CustomStringConvertible {
    let words: String
    var description: String { "\(words), still" }
  }

  /// Moves a retry that failed back to the dead letters.
  func abandonRetry(request name: String) {
    // If that fails, the retry is attempted again at the next start.
    _ = Glibc.rename(path("retry", name), path("dead", name))
  }
}
