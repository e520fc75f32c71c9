package import PoolModel
package import PoolNotices

/// Decides which facts about the machine the operator is notified of: a notice when the disk runs low or the clock is
/// implausible, repeated only after the condition has ended in between. It reads no clock and no disk.
package struct MachineNews: Sendable {
  /// The identifiers of the notices whose conditions still hold.
  private var told: Set<String> = []

  package init() {}

  /// Free bytes at which a shortage ends: 25 % more than the warning limit, so that a disk near the limit causes one notice
  /// only.
  private static let enough = Limits.freeSpaceWarning + Limits.freeSpaceWarning / 4

  /// Returns the new notices for the present state of the machine.
  ///
  /// - Parameters:
  ///   - freeBytes: free disk space; nil if the file system did not answer, which the store reports itself.
  ///   - path: the state folder.
  package mutating func look(freeBytes: Int?, at path: String, now: Timestamp) -> [OperatorNotice] {
    var news: [OperatorNotice] = []
    if now < Limits.earliestPlausibleNow {
      let notice = OperatorNotice.clockImplausible(now: now)
      if told.insert(notice.word).inserted { news.append(notice) }
    } else {
      told.remove(OperatorNotice.clockImplausible(now: now).word)
    }
    guard let freeBytes else { return news }
    let low = OperatorNotice.diskLow(path: path, freeBytes: freeBytes)
    if freeBytes < Limits.freeSpaceWarning {
      if told.insert(low.word).inserted { news.append(low) }
    } else if freeBytes >= Self.enough {
      told.remove(low.word)
    }
    return news
  }

  /// Lets the next `look` return the notice again, because it could not be stored.
  package mutating func forget(_ notice: OperatorNotice) { told.remove(notice.word) }
}
