package import PoolModel
package import PoolNotices

/// Decides what of the machine the operator must hear: one word when the disk gets low or the clock cannot be right, and
/// again only after it was well. It reads no clock and no disk.
package struct MachineNews: Sendable {
  /// What the operator was told of, by its word, and has not become well since.
  private var told: Set<String> = []

  package init() {}

  /// Room that ends a shortage: a little more than begins it, so that a disk at the mark is told of once.
  private static let enough = Limits.freeSpaceWarning + Limits.freeSpaceWarning / 4

  /// - Parameters:
  ///   - freeBytes: nil where the file system does not answer; that is the store's to tell.
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

  /// It could not be told, so it is news again at the next look.
  package mutating func forget(_ notice: OperatorNotice) { told.remove(notice.word) }
}
