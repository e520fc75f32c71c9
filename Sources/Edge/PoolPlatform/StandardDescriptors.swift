import Glibc

package enum StandardDescriptors {
  /// Opens /dev/null in the place of every standard descriptor that whoever started us left closed.
  package static func fillHoles() {
    for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free number is the hole itself.
      _ = open("/dev/null", O_RDWR)
    }
  }
}

/// Descriptor 0, as a sign of life of whoever started us.
package enum StandardInput {
  /// Calls `body` once on a thread of its own when standard input ends or breaks; what comes before is thrown away.
  ///
  /// - Throws: `SystemFailure` when the system has no thread left.
  package static func whenEnded(_ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
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
