import Glibc
import PoolModel

/// A file of room that nobody needs while there is any: given up, it lets a store open and its log be written back on a
/// disk that others have filled.
package struct RoomReserve: Sendable {
  package let path: String
  private let folder: String

  /// - Parameter folder: on the file system that may be full.
  package init(in folder: String) {
    self.folder = folder
    path = folder + "/reserve"
  }

  /// Makes the file where it is missing and there is plenty of room; anything else is tried again at the next call.
  package func keep() {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= Limits.reserveBytes { return }
    // A reserve that takes what others need would bring about what it is for.
    guard let space = DiskSpace(at: folder), space.freeBytes >= 4 * Limits.reserveBytes else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    let code = posix_fallocate(descriptor, 0, off_t(Limits.reserveBytes))
    close(descriptor)
    // Half a reserve is none: the next call makes it anew.
    if code != 0 { unlink(path) }
  }

  package var isKept: Bool { FileFacts.exists(path) }

  /// Gives the room back to the file system.
  ///
  /// - Returns: false where there was none to give.
  package func giveUp() -> Bool { unlink(path) == 0 }
}
