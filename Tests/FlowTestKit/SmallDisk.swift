import FlowPlatform
import FoundationEssentials
import Glibc

/// A small file system of a test that can be filled to its last byte; removed with the last reference.
package final class SmallDisk: Sendable {
  package let path: String
  private let kilobytes: Int
  private var filler: String { path + "/filler" }

  /// - Parameters:
  ///   - path: an empty folder, created if missing.
  ///   - kilobytes: its size.
  /// - Throws: `MissingRequirement` if this user may not mount file systems.
  package init(at path: String, kilobytes: Int) throws {
    guard Requirement.mounting.isMet else { throw MissingRequirement(.mounting) }
    self.path = path
    self.kilobytes = kilobytes
    mkdir(path, 0o700)
    guard mount("tmpfs", path, "tmpfs", 0, "size=\(kilobytes)k,mode=700") == 0 else {
      throw SystemFailure("cannot mount a file system at '\(path)'")
    }
  }

  deinit { unmount() }

  /// Unmounts it now, while its parent folder still exists; a second call does nothing.
  package func unmount() { umount2(path, Int32(MNT_DETACH)) }

  /// Fills the disk except for `left` bytes: the file system shrinks to its used size.
  package func fill(leaving left: Int = 0) {
    // A size of 0 would mean unlimited.
    if let file = fopen(filler, "w") {
      fputs("a page", file)
      fclose(file)
    }
    var room = statvfs()
    guard statvfs(path, &room) == 0 else { return }
    resize(to: (Int(room.f_blocks) - Int(room.f_bfree)) * Int(room.f_frsize) / 1_024 + left / 1_024)
  }

  package func makeRoom() {
    unlink(filler)
    resize(to: kilobytes)
  }

  private func resize(to kilobytes: Int) {
    let size = "size=\(kilobytes)k,mode=700"
    if mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), size) != 0 { fatalError("\(path): errno \(errno)") }
  }
}
