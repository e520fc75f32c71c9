internal import PoolJobs
internal import PoolModel

extension Settings {
  /// How one kind of work is begun.
  package struct JobSettings: Hashable, Sendable {
    /// How far its runs are spread after their slots.
    package var jitter: Duration = .zero
  }

  static let jobKeys = ["Jitter"]

  /// Takes a line of `[Job NAME]` over.
  mutating func apply(_ line: SettingsLine, toJob name: String, _ problems: inout [SettingsProblem]) {
    guard let kind = JobKind(rawValue: name) else {
      if line.isHeading {
        problems.append(.unknownSection(line, known: JobCatalogue.all.map { "Job \($0.rawValue)" }))
      }
      return
    }
    if line.isHeading {
      jobs[kind] = jobs[kind] ?? JobSettings()
      return
    }
    switch line.key {
    case "Jitter":
      if let jitter = Self.duration(line.value), jitter <= Limits.longestSpread {
        jobs[kind, default: JobSettings()].jitter = jitter
      } else {
        problems.append(
          .badValue(
            line, expected: "it is a time from 0 to \(Limits.longestSpread.inWords), such as 90s or 10min", known: []))
      }
    default: problems.append(.unknownKey(line, known: Self.jobKeys))
    }
  }

  /// `90s`, `10min`, `1h`, or seconds without a unit.
  static func duration(_ text: String) -> Duration? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard !digits.isEmpty, digits.count <= 6, let number = Int(digits) else { return nil }
    switch text.dropFirst(digits.count).drop(while: { $0 == " " }) {
    case "", "s", "sec": return .seconds(number)
    case "min", "m": return .minutes(number)
    case "h", "hr": return .hours(number)
    default: return nil
    }
  }
}
