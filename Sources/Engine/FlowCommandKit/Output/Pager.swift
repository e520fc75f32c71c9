internal import FlowPlatform
internal import Glibc

/// The pager program for long output on a terminal.
///
/// Used only from the main thread of `pfctl`.
final class Pager {
  private let child: ChildProgram
  let input: Int32

  /// Nil if the pager cannot be started: the output then goes directly to the terminal.
  init?(_ command: String, environment: [String: String]) {
    guard let (reading, writing) = try? ChildProgram.pipe() else { return nil }
    defer { close(reading) }
    // The options that systemctl uses: quit if the text fits, show colours, keep the text on the screen.
    let standard = environment["LESS"] == nil ? ["LESS": "FRSXMK"] : [:]
    let child = try? ChildProgram(
      "/bin/sh", ["-c", command], environment: environment.merging(standard) { own, _ in own },
      [0: .descriptor(reading)])
    guard let child else {
      close(writing)
      return nil
    }
    // If the reader quits early, a write fails with EPIPE instead of killing this process.
    signal(SIGPIPE, SIG_IGN)
    self.child = child
    input = writing
  }

  /// Waits until the pager exits.
  func finish() {
    close(input)
    child.end()
  }

  /// The pager's command line; nil if `PAGER` is empty or `cat`, or `less` is not installed.
  static func command(_ environment: [String: String]) -> String? {
    if let wanted = environment["PFCTL_PAGER"] ?? environment["PAGER"] {
      return wanted.isEmpty || wanted == "cat" ? nil : wanted
    }
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.contains { access("\($0)/less", X_OK) == 0 } ? "less" : nil
  }
}
