import CLinux
import Glibc

/// A detached thread for work that blocks in the kernel. Unlike libdispatch's threads it needs no timer wake-ups.
package enum SystemThread {
  /// A closure as a class instance, which can be passed to pthread_create.
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new detached thread.
  ///
  /// - Throws: `SystemFailure` if no thread can be started.
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
