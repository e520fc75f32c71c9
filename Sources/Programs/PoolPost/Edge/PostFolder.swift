import FoundationEssentials
import Glibc
import PoolModel
import PoolPlatform
import PoolSettings

/// What is on the disk, each file whole under its name or not there.
///
///     work/EVENT/event.json, calendar.ics   what was taken, with KEY.json beside it for each delivery: the plan
///     receipts/EVENT.KEY.json               what became of a delivery; no address and no text stands there
///     dead/EVENT.KEY/                       what could not be brought, with its event and the reason
///     done/EVENT                            empty: it was taken, so that a file of that name is not taken again
///     bad/NAME, NAME.reason                 files of the drop that are no event
struct PostFolder: Sendable {
  let state: String
  let drop: String

  private func path(_ parts: String...) -> String { ([state] + parts).joined(separator: "/") }

  /// - Throws: `SystemFailure`.
  init(state: String, drop: String) throws(SystemFailure) {
    (self.state, self.drop) = (state, drop)
    for name in ["", "/work", "/receipts", "/dead", "/done", "/bad"] { try PrivateFiles.makeFolder(state + name) }
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

  func putAside(_ name: String, reason: String) throws {
    let target = path("bad", name)
    for file in [target, target + ".reason"] { unlink(file) }
    // Of one that is too large the beginning is enough; where it cannot be read, the reason is all.
    let bytes =
      (try? PrivateFiles.piece(of: "\(drop)/new/\(name).json", at: 0, upTo: Limits.postEventBytes).bytes) ?? []
    try PrivateFiles.write(target, bytes)
    try PrivateFiles.write(target + ".reason", Array((reason + "\n").utf8))
    try PrivateFiles.flush(path("bad"))
    try clear(fromDrop: name)
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
      try JSONDecoder().decode(
        Delivery.self, from: Data(try PrivateFiles.bytes(path("work", event, $0), limit: 64 << 10)))
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

  /// Ends a delivery: its receipt, the dead letter where it was not brought, and, with the last of its event, the event.
  ///
  /// Done again after a crash in the middle, it comes to the same.
  func finish(_ delivery: Delivery) throws {
    if delivery.end != .delivered, delivery.end != .replaced { try bury(delivery) }
    try replace(path("receipts"), "\(delivery.event).\(delivery.key).json", Self.receipt(delivery))
    try remove(delivery)
  }

  /// Takes a delivery out of the plan, and, with the last of them, the event.
  func remove(_ delivery: Delivery) throws {
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
    try replace(grave, "delivery.json", try Self.encoded(delivery))
    try PrivateFiles.flush(path("dead"))
  }

  private static func encoded(_ delivery: Delivery) throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return Array(try encoder.encode(delivery))
  }

  /// What the daemon may take: nothing of the address, and nothing of the text.
  static func receipt(_ delivery: Delivery) -> [UInt8] {
    var json = JSONText()
    json.object { text in
      text.member("at", delivery.endedAt.map { Timestamp(milliseconds: $0).description })
      text.member("channel", delivery.channel)
      text.member("event", delivery.event)
      text.member("key", delivery.key)
      text.member("kind", delivery.kind)
      text.member("recipient", delivery.recipient)
      text.member("team", delivery.team)
      text.member("tries", delivery.tries)
      text.member("verdict", delivery.end?.rawValue)
      text.member("words", delivery.receiptWords)
    }
    return json.bytes + [0x0A]
  }

  /// Writes a whole file in the place of what is there.
  private func replace(_ folder: String, _ name: String, _ bytes: [UInt8]) throws {
    let draft = "\(folder)/.\(name).new"
    unlink(draft)
    try PrivateFiles.write(draft, bytes)
    guard Glibc.rename(draft, "\(folder)/\(name)") == 0 else { throw SystemFailure("cannot rename '\(draft)'") }
    try PrivateFiles.flush(folder)
  }

  /// Removes what was kept for long enough.
  func prune(before limit: Timestamp) throws(SystemFailure) {
    for folder in ["receipts", "dead", "done", "bad"] {
      for name in try PrivateFiles.names(in: path(folder)) {
        var status = stat()
        guard lstat(path(folder, name), &status) == 0, Int64(status.st_mtim.tv_sec) < limit.seconds else { continue }
        try PrivateFiles.removeTree(path(folder, name))
      }
    }
  }
}

extension Delivery {
  /// What became of it, without a word about where.
  var receiptWords: String {
    switch end {
    case .delivered: accepted + (standsFor == nil ? "" : standing)
    case .refused: "refused: \(words)"
    case .unknown: "nobody knows whether it arrived: \(words)"
    case .expired, .replaced, nil: words
    }
  }

  private var accepted: String {
    switch PostSettings.Kind(rawValue: kind) {
    case .smtp: "handed to the mail server"
    case .sendmail: "handed to the machine's own mail system"
    default: "accepted by \(kind)"
    }
  }

  private var standing: String {
    let channels = (standsFor ?? []).map { "[Channel \($0.channel)]" }.joined(separator: ", ")
    return isShared
      ? "; somebody else is told that \(channels) did not reach the person" : ", in the place of \(channels)"
  }
}
