import FlowModel

/// A rule's exception dates, indexed for fast lookups by day.
struct ExcludedDays: Sendable {
  /// Disjoint ranges of day numbers (days since 1970), in ascending order.
  private let ranges: [ClosedRange<Int>]
  /// Days excluded in every year: element m has bit d set for day d of month m (1 to 12). Empty if there are none.
  private let yearly: [UInt64]
  let isEmpty: Bool

  init(_ exceptions: [ExceptionDates]) {
    isEmpty = exceptions.isEmpty
    var ranges: [ClosedRange<Int>] = []
    var yearly: [UInt64] = []
    for exception in exceptions {
      switch exception.kind {
      case .days(let first, let last): ranges.append(first...last)
      case .yearly(let month, let day):
        if yearly.isEmpty { yearly = [UInt64](repeating: 0, count: 13) }
        yearly[month] |= 1 << UInt64(day)
      }
    }
    self.ranges = ranges
    self.yearly = yearly
  }

  /// - Returns: the range of excluded days that contains `day`, or nil if `day` is not excluded.
  func range(containing day: Int) -> ClosedRange<Int>? {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound < day { low = middle + 1 } else { high = middle }
    }
    if low < ranges.count, ranges[low].lowerBound <= day { return ranges[low] }
    guard !yearly.isEmpty else { return nil }
    let date = CivilDate(daysSince1970: day)
    return yearly[date.month] &>> UInt64(date.day) & 1 != 0 ? day...day : nil
  }
}
