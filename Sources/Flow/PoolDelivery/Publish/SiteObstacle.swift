/// A published page, or a folder of pages, that is not as it should be while the others are.
package struct SiteObstacle: Hashable, Sendable, CustomStringConvertible {
  /// The secret name of its folder, for finding whose it is; it is in no text. Nil for a file of the root.
  package let folder: String?
  package let error: DeliveryError

  package var description: String { error.description }
}

/// The outcome of bringing one folder up to date.
struct SiteOutcome: Sendable {
  /// Of each file that is up to date.
  var stamps: [String: FileStamp] = [:]
  var obstacles: [SiteObstacle] = []
  /// A file was written, and is on the disk.
  var hasWritten = false
}

extension DeliveryError {
  /// Whether nothing but this one page can be the cause. A call that the disk refused may be refused for every page.
  var isOfOnePage: Bool {
    switch self {
    case .obstructed, .replacedMeanwhile, .withdrawnHolds: true
    case .page(_, let error): error.isOfOnePage
    case .folderMissing, .folderIsNoFolder, .folderReplaced, .stagingLost, .twoFileSystems, .file, .folderFull,
      .diskSlow,
      .stuck, .nameTaken, .unsafeName, .brokenDetails, .expired, .outputClosed, .outputBlocked, .output, .journalAbsent,
      .journalBusy, .journal, .store:
      false
    }
  }
}

extension DeliveryError {
  /// The same failure where it is every page's.
  var ofSink: DeliveryError {
    guard case .page(_, let error) = self else { return self }
    return error
  }
}
