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
  private var timeLimit: TransferTimeLimit
  /// The server's answer, which is cut off at its limit; curl's last line; and curl's trace.
  private let answer: OutputPipe
  private let report: OutputPipe
  private let trace: OutputPipe
  /// A descriptor that becomes readable when the program ends; -1 if it must be polled.
  private let exitDescriptor: Int32
  private(set) var isOver = false
  private(set) var dialogue = MailDialogue()

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
    let isMail = request.envelope != nil
    // For HTTP curl's own limit applies first; this one is for a curl that hangs. sendmail has no limit of its own and may wait
    // for its server's answer.
    timeLimit = TransferTimeLimit(
      deadline: now + timeout + (!isCurl ? answerTimeout : isMail ? .zero : .seconds(5)), answerTimeout: answerTimeout)
    let input = try Self.memoryFile(
      isCurl
        ? Array(try CurlConfig(request, timeout: isMail ? timeout + answerTimeout : timeout).text.utf8) : request.body)
    defer { close(input) }
    let body = try Self.memoryFile(isCurl ? request.body : [])
    defer { close(body) }
    let answer = try OutputPipe(limit: Limits.postAnswerBytes, cutsOff: true)
    let report = try OutputPipe(limit: 4_096)
    let trace = try OutputPipe(limit: .max)
    defer { for pipe in [answer, report, trace] { pipe.closeWritingEnd() } }
    let openings: KeyValuePairs<Int32, ChildProgram.Opening> =
      isCurl
      ? [
        0: .descriptor(input), 1: .descriptor(report.writing), 2: .descriptor(trace.writing),
        3: .descriptor(body), 4: .descriptor(answer.writing),
      ]
      : [0: .descriptor(input), 1: .descriptor(report.writing), 2: .descriptor(report.writing)]
    child = try ChildProgram(
      request.program ?? Self.curl, isCurl ? ["-q", "--config", "-"] : request.arguments,
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"], ownGroup: true, openings)
    (self.answer, self.report, self.trace) = (answer, report, trace)
    exitDescriptor = child.openProcessDescriptor()
  }

  /// The descriptors to poll: output and end of the program.
  var watched: [Int32] { [answer.reading, report.reading, trace.reading, exitDescriptor] }

  /// True once the server probably has the whole mail and only its answer is missing.
  var awaitsAnswer: Bool { timeLimit.awaitsAnswer }

  deinit { if exitDescriptor >= 0 { close(exitDescriptor) } }

  /// Reads the available output, and stops the program after its time limit.
  func update(at now: Duration) {
    // Once the program has ended, all its output is in the pipes. Do not wait for their end: a child process that it left may
    // keep them open, and a program that closed them may still be running.
    let hasEnded = child.hasEnded
    for pipe in [answer, report, trace] { pipe.readAvailable() }
    dialogue.read(trace.takeBytes())
    isOver = hasEnded
    if timeLimit.update(at: now, mayHaveMail: dialogue.mayHaveMail, hasEnded: hasEnded) { cancel() }
  }

  /// Stops the program and its child processes, because the part of sendmail that hangs is a child process.
  func cancel() { kill(-child.pid, SIGKILL) }

  /// Returns the result; to be called once, after the end.
  func result() -> TransferResult {
    guard case .exit(let code) = child.end() else {
      return TransferResult(exit: nil, isHung: timeLimit.wasKilled, wasSent: true, dialogue: dialogue)
    }
    guard isCurl else {
      // The output quotes addresses, so only the server's reply is read from it.
      let dialogue = MailDialogue(msmtp: String(decoding: report.bytes, as: UTF8.self), exit: Int(code))
      return TransferResult(
        exit: Int(code), isHung: timeLimit.wasKilled, status: dialogue?.reply?.code ?? 0,
        dialogue: dialogue ?? MailDialogue())
    }
    // Only the last line is used, in the format set by `write-out`.
    let lines = String(decoding: report.bytes, as: UTF8.self).split(separator: "\n")
    let line = lines.last { line in line.split(separator: " ").prefix(4).count { Int($0) != nil } == 4 }
    guard let words = line?.split(separator: " ", maxSplits: 4), let status = Int(words[1]) else {
      return TransferResult(exit: Int(code), dialogue: dialogue)
    }
    let sent = Int(words[2]) ?? 0
    return TransferResult(
      exit: Int(code), status: status, wasSent: sent > 0, isWhole: Int(words[3]).map { $0 >= bodyBytes } ?? false,
      retryAfter: words.count > 4 ? String(words[4]) : nil, answer: String(decoding: answer.bytes, as: UTF8.self),
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
}

/// The time limit of one transfer: a deadline, which is renewed once when the server has the whole mail.
struct TransferTimeLimit: Sendable {
  /// The uptime at which the try ends.
  private var deadline: Duration
  private let answerTimeout: Duration
  /// True once the server probably has the whole mail and only its answer is missing.
  private(set) var awaitsAnswer = false
  private(set) var wasKilled = false

  /// - Parameters:
  ///   - deadline: the uptime at which the try ends, unless the server has the whole mail.
  ///   - answerTimeout: the additional time for a mail server to answer a whole mail.
  init(deadline: Duration, answerTimeout: Duration) {
    (self.deadline, self.answerTimeout) = (deadline, answerTimeout)
  }

  /// Returns true, once, if the program must be killed because it has used its time.
  mutating func update(at now: Duration, mayHaveMail: Bool, hasEnded: Bool) -> Bool {
    if mayHaveMail, !awaitsAnswer { (awaitsAnswer, deadline) = (true, now + answerTimeout) }
    guard now >= deadline, !hasEnded, !wasKilled else { return false }
    wasKilled = true
    return true
  }
}

/// A pipe for output of a child program, with a non-blocking reading end. Its writing end has a number of 10 or more, which does
/// not collide with the child's descriptors.
private final class OutputPipe {
  /// The reading end; -1 after the end of the output.
  private(set) var reading: Int32
  /// The writing end, for the child; -1 once it is closed here.
  private(set) var writing: Int32
  /// The output read so far, at most `limit` bytes.
  private(set) var bytes: [UInt8] = []
  private let limit: Int
  private let cutsOff: Bool

  /// - Parameter cutsOff: true to close the pipe at `limit`; otherwise bytes beyond it are read and dropped.
  init(limit: Int, cutsOff: Bool = false) throws(SystemFailure) {
    (self.limit, self.cutsOff) = (limit, cutsOff)
    let (reading, writing) = try ChildProgram.pipe()
    defer { close(writing) }
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    do { self.writing = try duplicatedFromTen(writing) } catch {
      close(reading)
      throw error
    }
    self.reading = reading
  }

  deinit {
    closeWritingEnd()
    closeReadingEnd()
  }

  /// Closes the writing end of this process; the child keeps its own.
  func closeWritingEnd() {
    if writing >= 0 { close(writing) }
    writing = -1
  }

  private func closeReadingEnd() {
    if reading >= 0 { close(reading) }
    reading = -1
  }

  /// Reads the available output. At most 16 reads, so that a program that writes without end does not block the loop.
  func readAvailable() {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    for _ in 0..<16 where reading >= 0 {
      let count = read(reading, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      if count > 0 { bytes += buffer[..<min(count, limit - bytes.count)] }
      if count <= 0 || cutsOff && bytes.count >= limit { closeReadingEnd() }
    }
  }

  /// Returns the output read since the last call, which is not kept.
  func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}

/// Returns a copy of a descriptor with a number of 10 or more, which does not collide with the child's.
private func duplicatedFromTen(_ descriptor: Int32) throws(SystemFailure) -> Int32 {
  let high = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
  guard high >= 0 else { throw SystemFailure("cannot copy a descriptor") }
  return high
}
