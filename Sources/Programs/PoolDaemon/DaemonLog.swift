import Glibc
import PoolDelivery
import PoolModel

/// The daemon's own words, one line each on stderr; with syslog levels where the journal reads them (sd-daemon(3)).
///
/// What an operator searches for (`journalctl MESSAGE_ID=…`) goes to the journal itself, where there is one.
package struct DaemonLog: Sendable {
  package enum Level: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  /// One for the process: its log is one.
  private static let budget = LogBudget()
  private let withLevels: Bool

  package init(environment: [String: String]) {
    withLevels = Self.isJournal(descriptor: 2, environment)
  }

  /// - Parameter environment: has in `JOURNAL_STREAM` device and inode of the journal's stream, which is the descriptor
  ///   only where they are its own too: a shell in a service has the variable, and often another stderr (systemd.exec(5)).
  static func isJournal(descriptor: Int32, _ environment: [String: String]) -> Bool {
    guard let stream = environment["JOURNAL_STREAM"] else { return false }
    var status = stat()
    return fstat(descriptor, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
  }

  package func write(_ level: Level, _ text: String) {
    write(text, after: head(level))
  }

  private func head(_ level: Level) -> String { withLevels ? "<\(level.rawValue)>" : "poolflowd: " }

  /// A text whose lines belong under each other, such as a line of the settings with a caret below its mistake.
  package func block(_ level: Level, _ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      write(String(line), after: withLevels ? "<\(level.rawValue)>" : "")
    }
  }

  private func write(_ text: String, after prefix: String) {
    if mayWrite() { put(text, after: prefix) }
  }

  /// A journal is bounded; a terminal or a file has what was said.
  private func mayWrite() -> Bool {
    guard withLevels else { return true }
    let permit = Self.budget.permit(at: .now)
    if permit.omitted > 0 {
      put(
        "\(permit.omitted) lines were left out here, where \(Limits.logLines) in 30 s are written",
        after: head(.warning))
    }
    return permit.isGranted
  }

  private func put(_ text: String, after prefix: String) {
    // One message is one line: a newline from data must not begin a message of its own.
    var words = ""
    for scalar in text.unicodeScalars { words.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar) }
    var line = prefix + visible(words) + "\n"
    line.withUTF8 { bytes in
      // Nobody can be told that telling failed.
      _ = Glibc.write(2, bytes.baseAddress, bytes.count)
    }
  }

  /// A message of a kind of its own, with fields to be searched for; on stderr a line like any other.
  func tell(_ kind: JournalCatalog, _ level: Level, _ text: String, _ fields: [(name: String, value: String)] = []) {
    guard withLevels else { return write(level, text) }
    guard mayWrite() else { return }
    var message = JournalMessage(visible(text), kind, priority: level.rawValue)
    for field in fields { message.field(field.name, visible(field.value)) }
    do {
      // Never waits: a stopped journal must not hold the daemon up.
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
