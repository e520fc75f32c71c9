import CLinux
import FlowModel
import Glibc

/// Calls a closure as soon as a file is moved into a watched folder (inotify). A thread of its own sleeps in the kernel
/// until then.
///
/// Only a hint: without a free inotify watch there are no calls, so the owner must also scan the folder from time to
/// time.
package final class FolderWatch: Sendable {
  private let events: Int32
  /// The writing end of a pipe; closing it ends the thread.
  private let end: Int32

  /// Starts the thread.
  ///
  /// - Parameter came: called on the watch's thread for each event; must return at once.
  /// - Throws: `SystemFailure` if the kernel has no inotify instance or thread left.
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
      // The caller retries at each of its scans, so this must not leak descriptors.
      for descriptor in [events, ends.reading, ends.writing] where descriptor >= 0 { close(descriptor) }
      throw error
    }
    (self.events, end) = (events, ends.writing)
  }

  deinit { close(end) }

  /// Watches a folder for files renamed into it. Adding a folder twice has no effect; a folder that does not exist is
  /// ignored.
  ///
  /// - Parameter made: true also reports files created in the folder.
  package func add(_ path: String, made: Bool = false) {
    // The watch number is not needed, because all events are handled alike.
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
