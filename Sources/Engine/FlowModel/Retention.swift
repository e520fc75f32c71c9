/// A backup retention rule: the newest backup of each of the last days, weeks and months with a backup is kept.
package struct Retention: Hashable, Sendable, CustomStringConvertible {
  package let daily: Int
  package let weekly: Int
  package let monthly: Int

  package init(daily: Int, weekly: Int, monthly: Int) {
    self.daily = daily
    self.weekly = weekly
    self.monthly = monthly
  }

  /// Parses `7 daily, 4 weekly, 6 monthly`; a missing part means 0.
  ///
  /// - Returns: nil for any other format, and for a rule that keeps nothing or more than `Limits.backupsListed`.
  package init?(_ text: String) {
    var counts: [Substring: Int] = [:]
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: " ")
      guard words.count == 2, let count = Int(words[0]), (0...Limits.backupsListed).contains(count),
        ["daily", "weekly", "monthly"].contains(words[1]), counts.updateValue(count, forKey: words[1]) == nil
      else { return nil }
    }
    let sum = counts.values.reduce(0, +)
    guard (1...Limits.backupsListed).contains(sum) else { return nil }
    self.init(daily: counts["daily"] ?? 0, weekly: counts["weekly"] ?? 0, monthly: counts["monthly"] ?? 0)
  }

  package static let standard = Retention(daily: 7, weekly: 4, monthly: 6)

  package var description: String { "\(daily) daily, \(weekly) weekly, \(monthly) monthly" }
}
