internal import Glibc

/// `poolflowd --inspect` as a child of ours: answers at a socket of its own about a store that no daemon runs.
///
/// Ends with the last reference to it.
package final class Inspector {
  package let socketPath: String
  private let folder: String
  private let child: ChildProgram
  /// Its end is the child's end.
  private let lifeline: Int32

  /// - Parameters:
  ///   - program: path of `poolflowd`.
  ///   - arguments: after `--inspect`.
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

  /// What it has said on stderr, 4 KiB at most: why it ended, where it did.
  package var words: String {
    let descriptor = open(folder + "/errors", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4 << 10)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// `poolflowd` beside this program, or where packages put it; nil where there is none.
  package static func daemonProgram() -> String? { OwnProgram.neighbour("poolflowd") }

  private static func privateFolder(_ environment: [String: String]) throws(SystemFailure) -> String {
    let parent = environment["XDG_RUNTIME_DIR"] ?? environment["TMPDIR"] ?? "/tmp"
    var template = (parent + "/pfctl-XXXXXX").utf8CString.map { $0 }
    // Made for us alone, mode 0700.
    guard mkdtemp(&template) != nil else { throw SystemFailure("cannot make a folder in '\(parent)'") }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// What stays behind is empty and in a folder for temporary files.
  private static func remove(_ folder: String) {
    for name in ["control.sock", "errors"] { unlink(folder + "/" + name) }
    rmdir(folder)
  }
}
