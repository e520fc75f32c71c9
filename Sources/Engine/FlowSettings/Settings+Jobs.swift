internal import FlowCalendar
internal import FlowModel
internal import FlowWork

extension Settings {
  static let jobKeys = JobTiming.Key.allCases.map(\.settingsName)

  /// Applies one line of a `[Job NAME]` section.
  mutating func apply(
    _ line: SettingsLine, toJob name: String, _ catalogue: JobCatalogue, _ problems: inout [SettingsProblem]
  ) {
    guard let kind = catalogue.kind(named: name) else {
      if line.isHeading {
        problems.append(.unknownSection(line, known: catalogue.all.map { "Job \($0.rawValue)" }))
      }
      return
    }
    if line.isHeading {
      jobs[kind] = jobs[kind] ?? .unchosen
      return
    }
    guard let key = JobTiming.Key.allCases.first(where: { $0.settingsName == line.key }) else {
      problems.append(.unknownKey(line, known: Self.jobKeys))
      return
    }
    var value = line.value
    if key == .rule {
      do throws(RuleRefusal) {
        value = try CalendarExpression(ofJob: value).description
      } catch {
        problems.append(.badValue(line, expected: "\(error)", known: []))
        return
      }
    }
    guard jobs[kind, default: .unchosen].set(key, value) else {
      problems.append(.badValue(line, expected: key.expected, known: []))
      return
    }
  }
}
