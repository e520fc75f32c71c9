import CLinux
import FlowModel
import FlowPlatform
import Glibc

/// One running curl or sendmail. Its arguments and environment contain nothing of the message: the request is in memory files,
/// which curl gets as descriptors 0 and 3, and sendmail as descriptor 0. curl's trace, which quotes logins and addresses, is
/// parsed and not kept.
final class Transfer {
  static let bodyPath = "/dev/fd/3"
  static let answerPath = "/dev/fd/4"
  static let curl = "/usr/bin/curl"

  let delivery: Delivery
  private let child: ChildProgram
  private let bodyBytes: Int
  private let isCurl: Bool
  /// The uptime at which the try ends, unless the server has the whole mail.
  private var deadline: Duration
  private let answerTimeout: Duration
  /// True once the server probably has the whole mail and only its answer is missing.
  private(set) var awaitsAnswer = false
  /// The pipes with the server's answer, curl's last line, and its trace; -1 after the end of each.
  private(set) var answer: Int32
  private(set) var report: Int32
  private(set) var trace: Int32
  /// A descriptor that becomes readable when the program ends; -1 if it must be polled.
  let exitDescriptor: Int32
  private(set) var isOver = false
  private var answerBytes: [UInt8] = []
  private var reportBytes: [UInt8] = []
  private(set) var dialogue = MailDialogue()
  private var wasKilled = false

