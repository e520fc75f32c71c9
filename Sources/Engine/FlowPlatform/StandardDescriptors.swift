import Glibc

/// The descriptors 0, 1 and 2 of this process.
package enum StandardDescriptors {
  /// Opens /dev/null for each of the descriptors 0 to 2 that the parent process left closed, so that no other file gets
  /// their number.
  package static func openMissing() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // open returns the lowest free number, which is the closed descriptor.
      _ = open("/dev/null", O_RDWR)
    }
  }
}

/// Standard input, used to detect that the parent process has ended.
package enum StandardInput {
  /// Calls `body` once, on its own thread, when standard input ends or fails; the data before that is discarded.
  ///
  /// - Throws: `SystemFailure` if no thread can be started.
  package static func onEnd(_ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
    try SystemThread.start {
      var byte: UInt8 = 0
      while true {
        let count = read(0, &byte, 1)
        if count > 0 || (count < 0 && errno == EINTR) { continue }
        return body()
      }
    }
  }
}
