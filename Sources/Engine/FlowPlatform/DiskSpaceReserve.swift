import FlowModel
import Glibc

/// A file that reserves disk space. When other programs have filled the disk, deleting the file lets the store open and
/// checkpoint its write-ahead log.
package struct DiskSpaceReserve: Sendable {
  package let path: String
  private let folder: String

  /// Creates a reserve; `keep` makes its file.
  ///
  /// - Parameter folder: a folder on the file system that may fill up.
  package init(in folder: String) {
    self.folder = folder
    path = folder + "/reserve"
  }

  /// Creates the file if it is missing and the disk has plenty of free space. On failure, the next call tries again.
  package func keep() {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= Limits.reserveBytes { return }
    // Without this margin the reserve itself would cause the shortage that it guards against.
    guard let space = DiskSpace(at: folder), space.freeBytes >= 4 * Limits.reserveBytes else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let code = posix_fallocate(descriptor, 0, off_t(Limits.reserveBytes))
    close(descriptor)
    // An incomplete reserve is deleted; the next call creates it again.
    if code != 0 { unlink(path) }
  }

  package var isPresent: Bool { FileFacts.exists(path) }

  /// Deletes the file, which frees its space.
  ///
  /// - Returns: false if there was no file.
  package func giveUp() -> Bool { unlink(path) == 0 }
}