  /// The channel's program cannot be run, which concerns that channel only.
  struct NoProgram: Error {}

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - timeout: the time limit of the try.
  ///   - answerTimeout: the additional time for a mail server to answer a whole mail.
  ///   - now: the machine's uptime.
  /// - Throws: `SystemFailure`, `CurlConfig.InvalidValue`, `NoProgram`.
  init(
    _ request: PostRequest, for delivery: Delivery, timeout: Duration, answerTimeout: Duration, at now: Duration
  ) throws {
    self.delivery = delivery
    bodyBytes = request.body.count
    isCurl = request.program == nil
    if let program = request.program, access(program, X_OK) != 0 { throw NoProgram() }
    self.answerTimeout = answerTimeout
    let isMail = request.envelope != nil
    // For HTTP curl's own limit applies first; this one is for a curl that hangs. sendmail has no limit of its own and may wait
    // for its server's answer.
    deadline = now + timeout + (!isCurl ? answerTimeout : isMail ? .zero : .seconds(5))
    let input = try Self.memoryFile(
      isCurl
        ? Array(try CurlConfig(request, timeout: isMail ? timeout + answerTimeout : timeout).text.utf8) : request.body)
    defer { close(input) }
    let body = try Self.memoryFile(isCurl ? request.body : [])
    defer { close(body) }
    var pipes: [(reading: Int32, writing: Int32)] = []
    defer { for pipe in pipes { close(pipe.writing) } }
    do {
      for _ in 0..<3 { pipes.append(try Self.pipe()) }
      let openings: KeyValuePairs<Int32, ChildProgram.Opening> =
        isCurl
        ? [
          0: .descriptor(input), 1: .descriptor(pipes[1].writing), 2: .descriptor(pipes[2].writing),
          3: .descriptor(body), 4: .descriptor(pipes[0].writing),
        ]
        : [0: .descriptor(input), 1: .descriptor(pipes[1].writing), 2: .descriptor(pipes[1].writing)]
      child = try ChildProgram(
        request.program ?? Self.curl, isCurl ? ["-q", "--config", "-"] : request.arguments,
        environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], ownGroup: true, openings)
    } catch {
      for pipe in pipes { close(pipe.reading) }
      throw error
    }
    (answer, report, trace) = (pipes[0].reading, pipes[1].reading, pipes[2].reading)
    exitDescriptor = child.openProcessDescriptor()
  }

  /// The descriptors to poll: output and end of the program.
  var watched: [Int32] { [answer, report, trace, exitDescriptor] }

  deinit {
    for descriptor in watched where descriptor >= 0 { close(descriptor) }
  }

  /// Reads the available output, and stops the program after its time limit.
  func update(at now: Duration) {
    // Once the program has ended, all its output is in the pipes. Do not wait for their end: a child process that it left may
    // keep them open, and a program that closed them may still be running.
    let hasEnded = child.hasEnded
    // The server's answer is cut off at the limit; the program's own output beyond its limit is read and dropped.
    Self.readAvailable(&answer, into: &answerBytes, limit: Limits.postAnswerBytes, cutsOff: true)
    Self.readAvailable(&report, into: &reportBytes, limit: 4_096, cutsOff: false)
    var traceBytes: [UInt8] = []
    Self.readAvailable(&trace, into: &traceBytes, limit: .max, cutsOff: false)
    dialogue.read(traceBytes)
    if dialogue.mayHaveMail, !awaitsAnswer {
      awaitsAnswer = true
      deadline = now + answerTimeout
    }
    isOver = hasEnded
    if now >= deadline, !isOver, !wasKilled {
      wasKilled = true
      cancel()
    }
  }

  /// Stops the program and its child processes, because the part of sendmail that hangs is a child process.
  func cancel() { kill(-child.pid, SIGKILL) }

  /// Returns the result; to be called once, after the end.
  func result() -> TransferResult {
    guard case .exit(let code) = child.end() else {
      return TransferResult(exit: nil, isHung: wasKilled, wasSent: true, dialogue: dialogue)
    }
    guard isCurl else {
      // The output quotes addresses, so only the server's reply is read from it.
      let dialogue = MailDialogue(msmtp: String(decoding: reportBytes, as: UTF8.self), exit: Int(code))
      return TransferResult(
        exit: Int(code), isHung: wasKilled, status: dialogue?.reply?.code ?? 0, dialogue: dialogue ?? MailDialogue())
    }
    // Only the last line is used, in the format set by `write-out`.
    let lines = String(decoding: reportBytes, as: UTF8.self).split(separator: "\n")
    let line = lines.last { line in line.split(separator: " ").prefix(4).count { Int($0) != nil } == 4 }
    guard let words = line?.split(separator: " ", maxSplits: 4), let status = Int(words[1]) else {
      return TransferResult(exit: Int(code), dialogue: dialogue)
    }
    let sent = Int(words[2]) ?? 0
    return TransferResult(
      exit: Int(code), status: status, wasSent: sent > 0, isWhole: Int(words[3]).map { $0 >= bodyBytes } ?? false,
      retryAfter: words.count > 4 ? String(words[4]) : nil, answer: String(decoding: answerBytes, as: UTF8.self),
      dialogue: dialogue)
  }

  /// Makes a memory file, positioned at its beginning. Its descriptor is above the numbers that the child uses.
  private static func memoryFile(_ bytes: [UInt8]) throws(SystemFailure) -> Int32 {
    let file = poolflow_memfd_create("poolflow-post")
    guard file >= 0 else { throw SystemFailure("cannot make a file in memory") }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SystemFailure("cannot write to a file in memory") }
      rest = rest.dropFirst(count)
    }
    lseek(file, 0, SEEK_SET)
    return try duplicatedFromTen(file)
  }

  /// Returns a copy of a descriptor with a number of 10 or more, which does not collide with the child's.
  private static func duplicatedFromTen(_ descriptor: Int32) throws(SystemFailure) -> Int32 {
    let high = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
    guard high >= 0 else { throw SystemFailure("cannot copy a descriptor") }
    return high
  }

  /// Makes a pipe with a non-blocking reading end.
  private static func pipe() throws(SystemFailure) -> (reading: Int32, writing: Int32) {
    let (reading, writing) = try ChildProgram.pipe()
    defer { close(writing) }
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    do { return (reading, try duplicatedFromTen(writing)) } catch {
      close(reading)
      throw error
    }
  }

  /// Reads the available bytes up to `limit`; bytes beyond it are dropped, or the pipe is closed if `cutsOff`. At most 16
  /// reads, so that a program that writes without end does not block the loop.
  private static func readAvailable(_ descriptor: inout Int32, into bytes: inout [UInt8], limit: Int, cutsOff: Bool) {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    for _ in 0..<16 where descriptor >= 0 {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      if count > 0 { bytes += buffer[..<min(count, limit - bytes.count)] }
      if count <= 0 || cutsOff && bytes.count >= limit {
        close(descriptor)
        descriptor = -1
      }
    }
  }
}
