/// How much a notice matters, in syslog's words. The order of the cases is their order.
package enum Severity: String, Sendable, CaseIterable, Comparable, Codable {
  /// Good to know.
  case info
  /// Part of the day's work.
  case notice
  /// Something should be done soon.
  case warning
  /// Something does not work.
  case error

  /// As syslog(3) numbers it: the smaller, the worse.
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
