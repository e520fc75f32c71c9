import Glibc
import PoolDelivery
import PoolModel
import PoolNotices

/// The folder in which the daemon reads what became of its notices. Neither trusts the other: a file lies there whole under
/// a name that is its content's own, or not at all, and nobody waits for anybody.
final class ReceiptDrop {
  enum Outcome: Hashable { case handedOver, nobodyReads, noRoom }

  let path: String
  private let limit: Int
  private let calls = LinuxFileCalls()
  /// At most so many lie there: counted once, and from then on only ours are added.
  private var count: Int?

  init(path: String, limit: Int = Limits.postReceipts) { (self.path, self.limit) = (path, limit) }

  func put(_ name: String, _ bytes: [UInt8]) -> Outcome {
    let folder: Int32
    do { folder = try calls.openFolder(path) } catch { return error.code == ENOENT ? .nobodyReads : .noRoom }
    defer { close(folder) }
    do throws(CallFailure) {
      if try count(in: folder) >= limit { return .noRoom }
      // The same name is the same receipt.
      if (try? calls.identity(of: name, in: folder)) == nil {
        try put(bytes, as: name, in: folder)
        count = (count ?? 0) + 1
      }
      return .handedOver
    } catch {
      return .noRoom
    }
  }

  /// Puts the sender's report beside the receipts, in the place of the one before.
  ///
  /// - Returns: whether it is there.
  func say(_ report: [UInt8]) -> Bool {
    let folder: Int32
    do { folder = try calls.openFolder(path) } catch { return false }
    defer { close(folder) }
    do throws(CallFailure) {
      try put(report, as: SenderReport.fileName, in: folder)
      return true
    } catch {
      return false
    }
  }

  private func count(in folder: Int32) throws(CallFailure) -> Int {
    if let count, count < limit { return count }
    let found = try calls.names(in: folder).count
    count = found
    return found
  }

  private func put(_ bytes: [UInt8], as name: String, in folder: Int32) throws(CallFailure) {
    let draft = ".\(name).new"
    // What a crash left of it.
    do { try calls.remove(draft, in: folder) } catch  where error.code == ENOENT {}
    // Whoever may enter the folder may read it: the daemon is another user.
    let file = try calls.create(draft, in: folder, mode: 0o644)
    do throws(CallFailure) {
      var rest = bytes[...]
      while !rest.isEmpty { rest = rest.dropFirst(try calls.write(rest, to: file)) }
      try calls.sync(file)
    } catch {
      close(file)
      throw error
    }
    close(file)
    try calls.replace(name, by: draft, in: folder)
    try calls.sync(folder)
  }

  private func close(_ descriptor: Int32) {
    // What matters was flushed before.
    do { try calls.close(descriptor) } catch {}
  }
}
