import Glibc

/// The daemon's own words, one line each on stderr; with syslog levels where the journal reads them (sd-daemon(3)).
package struct DaemonLog: Sendable {
  package enum Level: Int, Sendable {
    case error = 3
    case warning = 4
    case notice = 5
    case info = 6
  }

  private let withLevels: Bool

  package init(environment: [String: String]) {
    withLevels = environment["JOURNAL_STREAM"] != nil
  }

  package func write(_ level: Level, _ text: String) {
    write(text, after: withLevels ? "<\(level.rawValue)>" : "poolflowd: ")
  }

  /// A text whose lines belong under each other, such as a line of the settings with a caret below its mistake.
  package func block(_ level: Level, _ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      write(String(line), after: withLevels ? "<\(level.rawValue)>" : "")
    }
  }

  private func write(_ text: String, after prefix: String) {
    var line = prefix
    // One message is one line: a newline from data must not begin a message of its own.
    for scalar in text.unicodeScalars { line.unicodeScalars.append(scalar.value < 0x20 ? " " : scalar) }
    line += "\n"
    line.withUTF8 { bytes in
      // Nobody can be told that telling failed.
      _ = Glibc.write(2, bytes.baseAddress, bytes.count)
    }
  }

  package func info(_ text: String) { write(.info, text) }
  package func notice(_ text: String) { write(.notice, text) }
  package func warning(_ text: String) { write(.warning, text) }
  package func error(_ text: String) { write(.error, text) }
}
