import PoolControl
import FlowControl
import FlowModel

extension DayView {
  init(_ day: Weekday) { self.init(ours: day.abbreviation) }
}

extension Weekday {
  /// A weekday from a prefix of its English name, at least two characters long.
  init(asked text: String) throws(ControlError) {
    let wanted = text.lowercased()
    guard let named = Weekday.allCases.first(where: { wanted.count >= 2 && "\($0)".hasPrefix(wanted) }) else {
      throw ControlError.badValue(field: "day", value: text, why: "write a weekday such as Mon or monday")
    }
    self = named
  }
}
