import CLinux
import Glibc

/// A thread of our own, for work that waits in the kernel. libdispatch's threads retire by timers; these just sleep.
package enum SystemThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new detached thread.
  ///
  /// - Throws: `SystemFailure` when the system has no thread left.
  package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemFailure) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let retained = Unmanaged.passRetained(Body(body))
    let code = pthread_create(
      &thread, &attributes,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Body>.fromOpaque(pointer).takeRetainedValue().run()
        return nil
      }, retained.toOpaque())
    guard code == 0 else {
      retained.release()
      throw SystemFailure("cannot start a thread", code: code)
    }
  }
}
