import CLinux
import Glibc

/// Threads for work that blocks in the kernel or must run at once. Unlike libdispatch's threads they need no timer wake-ups.
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
    try start(body, state: PTHREAD_CREATE_DETACHED)
  }

  /// Runs `body` on a new thread, which the caller must join. The thread releases `body` before it ends.
  ///
  /// - Throws: `SystemFailure` if no thread can be started.
  static func startJoinable(_ body: @escaping @Sendable () -> Void) throws(SystemFailure) -> pthread_t {
    try start(body, state: PTHREAD_CREATE_JOINABLE)
  }

  @discardableResult
  private static func start(_ body: @escaping @Sendable () -> Void, state: Int) throws(SystemFailure) -> pthread_t {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(state))
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
    return thread
  }
}
