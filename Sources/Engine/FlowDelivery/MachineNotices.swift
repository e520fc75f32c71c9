package import FlowModel
package import FlowNotices

/// Decides which facts about the machine the operator is notified of: a notice when the disk runs low or the clock is
/// implausible, repeated only after the condition has ended in between. It reads no clock and no disk.
package struct MachineNotices: Sendable {
  /// The identifiers of the notices whose conditions still hold.
  private var notified: Set<String> = []

  package init() {}

  /// Free bytes at which a shortage ends: 25 % more than the warning limit, so that a disk near the limit causes one notice
  /// only.
  private static let recoveryThreshold = Limits.freeSpaceWarning + Limits.freeSpaceWarning / 4

  /// Returns the new notices for the present state of the machine.
  ///
  /// - Parameters:
  ///   - freeBytes: free disk space; nil if the file system did not answer, which the store reports itself.
  ///   - path: the state folder.
  package mutating func newNotices(freeBytes: Int?, at path: String, now: Timestamp) -> [OperatorNotice] {
    var notices: [OperatorNotice] = []
    if now < Limits.earliestPlausibleNow {
      let notice = OperatorNotice.clockImplausible(now: now)
      if notified.insert(notice.word).inserted { notices.append(notice) }
    } else {
      notified.remove(OperatorNotice.clockImplausible(now: now).word)
    }
    guard let freeBytes else { return notices }
    let low = OperatorNotice.diskLow(path: path, freeBytes: freeBytes)
    if freeBytes < Limits.freeSpaceWarning {
      if notified.insert(low.word).inserted { notices.append(low) }
    } else if freeBytes >= Self.recoveryThreshold {
      notified.remove(low.word)
    }
    return notices
  }

  /// Lets the next `newNotices` return the notice again, because it could not be stored.
  package mutating func forget(_ notice: OperatorNotice) { notified.remove(notice.word) }
}
