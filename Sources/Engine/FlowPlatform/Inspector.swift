internal import Glibc

/// Runs `poolflowd --inspect` as a child process, which answers requests about a store that no daemon has open, on a
/// private socket.
///
/// The child ends when this object is released.
package final class Inspector {
  package let socketPath: String
  private let folder: String
  private let child: ChildProgram
  /// The writing end of a pipe to the child's standard input; the child exits when it closes.
  private let lifeline: Int32

  /// Starts the child.
  ///
  /// - Parameters:
  ///   - program: the path of `poolflowd`.
  ///   - arguments: the arguments after `--inspect`.
  /// - Throws: `SystemFailure` or `SocketError`.
  package init(program: String, arguments: [String], environment: [String: String]) throws {
    let folder = try Self.privateFolder(environment)
    var lifeline: Int32?
    do {
      socketPath = folder + "/control.sock"
      let listener = try UnixSocketListener(path: socketPath, mode: 0o600)
      let (reading, writing) = try ChildProgram.pipe()
      lifeline = writing
      defer { close(reading) }
      child = try ChildProgram(
        program, ["--inspect"] + arguments, environment: environment,
        [
          0: .descriptor(reading), 3: .descriptor(listener.socket.descriptor), 1: .writing("/dev/null"),
          2: .writing(folder + "/errors"),
        ])
      self.lifeline = writing
      self.folder = folder
    } catch {
      if let lifeline { close(lifeline) }
      Self.remove(folder)
      throw error
    }
  }

  deinit {
    close(lifeline)
    child.end()
    Self.remove(folder)
  }

  /// The first 4 KiB of the child's stderr, which explain an early exit.
  package var words: String {
    let descriptor = open(folder + "/errors", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4 << 10)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// The path of `poolflowd`: beside this program, or in the usual system directories; nil if there is none.
  package static func daemonProgram() -> String? { OwnProgram.siblingProgram("poolflowd") }

  private static func privateFolder(_ environment: [String: String]) throws(SystemFailure) -> String {
    let parent = environment["XDG_RUNTIME_DIR"] ?? environment["TMPDIR"] ?? "/tmp"
    var template = (parent + "/pfctl-XXXXXX").utf8CString.map { $0 }
    // Made by mkdtemp with mode 0700, so other users cannot enter it.
    guard mkdtemp(&template) != nil else { throw SystemFailure("cannot make a folder in '\(parent)'") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Errors are ignored: a remaining folder is empty and in a directory for temporary files.
  private static func remove(_ folder: String) {
    for name in ["control.sock", "errors"] { unlink(folder + "/" + name) }
    rmdir(folder)
  }
}
