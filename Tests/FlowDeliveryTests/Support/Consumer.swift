import Foundation
import Glibc
import Synchronization

/// Takes every file out of `new/` at once and records it.
final class Consumer: Sendable {
  private let folder: String
  private let taken = Mutex<[(name: String, bytes: [UInt8])]>([])

  init(_ folder: String) {
    self.folder = folder
  }

  func take() {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names {
      guard let data = FileManager.default.contents(atPath: "\(folder)/\(name)") else { continue }
      unlink("\(folder)/\(name)")
      taken.withLock { $0.append((name, Array(data))) }
    }
  }

  var files: [(name: String, bytes: [UInt8])] { taken.withLock { $0 } }
}

/// Waits until a pipe's last reader is gone. Another test's child process holds copies of all descriptors between fork and
/// exec, even with close-on-exec.
func waitUntilBroken(_ writing: Int32) throws {
  for _ in 1...10_000 {
    var state = pollfd(fd: writing, events: 0, revents: 0)
    if poll(&state, 1, 0) > 0, state.revents & Int16(POLLERR) != 0 { return }
    poll(nil, 0, 1)
  }
  throw StillRead()
}

struct StillRead: Error, CustomStringConvertible {
  let description = "ten seconds after its end was closed the pipe still has a reader"
}
