internal import Glibc

/// The program that longer output on a terminal goes through.
///
/// Used from the one thread of `pfctl`.
final class Pager {
  private let pid: pid_t
  let input: Int32

  /// Nil where the pager cannot be started: the output then goes straight to the terminal.
  init?(_ command: String, environment: [String: String]) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    // As systemctl does: quit where it fits, show colours, keep the text on the screen.
    let standard = environment["LESS"] == nil ? ["LESS": "FRSXMK"] : [:]
    let line: [String] = ["sh", "-c", command]
    let words = line.map { strdup($0) } + [nil]
    let settings = environment.merging(standard) { own, _ in own }.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + settings { free(word) } }
    var started = pid_t()
    guard posix_spawn(&started, "/bin/sh", &actions, nil, words, settings) == 0 else {
      close(ends[1])
      return nil
    }
    // A reader who quits early ends our writing, not us.
    signal(SIGPIPE, SIG_IGN)
    pid = started
    input = ends[1]
  }

  /// Waits until the reader has had enough.
  func finish() {
    close(input)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
  }

  /// Nil where nothing should be paged: `PAGER` is empty or `cat`, or there is no `less`.
  static func command(_ environment: [String: String]) -> String? {
    if let wanted = environment["PFCTL_PAGER"] ?? environment["PAGER"] {
      return wanted.isEmpty || wanted == "cat" ? nil : wanted
    }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less" : nil
  }
}
