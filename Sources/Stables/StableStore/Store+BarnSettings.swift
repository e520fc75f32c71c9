package import FlowModel
package import FlowStore
package import StableModel

extension Store {
  package func barnSettings(of team: TeamID) throws -> BarnSettings { try connection.barnSettings(of: team) }

  package func changeBarnSettings(
    of team: TeamID, change: @Sendable (inout BarnSettings) throws -> Void
  ) throws -> BarnSettings {
    try connection.transaction(of: [team]) {
      var settings = try connection.barnSettings(of: team)
      try change(&settings)
      try connection.keep(settings, of: team)
      return settings
    }
  }
}

extension Connection {
  /// Changes the stable's settings in the caller's transaction, and stores them if they are different.
  package func changeBarnSettings(
    of team: TeamID, _ change: (inout BarnSettings) -> Void
  ) throws(StoreError) {
    let known = try barnSettings(of: team)
    var settings = known
    change(&settings)
    if settings != known { try keep(settings, of: team) }
  }

  /// The stable's settings; defaults if none are stored.
  ///
  /// - Throws: `StoreError.damaged` for unreadable settings.
  package func barnSettings(of team: TeamID) throws(StoreError) -> BarnSettings {
    let found = try first(
      "SELECT limits, intervals FROM barn_settings WHERE team_id = ?", .integer(team.number)
    ) { row throws(StoreError) in
      let (limits, intervals) = (row.text("limits"), row.text("intervals"))
      guard let known = BlanketLimits(stored: limits) else {
        throw .damaged(table: "barn_settings", column: "limits", value: limits)
      }
      guard let chosen = Self.intervals(intervals) else {
        throw .damaged(table: "barn_settings", column: "intervals", value: intervals)
      }
      return BarnSettings(limits: known, intervals: chosen)
    }
    return found ?? BarnSettings()
  }

  /// Stores the stable's settings.
  func keep(_ settings: BarnSettings, of team: TeamID) throws(StoreError) {
    try run(
      """
      INSERT INTO barn_settings (team_id, limits, intervals) VALUES (?, ?, ?)
      ON CONFLICT (team_id) DO UPDATE SET limits = excluded.limits, intervals = excluded.intervals
      """, .integer(team.number), .text(settings.limits.stored), .text(Self.text(of: settings.intervals)))
  }

  /// The stored form, such as `farrier=49 dental=none`.
  private static func text(of intervals: [CareType: Int?]) -> String {
    intervals.sorted { $0.key < $1.key }.map { "\($0.key.rawValue)=\($0.value.map(String.init) ?? "none")" }
      .joined(separator: " ")
  }

  /// Parses the stored form; nil if it is damaged.
  private static func intervals(_ text: String) -> [CareType: Int?]? {
    var found: [CareType: Int?] = [:]
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "=", omittingEmptySubsequences: false)
      guard parts.count == 2, let type = CareType(rawValue: String(parts[0])) else { return nil }
      if parts[1] == "none" {
        found[type] = .some(nil)
      } else {
        guard let days = Int(parts[1]), Limits.careIntervalDays.contains(days) else { return nil }
        found[type] = .some(days)
      }
    }
    return found
  }
}

extension BlanketLimits {
  fileprivate init?(stored text: String) {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
    let degrees = numbers.compactMap { Double($0) }
    guard degrees.count == numbers.count else { return nil }
    self.init(degrees)
  }

  fileprivate var stored: String { degrees.map(\.description).joined(separator: ",") }
}
