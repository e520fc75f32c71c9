import Glibc

/// Records every file that is moved into a folder, even if it is removed at once (inotify(7)).
final class DropWatch {
  /// The names of events in order of arrival, repeated if an event arrives twice. Pages are not counted.
  private(set) var arrivals: [String] = []
  private let folder: String
  private let descriptor: Int32
  /// Removes each file as soon as it is seen, as a consumer does.
  private let takesAway: Bool

  /// - Parameter folder: an existing folder.
  init(_ folder: String, takesAway: Bool = false) throws {
    self.folder = folder
    self.takesAway = takesAway
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    let events = UInt32(IN_MOVED_TO | IN_CREATE)
    guard descriptor >= 0, inotify_add_watch(descriptor, folder, events) >= 0 else {
      throw CannotStart(description: "cannot watch '\(folder)': \(errno)")
    }
  }

  deinit {
    close(descriptor)
  }

  /// Records the arrivals since the last call.
  func look() {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return }
      var rest = buffer[..<count]
      // struct inotify_event: wd, mask, cookie and len of four bytes each, then the name, padded with NULs.
      while rest.count >= 16 {
        let length = rest.dropFirst(12).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let name = String(decoding: rest.dropFirst(16).prefix(length).prefix { $0 != 0 }, as: UTF8.self)
        rest = rest.dropFirst(16 + length)
        if name.hasSuffix(".json") { arrivals.append(name) }
        if takesAway { unlink("\(folder)/\(name)") }
      }
    }
  }

  /// Waits until `count` events have arrived in all.
  func wait(for count: Int, within limit: Duration = .patience) throws {
    let deadline = Deadline(limit)
    look()
    while arrivals.count < count {
      guard isReadable(descriptor, by: deadline) else {
        throw TooLate(description: "\(arrivals.count) of \(count) files came into '\(folder)' within \(limit)")
      }
      look()
    }
  }
}
