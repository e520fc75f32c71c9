import CLinux
import Glibc

/// Tells a crash from a kill: what traps or aborts leaves a mark behind, what is killed from outside does not.
///
/// A run that was under way when the daemon crashed may be the cause, and is counted against; one that was under way when
/// somebody pulled the plug is innocent, however often that happens.
package enum CrashMark {
  /// Arms the mark at `path` for this process.
  ///
  /// - Returns: whether the process before this one crashed.
  /// - Throws: `SystemFailure` where the mark cannot be made.
  package static func arm(path: String) throws(SystemFailure) -> Bool {
    let descriptor = poolflow_openat(AT_FDCWD, path, O_RDWR | O_CREAT | O_APPEND, 0o600)
    guard descriptor >= 0 else { throw SystemFailure("cannot make '\(path)'") }
    var status = stat()
    let hadCrashed = fstat(descriptor, &status) == 0 && status.st_size > 0
    // Kept open for the process's life: a crash has no time to open anything.
    guard ftruncate(descriptor, 0) == 0, poolflow_mark_crashes(descriptor) == 0 else {
      let code = errno
      close(descriptor)
      throw SystemFailure("cannot arm '\(path)'", code: code)
    }
    return hadCrashed
  }
}
