/// The settings that only stables have, besides the general team settings.
package struct BarnSettings: Hashable, Sendable {
  package var limits: BlanketLimits
  /// The changed intervals between care events, in days; nil as value means no next event is proposed.
  package var intervals: [CareType: Int?]

  package init(limits: BlanketLimits = .usual, intervals: [CareType: Int?] = [:]) {
    self.limits = limits
    self.intervals = intervals
  }

  /// The number of days after which the next event of a type is proposed; nil for no proposal.
  package func interval(_ type: CareType) -> Int? {
    if let chosen = intervals[type] { chosen } else { type.usualInterval }
  }
}
