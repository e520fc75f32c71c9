/// The importance of a notice, named as in syslog; the cases are listed from least to most important.
package enum Severity: String, Sendable, CaseIterable, Comparable, Codable {
  /// Useful to know.
  case info
  /// Part of the day's work.
  case notice
  /// Something should be done soon.
  case warning
  /// Something does not work.
  case error

  /// The numeric priority of syslog(3); a smaller number is more severe.
  package var syslogPriority: Int {
    switch self {
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    }
  }

  package static func < (left: Severity, right: Severity) -> Bool { left.syslogPriority > right.syslogPriority }
}
