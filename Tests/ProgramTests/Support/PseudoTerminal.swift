import FlowPlatform
import Glibc

/// A program with a terminal of a given size as its standard input, output and error output.
///
/// It is killed and reaped when the last reference is released.
final class PseudoTerminal {
  private let master: Int32
  private let child: ChildProgram
  private var isReaped = false

  // Macros missing from the Glibc module: TIOCSPTLCK and TIOCGPTN of asm-generic/ioctls.h.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// - Parameter environment: `TERM` is `xterm` unless set here.
  init(
    _ program: String, _ arguments: [String], columns: UInt16, rows: UInt16 = 50, environment: [String: String]
  ) throws {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (number, unlocked): (Int32, Int32) = (0, 0)
    guard master >= 0, ioctl(master, Self.setLock, &unlocked) == 0, ioctl(master, Self.getNumber, &number) == 0 else {
      throw CannotStart(description: "no pseudo-terminal: \(errno)")
    }
    self.master = master
    let name = "/dev/pts/\(number)"
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(master, UInt(TIOCSWINSZ), &size) == 0 else { throw CannotStart(description: "no size: \(errno)") }

    let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw CannotStart(description: "cannot open '\(name)': \(errno)") }
    defer { close(slave) }
    // In its own session the terminal is the controlling one. Background jobs of a script ignore Ctrl-C, and children inherit
    // that.
    child = try ChildProgram(
      "/usr/bin/setsid", ["--ctty", "/usr/bin/env", "--default-signal=INT,QUIT", program] + arguments,
      environment: ["TERM": "xterm", "PATH": "/usr/bin:/bin"].merging(environment) { $1 },
      [0: .descriptor(slave), 1: .descriptor(slave), 2: .descriptor(slave)])
  }

  deinit {
    if !isReaped {
      kill(child.pid, SIGKILL)
      reap()
    }
    close(master)
  }

  func type(_ text: String) throws {
    guard write(master, text, text.utf8.count) == text.utf8.count else { throw CannotStart(description: "no keyboard") }
  }

  /// The screen's text up to the point where it contains `text`.
  func screen(until text: String, within limit: Duration = .patience) throws -> String {
    try read(within: limit) { $0.contains(text) }
  }

  /// The screen's text up to the program's end, and the exit code; 128 plus the signal's number after a signal.
  func end(within limit: Duration = .patience) throws -> (screen: String, code: Int32) {
    let screen = try read(within: limit) { _ in false }
    return (screen, reap())
  }

  private func read(within limit: Duration, until isEnough: (String) -> Bool) throws -> String {
    let deadline = Deadline(limit)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let text = String(decoding: bytes, as: UTF8.self)
      if isEnough(text) { return text }
      guard isReadable(master, by: deadline) else { throw TooLate(description: "the screen has only: \(text)") }
      let count = Glibc.read(master, &buffer, buffer.count)
      // EIO is a terminal's end of file: no process has it open any more.
      if count <= 0 { return text }
      bytes += buffer[..<count]
    }
  }

  @discardableResult
  private func reap() -> Int32 {
    guard !isReaped else { return 0 }
    isReaped = true
    switch child.end() {
    case .exit(let code): return code
    case .signal(let number): return 128 + number
    }
  }
}
