import Glibc

/// A counting semaphore of the C library.
final class Semaphore: Sendable {
  // sem_t is thread-safe; the pointer never changes.
  private nonisolated(unsafe) let handle: UnsafeMutablePointer<sem_t>

  init() {
    handle = .allocate(capacity: 1)
    sem_init(handle, 0, 0)
  }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }

  func signal() { sem_post(handle) }

  func wait() {
    // A signal may interrupt the wait without a post.
    while sem_wait(handle) != 0, errno == EINTR {}
  }
}
