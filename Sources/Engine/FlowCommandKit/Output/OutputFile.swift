internal import FlowControl
internal import FlowModel
internal import Glibc

/// A file that a command writes for its caller: complete or not at all.
package enum OutputFile {
  /// - Throws: `CommandFailure` with exit code 73 if the file cannot be created, 74 if it cannot be written.
  package static func write(_ text: String, to path: String) throws(CommandFailure) {
    let partial = path + ".partial"
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else {
      throw CommandFailure(
        name: "cannot-create", message: "cannot make '\(visible(path))': \(String(cString: strerror(errno)))",
        exitCode: ExitCode.cannotCreate)
    }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        return try fail(descriptor, partial, path)
      }
    }
    guard close(descriptor) == 0, rename(partial, path) == 0 else { return try fail(-1, partial, path) }
  }

  private static func fail(_ descriptor: Int32, _ partial: String, _ path: String) throws(CommandFailure) {
    let reason = String(cString: strerror(errno))
    if descriptor >= 0 { close(descriptor) }
    unlink(partial)
    throw .inputOutput("cannot write '\(visible(path))': \(reason)")
  }
}
