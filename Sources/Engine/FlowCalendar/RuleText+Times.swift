import FlowModel

// Times of day of a rule, as an English phrase.
extension CalendarParts {
  var isEveryHour: Bool { NumberSeries(hour, .hour).isAll(.hour) }

  /// Times of day: `at 07:00 and 19:00`, `every 15 minutes from 08:00 to 16:45`, `at minutes 5 to 20 of every hour`.
  var timeText: String {
    let hours = NumberSeries(hour, .hour)
    let minutes = NumberSeries(minute, .minute)
    let seconds = NumberSeries(second, .second)
    if let times = Self.clockTimes(hours, minutes, seconds) { return "at \(joined(times))" }
    let isWholeMinute = seconds.numbers == [0]
    if isWholeMinute, let wording = Self.regularTimes(hours, minutes) { return wording }
    if seconds.isAll(.second), minutes.isAll(.minute), hours.isAll(.hour) { return "every second" }
    var fields = [
      Self.wording(of: minutes, .minute, one: "minute", several: "minutes"),
      Self.wording(of: hours, .hour, one: "hour", several: "the hours"),
    ]
    if !isWholeMinute { fields.insert(Self.wording(of: seconds, .second, one: "second", several: "seconds"), at: 0) }
    return "at \(fields.joined(separator: " of "))"
  }

  /// Maximum number of times that are listed one by one; more are described as a pattern.
  private static let maxListedTimes = 6

  /// Each time of day as text; nil if there are more than `maxListedTimes`.
  private static func clockTimes(_ hours: NumberSeries, _ minutes: NumberSeries, _ seconds: NumberSeries) -> [String]? {
    guard hours.numbers.count * minutes.numbers.count * seconds.numbers.count <= maxListedTimes else { return nil }
    return hours.numbers.flatMap { hour in
      minutes.numbers.flatMap { minute in
        seconds.numbers.map { second in
          clock(hour, minute) + (seconds.numbers == [0] ? "" : ":" + padded(second, 2))
        }
      }
    }
  }

  private static func clock(_ hour: Int, _ minute: Int) -> String { "\(padded(hour, 2)):\(padded(minute, 2))" }

  /// Equidistant times as a phrase, such as `every 15 minutes` or `every 2 hours from 08:05 to 22:05`; nil for other times.
  private static func regularTimes(_ hours: NumberSeries, _ minutes: NumberSeries) -> String? {
    guard let first = minutes.numbers.first, let last = minutes.numbers.last else { return nil }
    let range: ClosedRange<Int>
    let distance: String
    if first == last {
      if hours.isAll(.hour) { return first == 0 ? "every hour" : "every hour, \(first) minutes past" }
      guard let (found, step) = hours.onlyRun.map({ ($0, 1) }) ?? hours.steps else { return nil }
      (range, distance) = (found, step == 1 ? "hour" : "\(step) hours")
    } else {
      let step = minutes.numbers[1] - first
      // The distance must also hold across the turn of the hour.
      guard first == 0, 60 % step == 0, minutes.numbers == Array(stride(from: 0, to: 60, by: step)),
        let found = hours.onlyRun
      else { return nil }
      (range, distance) = (found, step == 1 ? "minute" : "\(step) minutes")
      if hours.isAll(.hour) { return "every \(distance)" }
    }
    return "every \(distance) from \(clock(range.lowerBound, first)) to \(clock(range.upperBound, last))"
  }

  /// One field as a phrase: `every hour`, `hour 8`, `the hours 8 to 16 and 20`, `every 3rd hour from 2 to 23`.
  private static func wording(of numbers: NumberSeries, _ kind: FieldKind, one: String, several: String) -> String {
    if numbers.isAll(kind) { return "every \(one)" }
    if let (range, step) = numbers.steps {
      return "every \(ordinal(step)) \(one) from \(range.lowerBound) to \(range.upperBound)"
    }
    return "\(numbers.numbers.count == 1 ? one : several) \(numbers.list(String.init))"
  }
}
