import FoundationEssentials
import Glibc

/// A small file system of a test's own, which can be filled to its last byte; it goes with the last reference to it.
package final class SmallDisk: Sendable {
  package let path: String
  private var filler: String { path + "/filler" }

  /// Nil where this user may mount none: a test that needs one passes itself over then.
  ///
  /// - Parameters:
  ///   - path: an empty folder, made where it is missing.
  ///   - kilobytes: its size.
  package init?(at path: String, kilobytes: Int) {
    self.path = path
    mkdir(path, 0o700)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k,mode=700") == 0 else {
      print("passed over: this user may mount no file system")
      return nil
    }
  }

  deinit { unmount() }

  /// It goes now, while the folder it lies on is still there; a second time does nothing.
  package func unmount() { umount2(path, Int32(MNT_DETACH)) }

  /// Takes all the room there is, but for `left` bytes.
  package func fill(leaving left: Int = 0) {
    let descriptor = open(filler, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let page = [UInt8](repeating: 0x78, count: 4_096)
    while write(descriptor, page, page.count) == page.count {}
    var status = stat()
    if left > 0, fstat(descriptor, &status) == 0 { ftruncate(descriptor, max(0, status.st_size - off_t(left))) }
  }

  package func makeRoom() { unlink(filler) }
}
