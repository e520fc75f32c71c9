package import FlowDelivery
import FlowModel
import Glibc

/// Writes the daemon's log, one line a message, to stderr; with syslog levels if the journal reads it (sd-daemon(3)).
///
/// Messages that operators search for (`journalctl MESSAGE_ID=…`) go directly to the journal, if there is one.
package struct DaemonLog: Sendable {
  /// Log levels with their syslog numbers.
  package enum Level: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  /// Shared by the whole process, since the process has one log.
  private static let budget = LogRateLimiter()
  private let withLevels: Bool

  package init(environment: [String: String]) {
    withLevels = Self.isJournal(descriptor: 2, environment)
  }

  /// True if the descriptor is the journal's stream.
  ///
  /// - Parameter environment: `JOURNAL_STREAM` has device and inode of the journal's stream. A shell in a service inherits the
  ///   variable, often with another stderr, so both numbers must match (systemd.exec(5)).
  package static func isJournal(descriptor: Int32, _ environment: [String: String]) -> Bool {
    guard let stream = environment["JOURNAL_STREAM"] else { return false }
    var status = stat()
    return fstat(descriptor, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
  }

  package func write(_ level: Level, _ text: String) {
    write(text, after: linePrefix(level))
  }

  private func linePrefix(_ level: Level) -> String { withLevels ? "<\(level.rawValue)>" : "poolflowd: " }

  /// Writes a text whose lines must stay aligned, such as a line of the settings with a caret below its error.
  package func writeLines(_ level: Level, _ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      write(String(line), after: withLevels ? "<\(level.rawValue)>" : "")
    }
  }

  private func write(_ text: String, after prefix: String) {
    if mayWrite() { writeLine(text, after: prefix) }
  }

  /// False while the rate limit is exceeded. Only the journal is limited; a terminal or a file gets every line.
  private func mayWrite() -> Bool {
    guard withLevels else { return true }
    let permit = Self.budget.permit(at: .now)
    if permit.omitted > 0 {
      writeLine(
        "\(permit.omitted) lines were left out here: at most \(Limits.logLines) in 30 s are written",
        after: linePrefix(.warning))
    }
    return permit.isGranted
  }

  /// Writes one line, without the rate limit.
  private func writeLine(_ text: String, after prefix: String) {
    // One message is one line: a newline in the data must not begin another message.
    var cleaned = ""
    for scalar in text.unicodeScalars { cleaned.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar) }
    var line = prefix + visible(cleaned) + "\n"
    line.withUTF8 { bytes in
      // A failed write to the log cannot be reported anywhere.
      _ = Glibc.write(2, bytes.baseAddress, bytes.count)
    }
  }

  /// Writes a message with its journal catalogue id and searchable fields; on stderr, an ordinary line.
  package func report(
    _ kind: JournalMessageID, _ level: Level, _ text: String, _ fields: [(name: String, value: String)] = []
  ) {
    guard withLevels else { return write(level, text) }
    guard mayWrite() else { return }
    var message = JournalMessage(visible(text), kind, priority: level.rawValue)
    for field in fields { message.field(field.name, visible(field.value)) }
    do {
      // Never blocks: a stopped journal must not delay the daemon.
      try JournalSocket(path: JournalSink.standardPath).send(message.bytes)
    } catch {
      write(level, text)
    }
  }

  package func info(_ text: String) { write(.info, text) }
  package func notice(_ text: String) { write(.notice, text) }
  package func warning(_ text: String) { write(.warning, text) }
  package func error(_ text: String) { write(.error, text) }
}
