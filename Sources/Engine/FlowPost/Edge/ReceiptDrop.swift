import FlowDelivery
import FlowModel
import FlowNotices
import Glibc

/// The folder from which the daemon reads the outcomes of its notices. Neither program trusts the other: a file is complete and
/// named by its checksum, and neither program waits for the other.
final class ReceiptDrop {
  /// The outcome of writing a receipt. `folderMissing`: the folder does not exist.
  enum Outcome: Hashable { case written, folderMissing, folderFull }

  let path: String
  private let limit: Int
  private let calls = LinuxFileSystemCalls()
  /// Upper bound of the number of files in the folder: counted once, then increased by each file this process adds.
  private var count: Int?

  init(path: String, limit: Int = Limits.postReceipts) { (self.path, self.limit) = (path, limit) }

  /// Writes a receipt; a receipt of that name is already there if the same one was written before.
  func write(_ name: String, _ bytes: [UInt8]) -> Outcome {
    let folder: Int32
    do { folder = try calls.openFolder(path) } catch { return error.code == ENOENT ? .folderMissing : .folderFull }
    defer { close(folder) }
    do throws(SystemCallError) {
      if try count(in: folder) >= limit { return .folderFull }
      // The name contains the receipt's checksum, so an equal name means an equal receipt.
      if (try? calls.identity(of: name, in: folder)) == nil {
        try write(bytes, as: name, in: folder)
        count = (count ?? 0) + 1
      }
      return .written
    } catch {
      return .folderFull
    }
  }

  /// Writes the sender's report beside the receipts, replacing the previous one.
  ///
  /// - Returns: false if it could not be written.
  func writeReport(_ report: [UInt8]) -> Bool {
    let folder: Int32
    do { folder = try calls.openFolder(path) } catch { return false }
    defer { close(folder) }
    do throws(SystemCallError) {
      try write(report, as: SenderReport.fileName, in: folder)
      return true
    } catch {
      return false
    }
  }

  private func count(in folder: Int32) throws(SystemCallError) -> Int {
    if let count, count < limit { return count }
    let found = try calls.names(in: folder).count
    count = found
    return found
  }

  /// Writes a file and puts it atomically at its name.
  private func write(_ bytes: [UInt8], as name: String, in folder: Int32) throws(SystemCallError) {
    let draft = ".\(name).new"
    // Remove the draft of an earlier crash.
    do { try calls.remove(draft, in: folder) } catch  where error.code == ENOENT {}
    // Readable by all users who may enter the folder, because the daemon is another user.
    let file = try calls.create(draft, in: folder, mode: 0o644)
    do throws(SystemCallError) {
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
    // The data is synced already, so an error of `close` does not matter.
    do { try calls.close(descriptor) } catch {}
  }
}
