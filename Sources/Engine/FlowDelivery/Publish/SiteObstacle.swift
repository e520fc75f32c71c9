/// A published page, or a folder of pages, that is not up to date while the others are.
package struct SiteObstacle: Hashable, Sendable, CustomStringConvertible {
  /// The secret name of its folder, to find its owner; no message contains it. Nil for a file of the root.
  package let folder: String?
  package let error: DeliveryError

  package var description: String { error.description }
}

/// The outcome of bringing one folder up to date.
struct SiteOutcome: Sendable {
  /// The stamps of the files that are up to date.
  var stamps: [String: FileStamp] = [:]
  var obstacles: [SiteObstacle] = []
  /// True if a file was written and is durable.
  var hasWritten = false
}

extension DeliveryError {
  /// Whether the failure concerns this page only. A system call that failed for one page may fail for all of them.
  var concernsOnePage: Bool {
    switch self {
    case .pathOccupied, .replacedWhileWriting, .withdrawnFolderNotEmpty: true
    case .page(_, let error): error.concernsOnePage
    case .folderMissing, .notAFolder, .folderReplaced, .stagingLost, .differentFileSystems, .file, .folderFull,
      .diskSlow,
      .timedOut, .nameTaken, .unsafeName, .invalidDetails, .expired, .outputClosed, .outputBlocked, .output,
      .journalAbsent,
      .journalBusy, .journal, .store:
      false
    }
  }
}

extension DeliveryError {
  /// The failure without its page, for a failure that concerns every page.
  var withoutPage: DeliveryError {
    guard case .page(_, let error) = self else { return self }
    return error
  }
}
