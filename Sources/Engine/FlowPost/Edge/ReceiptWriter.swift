import FlowModel
import FlowNotices
import FlowPlatform

/// Writes receipts and reports to the daemon's folder. Receipts for which that folder has no space are kept in the state folder.
/// A failure never delays a delivery.
final class ReceiptWriter {
  private var drop: ReceiptDrop
  private let folder: PostFolder
  private let disk: ErrorBackoff

  /// - Parameter path: the daemon's folder of receipts.
  init(path: String, _ folder: PostFolder, disk: ErrorBackoff) {
    (drop, self.folder, self.disk) = (ReceiptDrop(path: path), folder, disk)
  }

  /// Uses another folder of receipts, after a reload of the settings.
  func use(path: String) { drop = ReceiptDrop(path: path) }

  /// Writes a receipt, unless the delivery is a notice of poolflow-post itself.
  ///
  /// - Parameter isFinal: true to keep the receipt if the daemon's folder has no space.
  func write(_ bytes: [UInt8], of delivery: Delivery, isFinal: Bool = true) {
    guard !delivery.isOwnNotice else { return }
    let name = Receipt.fileName(of: delivery.key, sum: SHA256.hex(of: bytes))
    guard drop.write(name, bytes) == .folderFull, isFinal else { return }
    do {
      guard try !folder.keepPendingReceipt(name, bytes) else { return }
      disk.warnOnce(
        "the daemon does not read '\(drop.path)', and \(Limits.postReceipts) receipts wait: new ones are dropped")
    } catch {
      disk.warnOnce("a receipt could not be kept: \(error)")
    }
  }

  /// Moves kept receipts to the daemon's folder while it has space.
  func writeKeptReceipts() {
    disk.perform {
      for name in try folder.pendingReceipts() {
        guard drop.write(name, try folder.pendingReceipts(name)) == .written else { break }
        try folder.removePendingReceipt(name)
      }
    }
  }

  /// Writes the sender's report to the state folder and beside the receipts.
  func writeReport(_ report: [UInt8]) throws {
    try folder.writeReport(report)
    _ = drop.writeReport(report)
  }
}
