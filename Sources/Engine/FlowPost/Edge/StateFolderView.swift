import FlowModel
import FlowNotices
import FlowPlatform
import FoundationEssentials
import Glibc

/// The state folder as the operator's commands see it, whether poolflow-post runs or not. Commands change it only by renames,
/// which poolflow-post finds while it runs or at its next start.
struct StateFolderView: Sendable {
  let path: String

  /// A delivery that was given up.
  struct DeadLetter: Sendable {
    /// The name of its folder: `EVENT.KEY`.
    let name: String
    let delivery: Delivery

    /// The beginning of its key, for the operator's commands.
    var id: String { String(delivery.key.prefix(8)) }
  }

  /// - Throws: `SystemFailure` if the folder is missing or not readable by the caller.
  init(_ path: String) throws(SystemFailure) {
    self.path = path
    guard access(path, R_OK | X_OK) == 0 else { throw SystemFailure("cannot read the folder '\(path)'") }
  }

  /// The dead letters, oldest end first. Unreadable ones are skipped.
  func deadLetters() throws -> [DeadLetter] {
    try PrivateFiles.names(in: "\(path)/dead").filter { !$0.hasPrefix(".") }.compactMap { name in
      let file = "\(path)/dead/\(name)/delivery.json"
      guard let bytes = try? PrivateFiles.bytes(file, limit: 64 << 10),
        let delivery = try? UntrustedJSON.decode(Delivery.self, from: bytes)
      else { return nil }
      return DeadLetter(name: name, delivery: delivery)
    }.sorted { ($0.delivery.endedAt ?? 0, $0.name) < ($1.delivery.endedAt ?? 0, $1.name) }
  }

  /// The event of a dead letter; nil if it cannot be read.
  func event(of letter: DeadLetter) -> PostEvent? {
    let file = "\(path)/dead/\(letter.name)/event.json"
    guard let bytes = try? PrivateFiles.bytes(file, limit: Limits.postEventBytes) else { return nil }
    return try? PostEvent(bytes, name: letter.delivery.event)
  }

  /// The event of a notice that is being worked on or has a dead letter; nil if only its receipts are kept.
  func event(of notice: String) -> PostEvent? {
    let dead = (try? PrivateFiles.names(in: "\(path)/dead"))?.first { $0.hasPrefix("\(notice).") }
    let folders = ["work/\(notice)"] + [dead].compactMap { $0.map { "dead/\($0)" } }
    return folders.lazy.compactMap { folder in
      try? PrivateFiles.bytes("\(path)/\(folder)/event.json", limit: Limits.postEventBytes)
    }.compactMap { try? PostEvent($0, name: notice) }.first
  }

  /// Requests a retry of a dead letter.
  func retry(_ letter: DeadLetter) throws(SystemFailure) {
    try PrivateFiles.rename("\(path)/dead/\(letter.name)", to: "\(path)/retry/\(letter.name)")
  }

  /// Deletes a dead letter. One rename removes it from the list, even if deleting its files fails.
  func drop(_ letter: DeadLetter) throws(SystemFailure) {
    let deletedFolder = "\(path)/dead/.\(letter.name)"
    try PrivateFiles.removeTree(deletedFolder)
    try PrivateFiles.rename("\(path)/dead/\(letter.name)", to: deletedFolder)
    try PrivateFiles.removeTree(deletedFolder)
  }

  /// Returns the receipts of a notice's ended deliveries, oldest first, followed by its waiting deliveries.
  func receipts(of notice: String) throws -> [Receipt] {
    let ended = try PrivateFiles.names(in: "\(path)/receipts").filter { $0.hasPrefix(notice + ".") }.compactMap {
      try? Receipt(try PrivateFiles.bytes("\(path)/receipts/\($0)", limit: Limits.receiptBytes), isOwn: true)
    }.filter { $0.notice == notice }
    let work = "\(path)/work/\(notice)"
    let waiting = try PrivateFiles.names(in: work).compactMap { name -> Receipt? in
      guard name.utf8.count == 37, let bytes = try? PrivateFiles.bytes("\(work)/\(name)", limit: 64 << 10),
        let delivery = try? UntrustedJSON.decode(Delivery.self, from: bytes), delivery.end == nil
      else { return nil }
      let why = delivery.isUnderWay ? "it is being sent" : delivery.words.isEmpty ? "it has its turn" : delivery.words
      return delivery.waiting(why, at: Timestamp(milliseconds: max(delivery.notBefore, delivery.madeAt)))
    }
    return ended.sorted { ($0.at, $0.delivery) < ($1.at, $1.delivery) } + waiting
  }

  /// The last report of poolflow-post; nil if there is none.
  func report() -> SenderReport? {
    guard let bytes = try? PrivateFiles.bytes("\(path)/channels.json", limit: Limits.senderReportBytes) else {
      return nil
    }
    return try? SenderReport(bytes)
  }

  /// The number of receipts that wait for space in the daemon's folder.
  func pendingReceipts() throws -> Int { try PrivateFiles.names(in: "\(path)/untold").count { Receipt.isFileName($0) } }

  /// True if poolflow-post runs, by the kernel's list of locks: taking the lock for a test could prevent its start.
  var isRunning: Bool {
    var status = stat()
    guard lstat("\(path)/lock", &status) == 0, let bytes = try? PrivateFiles.bytes("/proc/locks", limit: 4 << 20) else {
      return false
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains {
      $0.contains(" FLOCK ") && $0.contains(":\(status.st_ino) ")
    }
  }
}
