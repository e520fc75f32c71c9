/// What a stable chose besides what every team chooses.
package struct BarnSettings: Hashable, Sendable {
  package var limits: BlanketLimits
  /// The types whose proposal it changed: days, or nil for none.
  package var intervals: [CareType: Int?]

  package init(limits: BlanketLimits = .usual, intervals: [CareType: Int?] = [:]) {
    self.limits = limits
    self.intervals = intervals
  }

  /// After how many days the next event of a type is proposed; nil where none is.
  package func interval(_ type: CareType) -> Int? {
    if let chosen = intervals[type] { chosen } else { type.usualInterval }
  }
}
