import CLinux
import Glibc
import PoolModel
import PoolPlatform

/// One curl or sendmail at work. Nothing of what it brings stands in its arguments or environment: the request lies in memory
/// that only it and we have, of curl as its descriptors 0 and 3, of sendmail as 0 alone. curl's trace, which quotes logins and
/// addresses, is read on the way and not kept.
final class Transfer {
  static let bodyPath = "/dev/fd/3"
  static let answerPath = "/dev/fd/4"
  static let curl = "/usr/bin/curl"

  let delivery: Delivery
  private let child: ChildProgram
  private let bodyBytes: Int
  private let isCurl: Bool
  /// By when the try ends, unless the server has the whole mail.
  private var endsBy: Duration
  private let answerTimeout: Duration
  /// The server has the whole mail, as far as we know, and its answer is waited for.
  private(set) var awaitsAnswer = false
  /// The server's words, curl's last line, and its trace; -1 where they have ended.
  private(set) var answer: Int32
  private(set) var report: Int32
  private(set) var trace: Int32
  /// Readable once it has ended; -1 where only a look finds that.
  let ending: Int32
  private(set) var isOver = false
  private var answered: [UInt8] = []
  private var reported: [UInt8] = []
  private(set) var dialogue = MailDialogue()
  private var wasKilled = false

  /// What a channel names as its program cannot be run: that channel's trouble alone.
  struct NoProgram: Error {}

  /// - Throws: `SystemFailure`, `CurlConfig.Unfit`, `NoProgram`.
  ///
  /// - Parameter answerTimeout: how long a mail server may take to answer a whole mail, beyond the timeout of the try.
  init(
    _ request: PostRequest, for delivery: Delivery, timeout: Duration, answerTimeout: Duration, at now: Duration
  ) throws {
    self.delivery = delivery
    bodyBytes = request.body.count
    isCurl = request.program == nil
    if let program = request.program, access(program, X_OK) != 0 { throw NoProgram() }
    self.answerTimeout = answerTimeout
    let isMail = request.envelope != nil
    // Of HTTP curl's own end comes first; ours is for a curl that hangs itself. sendmail has none, and may wait for the
    // answer of its own server.
    endsBy = now + timeout + (!isCurl ? answerTimeout : isMail ? .zero : .seconds(5))
    let input = try Self.memory(
      isCurl
        ? Array(try CurlConfig(request, timeout: isMail ? timeout + answerTimeout : timeout).text.utf8) : request.body)
    defer { close(input) }
    let body = try Self.memory(isCurl ? request.body : [])
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
    ending = child.endWatch()
  }

  /// What a poll is to watch: output, or the end.
  var watched: [Int32] { [answer, report, trace, ending] }

  deinit {
    for descriptor in watched where descriptor >= 0 { close(descriptor) }
  }

  /// Reads what there is, and ends what takes too long.
  func look(at now: Duration) {
    // All that it wrote lies in the pipes once it has ended, and that is the end: what it leaves behind, such as a mailer that
    // goes on by itself, may hold them open for ever, and what has closed them may go on.
    let hasEnded = child.hasEnded
    // A server that answers without end is cut off; a program may say what it likes of itself.
    Self.take(&answer, into: &answered, limit: Limits.postAnswerBytes, cutsOff: true)
    Self.take(&report, into: &reported, limit: 4_096, cutsOff: false)
    var traced: [UInt8] = []
    Self.take(&trace, into: &traced, limit: .max, cutsOff: false)
    dialogue.read(traced)
    if dialogue.mayHaveMail, !awaitsAnswer {
      awaitsAnswer = true
      endsBy = now + answerTimeout
    }
    isOver = hasEnded
    if now >= endsBy, !isOver, !wasKilled {
      wasKilled = true
      cancel()
    }
  }

  /// Ends it now, with what it has started itself: the part of sendmail that hangs is a child of its.
  func cancel() { kill(-child.pid, SIGKILL) }

  /// To be called once, when it is over.
  func result() -> TransferResult {
    guard case .exit(let code) = child.end() else {
      return TransferResult(exit: nil, isHung: wasKilled, wasSent: true, dialogue: dialogue)
    }
    guard isCurl else {
      // What it says quotes addresses: of all of it only the server's reply is read.
      let dialogue = MailDialogue(msmtp: String(decoding: reported, as: UTF8.self), exit: Int(code))
      return TransferResult(
        exit: Int(code), isHung: wasKilled, status: dialogue?.reply?.code ?? 0, dialogue: dialogue ?? MailDialogue())
    }
    // Of all it says only the last line is read, which is ours.
    let lines = String(decoding: reported, as: UTF8.self).split(separator: "\n")
    let line = lines.last { line in line.split(separator: " ").prefix(4).count { Int($0) != nil } == 4 }
    guard let words = line?.split(separator: " ", maxSplits: 4), let status = Int(words[1]) else {
      return TransferResult(exit: Int(code), dialogue: dialogue)
    }
    let sent = Int(words[2]) ?? 0
    return TransferResult(
      exit: Int(code), status: status, wasSent: sent > 0, isWhole: Int(words[3]).map { $0 >= bodyBytes } ?? false,
      retryAfter: words.count > 4 ? String(words[4]) : nil, answer: String(decoding: answered, as: UTF8.self),
      dialogue: dialogue)
  }

  /// Bytes in memory, to be read from their beginning. Above the numbers that the child's descriptors have.
  private static func memory(_ bytes: [UInt8]) throws(SystemFailure) -> Int32 {
    let made = poolflow_memfd_create("poolflow-post")
    guard made >= 0 else { throw SystemFailure("cannot make a file in memory") }
    defer { close(made) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(made, $0.baseAddress, $0.count) }
      guard count > 0 else { throw SystemFailure("cannot write to a file in memory") }
      rest = rest.dropFirst(count)
    }
    lseek(made, 0, SEEK_SET)
    return try raised(made)
  }

  private static func raised(_ descriptor: Int32) throws(SystemFailure) -> Int32 {
    let high = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
    guard high >= 0 else { throw SystemFailure("cannot copy a descriptor") }
    return high
  }

  private static func pipe() throws(SystemFailure) -> (reading: Int32, writing: Int32) {
    let (reading, writing) = try ChildProgram.pipe()
    defer { close(writing) }
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    do { return (reading, try raised(writing)) } catch {
      close(reading)
      throw error
    }
  }

  /// What is past the limit is passed over, or the pipe closed. Who never ends to write leaves the others their turn.
  private static func take(_ descriptor: inout Int32, into bytes: inout [UInt8], limit: Int, cutsOff: Bool) {
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
