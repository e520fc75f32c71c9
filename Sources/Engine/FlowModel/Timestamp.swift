/// An instant in whole milliseconds since 1970-01-01T00:00:00Z without leap seconds (POSIX time).
///
/// Example: 2026-03-02T14:00:00Z is `Timestamp(milliseconds: 1_772_460_000_000)`.
package struct Timestamp: Hashable, Comparable, Sendable {
  package let milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  package init(seconds: Int64) {
    self.milliseconds = seconds * 1_000
  }

  package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Whole seconds since 1970, rounded down.
  package var seconds: Int64 {
    // Not (milliseconds - 999) / 1,000, which overflows for the earliest instant.
    milliseconds / 1_000 - (milliseconds % 1_000 < 0 ? 1 : 0)
  }

  /// The milliseconds within the second, 0 to 999.
  package var millisecondOfSecond: Int64 {
    let rest = milliseconds % 1_000
    return rest < 0 ? rest + 1_000 : rest
  }

  /// The instant after `duration`, truncated to milliseconds.
  package func advanced(by duration: Duration) -> Timestamp {
    Timestamp(milliseconds: milliseconds + duration.wholeMilliseconds)
  }

  /// The time from `other` to this instant; negative if `other` is later.
  package func since(_ other: Timestamp) -> Duration {
    .milliseconds(milliseconds - other.milliseconds)
  }
}

extension Duration {
  /// The duration in milliseconds, truncated.
  package var wholeMilliseconds: Int64 {
    components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
  }

  package static func hours(_ hours: Int) -> Duration { .seconds(hours * 3_600) }
  package static func minutes(_ minutes: Int) -> Duration { .seconds(minutes * 60) }

  /// `3 s`, `2 min`, `7 h 5 min`, `3 d 2 h`: the two largest units, truncated.
  package var inWords: String {
    let seconds = max(0, components.seconds)
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3_600 { return "\(seconds / 60) min" }
    if seconds < 86_400 {
      return seconds % 3_600 < 60 ? "\(seconds / 3_600) h" : "\(seconds / 3_600) h \(seconds % 3_600 / 60) min"
    }
    let hours = seconds % 86_400 / 3_600
    return hours == 0 ? "\(seconds / 86_400) d" : "\(seconds / 86_400) d \(hours) h"
  }
}
