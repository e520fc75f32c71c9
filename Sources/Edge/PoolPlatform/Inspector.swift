internal import Glibc

/// `poolflowd --inspect` as a child of ours: answers at a socket of its own about a store that no daemon runs.
///
/// Ends with the last reference to it.
package final class Inspector {
  package let socketPath: String
  private let folder: String
  private let pid: pid_t
  /// Its end is the child's end.
  private let lifeline: Int32

  /// - Parameters:
  ///   - program: path of `poolflowd`.
  ///   - arguments: after `--inspect`.
  /// - Throws: `SystemFailure` or `SocketError`.
  package init(program: String, arguments: [String], environment: [String: String]) throws {
    let folder = try Self.privateFolder(environment)
    do {
      socketPath = folder + "/control.sock"
      let listener = try UnixSocketListener(path: socketPath, mode: 0o600)
      (pid, lifeline) = try Self.start(
        program, ["--inspect"] + arguments, environment, listener: listener.socket.descriptor,
        errors: folder + "/errors")
      self.folder = folder
    } catch {
      Self.remove(folder)
      throw error
    }
  }

  deinit {
    close(lifeline)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
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
  package static func daemonProgram() -> String? {
    let path = OwnProgram.path
    let folder = path.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
    let places = [folder, "/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].compactMap { $0 }
    return places.map { $0 + "/poolflowd" }.first { access($0, X_OK) == 0 }
  }

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

  private static func start(
    _ program: String, _ arguments: [String], _ environment: [String: String], listener: Int32, errors: String
  ) throws(SystemFailure) -> (pid: pid_t, lifeline: Int32) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemFailure("cannot make a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The copies come first: opening could take the number of one of them.
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_adddup2(&actions, listener, 3)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, errors, O_WRONLY | O_CREAT, 0o600)
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + settings { free(word) } }
    var started = pid_t()
    let code = posix_spawn(&started, program, &actions, nil, words, settings)
    guard code == 0 else {
      close(ends[1])
      throw SystemFailure("cannot start '\(program)'", code: code)
    }
    return (started, ends[1])
  }
}
