import FoundationEssentials
import Glibc
import PoolModel
import PoolNotices
import PoolPlatform

/// The state folder as whoever looks after it sees it, while the program runs or not. Nothing is made there; what is to be done
/// is asked for by a rename, which the program finds whenever it runs.
struct PostState: Sendable {
  let path: String

  /// A delivery that was given up.
  struct DeadLetter: Sendable {
    /// Of its folder: `EVENT.KEY`.
    let name: String
    let delivery: Delivery

    /// Enough of its key to name it.
    var id: String { String(delivery.key.prefix(8)) }
  }

  /// - Throws: `SystemFailure` where it is not there, or is not the caller's to read.
  init(_ path: String) throws(SystemFailure) {
    self.path = path
    guard access(path, R_OK | X_OK) == 0 else { throw SystemFailure("cannot read the folder '\(path)'") }
  }

  /// By when they were given up; what is none is passed over.
  func deadLetters() throws -> [DeadLetter] {
    try PrivateFiles.names(in: "\(path)/dead").filter { !$0.hasPrefix(".") }.compactMap { name in
      let file = "\(path)/dead/\(name)/delivery.json"
      guard let bytes = try? PrivateFiles.bytes(file, limit: 64 << 10),
        let delivery = try? UntrustedJSON.decode(Delivery.self, from: bytes)
      else { return nil }
      return DeadLetter(name: name, delivery: delivery)
    }.sorted { ($0.delivery.endedAt ?? 0, $0.name) < ($1.delivery.endedAt ?? 0, $1.name) }
  }

  /// The event of a dead letter; nil where it cannot be read.
  func event(of letter: DeadLetter) -> PostEvent? {
    let file = "\(path)/dead/\(letter.name)/event.json"
    guard let bytes = try? PrivateFiles.bytes(file, limit: Limits.postEventBytes) else { return nil }
    return try? PostEvent(bytes, name: letter.delivery.event)
  }

  /// The event of a notice that is at work or has a dead letter; nil for one of which only receipts are kept.
  func event(of notice: String) -> PostEvent? {
    let dead = (try? PrivateFiles.names(in: "\(path)/dead"))?.first { $0.hasPrefix("\(notice).") }
    let folders = ["work/\(notice)"] + [dead].compactMap { $0.map { "dead/\($0)" } }
    return folders.lazy.compactMap { folder in
      try? PrivateFiles.bytes("\(path)/\(folder)/event.json", limit: Limits.postEventBytes)
    }.compactMap { try? PostEvent($0, name: notice) }.first
  }

  func retry(_ letter: DeadLetter) throws(SystemFailure) {
    try PrivateFiles.rename("\(path)/dead/\(letter.name)", to: "\(path)/retry/\(letter.name)")
  }

  /// In one step, whatever becomes of its files.
  func drop(_ letter: DeadLetter) throws(SystemFailure) {
    let gone = "\(path)/dead/.\(letter.name)"
    try PrivateFiles.removeTree(gone)
    try PrivateFiles.rename("\(path)/dead/\(letter.name)", to: gone)
    try PrivateFiles.removeTree(gone)
  }

  /// What became of a notice's deliveries, and how those stand that are at work.
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

  /// The program's last report; nil where it never wrote one.
  func report() -> SenderReport? {
    guard let bytes = try? PrivateFiles.bytes("\(path)/channels.json", limit: Limits.senderReportBytes) else {
      return nil
    }
    return try? SenderReport(bytes)
  }

  /// Receipts for which the daemon's folder has no room.
  func untold() throws -> Int { try PrivateFiles.names(in: "\(path)/untold").count { Receipt.isFileName($0) } }

  /// Whether the program holds its lock; asked of the kernel, for to try the lock could keep a start away.
  var isAtWork: Bool {
    var status = stat()
    guard lstat("\(path)/lock", &status) == 0, let bytes = try? PrivateFiles.bytes("/proc/locks", limit: 4 << 20) else {
      return false
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").contains {
      $0.contains(" FLOCK ") && $0.contains(":\(status.st_ino) ")
    }
  }
}
