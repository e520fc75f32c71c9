import Foundation
import Glibc

/// A cause that would wake an idle process: a thread waiting with a timeout, or a due timer. It is read from `/proc`, so no
/// test has to wait.
struct OwnWakeUp: CustomStringConvertible {
  let description: String

  /// - Returns: nil if every thread waits for external events and no timer is due within `span`.
  static func next(of pid: pid_t, within span: Duration) throws -> OwnWakeUp? {
    let before = switches(of: pid)
    for task in Files.names(in: "/proc/\(pid)/task") {
      // The thread may have ended since the directory was listed.
      guard let text = try? Files.text("/proc/\(pid)/task/\(task)/syscall") else { continue }
      let call = text.trimmingCharacters(in: .whitespacesAndNewlines)
      if !waitsWithoutTimeout(call) { return OwnWakeUp(description: "thread \(task) is in \(call)") }
    }
    for name in Files.names(in: "/proc/\(pid)/fdinfo") {
      // Descriptors may be closed meanwhile.
      guard let text = try? Files.text("/proc/\(pid)/fdinfo/\(name)"),
        let left = text.firstMatch(of: /it_value: \((\d+), (\d+)\)/),
        let seconds = Int64(left.1), let nanoseconds = Int64(left.2), seconds + nanoseconds > 0
      else { continue }
      let due = Duration.seconds(seconds) + .nanoseconds(nanoseconds)
      if due < span { return OwnWakeUp(description: "timer \(name) is due in \(due)") }
    }
    return switches(of: pid) == before ? nil : OwnWakeUp(description: "a thread ran meanwhile")
  }

  /// The total number of voluntary context switches of its threads.
  private static func switches(of pid: pid_t) -> Int {
    let tasks = "/proc/\(pid)/task"
    return Files.names(in: tasks).reduce(0) { sum, task in
      let words = (try? Files.text("\(tasks)/\(task)/status"))?.firstMatch(of: /\nvoluntary_ctxt_switches:\s*(\d+)/)
      return sum + (words.flatMap { Int($0.1) } ?? 0)
    }
  }

  /// - Parameter call: a line of `/proc/PID/task/TID/syscall`: the call's number and its arguments, or `running`.
  private static func waitsWithoutTimeout(_ call: String) -> Bool {
    let fields = call.split(separator: " ")
    guard fields.count > 6, let number = Int(fields[0]) else { return false }
    let arguments = fields[1...6].map { UInt64($0.dropFirst(2), radix: 16) ?? 0 }
    guard let timeout = timeouts[number] else { return false }
    return switch timeout {
    case .never: true
    case .pointer(let index): arguments[index] == 0
    case .milliseconds(let index): Int32(truncatingIfNeeded: arguments[index]) < 0
    }
  }

  /// The argument of a blocking call that holds its timeout.
  private enum Timeout {
    case never
    /// A pointer; null means no timeout.
    case pointer(Int)
    /// Milliseconds; negative means no timeout.
    case milliseconds(Int)
  }

  /// Blocking calls by the kernel's call numbers.
  #if arch(x86_64)
    private static let timeouts: [Int: Timeout] = [
      0 /* read */: .never, 7 /* poll */: .milliseconds(2), 128 /* rt_sigtimedwait */: .pointer(2),
      130 /* rt_sigsuspend */: .never, 202 /* futex */: .pointer(3), 232 /* epoll_wait */: .milliseconds(3),
      271 /* ppoll */: .pointer(2), 281 /* epoll_pwait */: .milliseconds(3),
    ]
  #else
    private static let timeouts: [Int: Timeout] = [
      22 /* epoll_pwait */: .milliseconds(3), 63 /* read */: .never, 73 /* ppoll */: .pointer(2),
      98 /* futex */: .pointer(3), 133 /* rt_sigsuspend */: .never, 137 /* rt_sigtimedwait */: .pointer(2),
    ]
  #endif
}
