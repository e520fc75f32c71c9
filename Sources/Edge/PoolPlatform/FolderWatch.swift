import CLinux
import Glibc
import PoolModel

/// Says that something came into a folder, the moment it is there: a thread that sleeps in the kernel until then.
///
/// It is a hint alone: where the kernel has no watch left nothing is said, and whoever looks now and then finds it.
package final class FolderWatch: Sendable {
  private let events: Int32
  /// Its end ends the thread.
  private let end: Int32

  /// - Parameter came: called on a thread of its own; it returns at once.
  /// - Throws: `SystemFailure` where the kernel gives none.
  package init(_ came: @escaping @Sendable () -> Void) throws(SystemFailure) {
    let events = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard events >= 0 else { throw SystemFailure("cannot watch folders") }
    var ends: (reading: Int32, writing: Int32) = (-1, -1)
    do throws(SystemFailure) {
      ends = try ChildProgram.pipe()
      let reading = ends.reading
      try SystemThread.start {
        Self.wait(for: events, until: reading, came)
        close(events)
        close(reading)
      }
    } catch {
      // It is tried again, as often as somebody looks.
      for descriptor in [events, ends.reading, ends.writing] where descriptor >= 0 { close(descriptor) }
      throw error
    }
    (self.events, end) = (events, ends.writing)
  }

  deinit { close(end) }

  /// Of what is renamed into it from now on; the same folder twice is one. A folder that is not there yet is none.
  ///
  /// - Parameter made: also of what is made in it.
  package func add(_ path: String, made: Bool = false) {
    // The number is of no use: every event means the same.
    _ = inotify_add_watch(events, path, UInt32(IN_MOVED_TO) | (made ? UInt32(IN_CREATE) : 0))
  }

  private static func wait(for events: Int32, until end: Int32, _ came: () -> Void) {
    var buffer = [UInt8](repeating: 0, count: 4 << 10)
    while true {
      var polled = [
        pollfd(fd: events, events: Int16(POLLIN), revents: 0), pollfd(fd: end, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, -1) > 0 else {
        if errno == EINTR { continue }
        return
      }
      if polled[1].revents != 0 { return }
      while read(events, &buffer, buffer.count) > 0 {}
      came()
    }
  }
}
