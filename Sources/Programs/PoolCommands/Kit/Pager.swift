internal import Glibc
internal import PoolPlatform

/// The program that longer output on a terminal goes through.
///
/// Used from the one thread of `pfctl`.
final class Pager {
  private let child: ChildProgram
  let input: Int32

  /// Nil where the pager cannot be started: the output then goes straight to the terminal.
  init?(_ command: String, environment: [String: String]) {
    guard let (reading, writing) = try? ChildProgram.pipe() else { return nil }
    defer { close(reading) }
    // As systemctl does: quit where it fits, show colours, keep the text on the screen.
    let standard = environment["LESS"] == nil ? ["LESS": "FRSXMK"] : [:]
    let child = try? ChildProgram(
      "/bin/sh", ["-c", command], environment: environment.merging(standard) { own, _ in own },
      [0: .descriptor(reading)])
    guard let child else {
      close(writing)
      return nil
    }
    // A reader who quits early ends our writing, not us.
    signal(SIGPIPE, SIG_IGN)
    self.child = child
    input = writing
  }

  /// Waits until the reader has had enough.
  func finish() {
    close(input)
    child.end()
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
