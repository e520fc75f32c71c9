import CLinux
import Glibc

/// Distinguishes a crash from a kill: a signal handler writes a mark into a file when the process traps or aborts, but
/// not when it is killed from outside.
///
/// A run that was active during a crash may have caused it, and the crash counts as a failed attempt of that run. A run
/// that was active during a kill or power failure is not blamed.
package enum CrashMark {
  /// Installs the crash handler for this process, with the mark at `path`.
  ///
  /// - Returns: true if the previous process crashed.
  /// - Throws: `SystemFailure` if the file or the handler cannot be set up.
  package static func arm(path: String) throws(SystemFailure) -> Bool {
    let descriptor = poolflow_openat(AT_FDCWD, path, O_RDWR | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else { throw SystemFailure("cannot make '\(path)'") }
    var status = stat()
    let hadCrashed = fstat(descriptor, &status) == 0 && status.st_size > 0
    // The descriptor stays open until the process ends, because a crash handler must not open files.
    guard ftruncate(descriptor, 0) == 0, poolflow_mark_crashes(descriptor) == 0 else {
      let code = errno
      close(descriptor)
      throw SystemFailure("cannot arm '\(path)'", code: code)
    }
    return hadCrashed
  }
}
