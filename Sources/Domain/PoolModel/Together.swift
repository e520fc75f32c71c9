import Glibc
import Synchronization

/// Runs two pieces of work at the same time, each on a core of its own where there are two, and returns when both are done.
///
/// For work of milliseconds that must be done before its caller can go on: the caller's thread does one of the pieces, and
/// both where there is no other thread to be had. That other is new: a thread that is woken begins on the core where it last
/// ran, behind its waker where that is the same, until the kernel looks at the balance milliseconds later; a new one begins
/// on the idlest.
package func together<First: Sendable, Second: Sendable>(
  _ first: @Sendable () -> First, _ second: @Sendable () -> Second
) -> (First, Second) {
  withoutActuallyEscaping(second) { second in
    let piece = Piece(second)
    // The thread ends before this function does, which holds what it is given.
    let other = thread(for: piece)
    let value = first()
    if let other { pthread_join(other, nil) } else { piece.run() }
    guard let made = piece.value.withLock({ $0 }) else { preconditionFailure("a thread that was joined has not run") }
    return (value, made)
  }
}

private func thread(for piece: AnyPiece) -> pthread_t? {
  var thread = pthread_t()
  let code = unsafe pthread_create(
    &thread, nil,
    { pointer in
      if let pointer = unsafe pointer { unsafe Unmanaged<AnyPiece>.fromOpaque(pointer).takeUnretainedValue().run() }
      return nil
    }, Unmanaged.passUnretained(piece).toOpaque())
  return code == 0 ? thread : nil
}

/// What a thread is given; its type is not known there.
private class AnyPiece: @unchecked Sendable {
  func run() {}
}

private final class Piece<Value: Sendable>: AnyPiece, @unchecked Sendable {
  private let body: @Sendable () -> Value
  let value = Mutex<Value?>(nil)

  init(_ body: @escaping @Sendable () -> Value) { self.body = body }

  override func run() {
    let made = body()
    value.withLock { $0 = made }
  }
}
