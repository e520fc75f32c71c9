package import FlowModel
package import FlowWork
import Synchronization

extension Store {
  package func teams() throws -> [Team] { try connection.teams() }

  /// Teams with a damaged row, and the reason. While the store is busy, the result may be up to half a minute old, unless a
  /// team was changed in the meantime; callers need not wait for writes.
  package nonisolated func unreadableTeams() async throws -> [TeamID: String] {
    let known = checkedUnreadableTeams.withLock { $0 }
    guard let known, isAtWork, known.mark.changes == factsReaders.changes.count,
      ContinuousClock.now - known.at < Limits.unreadableTeamsMaxAge
    else { return try await checkUnreadableTeams() }
    return known.unreadable
  }

  private func checkUnreadableTeams() throws -> [TeamID: String] {
    // Called for every `status`: the teams are read again only if this process or another program may have changed one.
    let at = ContinuousClock.now
    let mark = CheckedUnreadableTeams.Mark(changes: connection.changes.count, version: try connection.dataVersion())
    let known = checkedUnreadableTeams.withLock { $0 }
    let found = if let known, known.mark == mark { known.unreadable } else { try connection.unreadableTeams() }
    checkedUnreadableTeams.withLock { $0 = CheckedUnreadableTeams(mark: mark, at: at, unreadable: found) }
    return found
  }

  package func teamName(_ id: TeamID) throws -> String? { try connection.teamName(id) }

  package func team(named name: String) throws -> Team { try connection.team(named: name) }

  package func team(_ id: TeamID) throws -> Team? { try connection.team(id) }

  package func technicians(of team: TeamID) throws -> [Technician] { try connection.technicians(of: team) }

  package func addTeam(
    _ draft: Team, defaultTechnician: String, now: Timestamp, plan: @Sendable (Team) throws -> [JobPlan]
  ) throws -> Team {
    try connection.transaction {
      if try connection.teamExists(named: draft.name) { throw StoreError.teamExists(draft.name) }
      let id = try connection.first(
        """
        INSERT INTO teams (name, trade, zone, language, units, objective, plan, trial_expires_ms, notifications_enabled,
          morning_summary, low_stock, weekly_digest, morning_time_s, clock, currency, dose_units, created_ms)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING team_id
        """, .text(draft.name), .text(draft.trade.rawValue), .text(draft.zone), .text(draft.language.rawValue),
        .text(draft.units.rawValue),
        .text(draft.objective.rawValue), .text(draft.plan.word), .at(draft.plan.trialExpires),
        .flag(draft.settings.notificationsEnabled), .flag(draft.settings.morningNotice),
        .flag(draft.settings.lowStockForTomorrow), .flag(draft.settings.weeklyDigest),
        .integer(draft.settings.morningTime.secondOfDay), .text(draft.clock.rawValue),
        .optional(draft.chosenCurrency?.rawValue), .text(draft.settings.doseUnits.rawValue), .at(now)
      ) { row throws(StoreError) in TeamID(row.integer(0)) }
      guard let id else { throw StoreError.noSuchTeam(draft.name) }
      try connection.run(
        "INSERT INTO technicians (team_id, name, name_key, is_default) VALUES (?, ?, ?, 1)", .integer(id.number),
        .text(defaultTechnician), .text(defaultTechnician.lowercased()))
      let team = try connection.team(named: draft.name)
      try connection.planJobs(of: team.id, zone: team.zone, try plan(team), now: now)
      return team
    }
  }

  package func renameTeam(named name: String, to other: String) throws -> Team {
    try connection.transaction {
      let team = try connection.team(named: name)
      if try connection.teamExists(named: other) { throw StoreError.teamExists(other) }
      try connection.run("UPDATE teams SET name = ? WHERE team_id = ?", .text(other), .integer(team.id.number))
      return try connection.team(named: other)
    }
  }

  package func removeTeam(named name: String) throws -> Int? {
    try connection.transaction {
      let id = SQLValue.integer(try connection.team(named: name).id.number)
      for table in connection.trades.stores.compactMap(\.countedTable) {
        let hasRecords = try connection.first(
          "SELECT EXISTS (SELECT 1 FROM \(table) WHERE team_id = ?) AS has_records", id
        ) { row throws(StoreError) in row.flag("has_records") }
        guard hasRecords == false else { return nil }
      }
      let isRunning = try connection.first(
        "SELECT EXISTS (SELECT 1 FROM runs WHERE team_id = ? AND outcome = 'running') AS is_running", id
      ) { row throws(StoreError) in row.flag("is_running") }
      guard isRunning == false else { return nil }
      let waiting = try connection.first(
        "SELECT COUNT(*) AS waiting FROM outbox WHERE team_id = ? AND (state = 'pending' OR state = 'held')", id
      ) { row throws(StoreError) in row.integer("waiting") }
      // Foreign keys delete everything that belongs to the team.
      try connection.run("DELETE FROM teams WHERE team_id = ?", id)
      return Int(waiting ?? 0)
    }
  }

  package func changeTeam(
    named name: String, now: Timestamp, change: @Sendable (inout Team) throws -> Void,
    plan: @Sendable (Team) throws -> [JobPlan]
  ) throws -> Team {
    try changeTeam(named: name, now: now, changeWithRecords: { team, _ in try change(&team) }, plan: plan)
  }

  /// Changes a team together with records of its trade; see `Teams.changeTeam`.
  ///
  /// - Parameter change: changes the team, and the trade's records on the connection.
  package func changeTeam(
    named name: String, now: Timestamp, changeWithRecords change: (inout Team, Connection) throws -> Void,
    plan: (Team) throws -> [JobPlan]
  ) throws -> Team {
    try connection.transaction {
      var team = try connection.team(named: name)
      try change(&team, connection)
      try connection.run(
        """
        UPDATE teams SET zone = ?, language = ?, units = ?, objective = ?, plan = ?, trial_expires_ms = ?,
          notifications_enabled = ?, morning_summary = ?, low_stock = ?, weekly_digest = ?, morning_time_s = ?,
          clock = ?, currency = ?, route_preview = ?, route_order = ?, day_start_s = ?, stop_minutes = ?, windows = ?,
          dose_units = ?, dosing = ?, lsi_method = ?, show_both_units = ?, silenced = ?, default_volume_gal = ?,
          freeze_warning_c = ?, rain_hint_mm = ?
        WHERE team_id = ?
        """, .text(team.zone), .text(team.language.rawValue), .text(team.units.rawValue),
        .text(team.objective.rawValue), .text(team.plan.word), .at(team.plan.trialExpires),
        .flag(team.settings.notificationsEnabled), .flag(team.settings.morningNotice),
        .flag(team.settings.lowStockForTomorrow), .flag(team.settings.weeklyDigest),
        .integer(team.settings.morningTime.secondOfDay), .text(team.clock.rawValue),
        .optional(team.chosenCurrency?.rawValue),
        .flag(team.settings.eveningPreview), .text(team.settings.stopOrder.rawValue),
        .optional(team.settings.dayStart.map { Int64($0.secondOfDay) }), .integer(team.settings.stopMinutes),
        .text(team.settings.windows.rawValue), .text(team.settings.doseUnits.rawValue),
        .text(team.settings.dosing.rawValue), .text(team.settings.lsiMethod.rawValue),
        .flag(team.settings.showsBothUnits), .text(team.settings.disabledJobs.sorted().joined(separator: " ")),
        .optional(team.settings.defaultVolumeGallons), .optional(team.settings.freezeWarning),
        .optional(team.settings.rainHint), .integer(team.id.number))
      try connection.planJobs(of: team.id, zone: team.zone, try plan(team), now: now)
      return team
    }
  }
}

/// A cached result of `unreadableTeams`, with the state of the store it belongs to.
struct CheckedUnreadableTeams {
  /// The state of the store: this process's change count, and the version that changes with other connections' writes.
  struct Mark: Equatable {
    let changes: Int
    /// Changes whenever another connection has written.
    let version: Int64
  }

  let mark: Mark
  let at: ContinuousClock.Instant
  let unreadable: [TeamID: String]
}

extension Plan {
  var trialExpires: Timestamp? {
    if case .trial(let expires) = self { expires } else { nil }
  }
}

extension Connection {
  private static let teamColumns = """
    team_id, name, trade, zone, language, units, objective, plan, trial_expires_ms, notifications_enabled, morning_summary,
    low_stock, weekly_digest, morning_time_s, created_ms, clock, currency, route_preview, route_order,
    day_start_s, stop_minutes, windows, dose_units, dosing, lsi_method, show_both_units, silenced, default_volume_gal,
    freeze_warning_c, rain_hint_mm,
    EXISTS (SELECT 1 FROM days_off WHERE days_off.team_id = teams.team_id) AS has_days_off
    """

  func teams() throws(StoreError) -> [Team] {
    try readableRows("SELECT \(Self.teamColumns) FROM teams ORDER BY name") { row throws(StoreError) in
      try Self.team(row)
    }
  }

  /// The name, even if the rest of the team's row is unreadable; nil if there is no such team.
  func teamName(_ id: TeamID) throws(StoreError) -> String? {
    try first("SELECT name FROM teams WHERE team_id = ?", .integer(id.number)) { row throws(StoreError) in row.text(0) }
  }

  func unreadableTeams() throws(StoreError) -> [TeamID: String] {
    var found: [TeamID: String] = [:]
    _ = try readableRows("SELECT \(Self.teamColumns) FROM teams") { row throws(StoreError) in
      try Self.team(row)
    } unreadable: { row, error in
      found[TeamID(row.integer("team_id"))] = "\(error)"
    }
    return found
  }

  func teamExists(named name: String) throws(StoreError) -> Bool {
    try first("SELECT 1 FROM teams WHERE name = ?", .text(name)) { _ throws(StoreError) in true } ?? false
  }

  package func team(named name: String) throws(StoreError) -> Team {
    let found = try first("SELECT \(Self.teamColumns) FROM teams WHERE name = ?", .text(name)) {
      row throws(StoreError) in try Self.team(row)
    }
    guard let found else { throw .noSuchTeam(name) }
    return found
  }

  package func team(_ id: TeamID) throws(StoreError) -> Team? {
    try first("SELECT \(Self.teamColumns) FROM teams WHERE team_id = ?", .integer(id.number)) {
      row throws(StoreError) in try Self.team(row)
    }
  }

  private static func team(_ row: Statement) throws(StoreError) -> Team {
    let plan: Plan =
      switch row.text("plan") {
      case "free": .free
      case "paid": .paid
      default: .trial(expires: row.instant("trial_expires_ms"))
      }
    guard let morning = TimeOfDay(secondOfDay: row.number("morning_time_s")) else {
      throw .damaged(table: "teams", column: "morning_time_s", value: row.text("morning_time_s"))
    }
    let start = row.optionalInteger("day_start_s")
    let dayStart = start.flatMap { TimeOfDay(secondOfDay: Int($0)) }
    guard start == nil || dayStart != nil else {
      throw .damaged(table: "teams", column: "day_start_s", value: row.text("day_start_s"))
    }
    let stopMinutes = row.number("stop_minutes")
    guard Limits.stopMinutes.contains(stopMinutes) else {
      throw .damaged(table: "teams", column: "stop_minutes", value: row.text("stop_minutes"))
    }
    return Team(
      id: TeamID(row.integer("team_id")), name: row.text("name"), trade: try row.trade("trade", table: "teams"),
      zone: row.text("zone"), language: try row.word("language", table: "teams"),
      units: try row.word("units", table: "teams"),
      objective: try row.word("objective", table: "teams"), plan: plan,
      settings: TeamSettings(
        notificationsEnabled: row.flag("notifications_enabled"), morningNotice: row.flag("morning_summary"),
        lowStockForTomorrow: row.flag("low_stock"), weeklyDigest: row.flag("weekly_digest"), morningTime: morning,
        eveningPreview: row.flag("route_preview"), stopOrder: try row.word("route_order", table: "teams"),
        dayStart: dayStart, stopMinutes: stopMinutes, windows: try row.word("windows", table: "teams"),
        doseUnits: try row.word("dose_units", table: "teams"), dosing: try row.word("dosing", table: "teams"),
        lsiMethod: try row.word("lsi_method", table: "teams"),
        freezeWarning: row.optionalReal("freeze_warning_c"), rainHint: row.optionalReal("rain_hint_mm"),
        defaultVolumeGallons: row.optionalReal("default_volume_gal"), showsBothUnits: row.flag("show_both_units"),
        disabledJobs: Set(row.text("silenced").split(separator: " ").map(String.init))),
      clock: try row.word("clock", table: "teams"),
      chosenCurrency: row.isNull("currency") ? nil : try row.word("currency", table: "teams"),
      createdAt: row.instant("created_ms"), hasDaysOff: row.flag("has_days_off"))
  }

  /// The default technician first, the others by name.
  package func technicians(of team: TeamID) throws(StoreError) -> [Technician] {
    try rows(
      """
      SELECT technician_id, team_id, name, is_default FROM technicians WHERE team_id = ?
      ORDER BY is_default DESC, name_key
      """, .integer(team.number)
    ) { row throws(StoreError) in
      Technician(
        id: TechnicianID(row.integer("technician_id")), teamID: TeamID(row.integer("team_id")), name: row.text("name"),
        isDefault: row.flag("is_default"))
    }
  }

  /// Finds a technician by name, ignoring case, or adds one.
  package func technician(named name: String, of team: TeamID) throws(StoreError) -> TechnicianID {
    try run(
      """
      INSERT INTO technicians (team_id, name, name_key, is_default) VALUES (?, ?, ?, 0)
      ON CONFLICT (team_id, name_key) DO NOTHING
      """, .integer(team.number), .text(name), .text(name.lowercased()))
    let id = try first(
      "SELECT technician_id FROM technicians WHERE team_id = ? AND name_key = ?", .integer(team.number),
      .text(name.lowercased())
    ) { row throws(StoreError) in TechnicianID(row.integer(0)) }
    guard let id else { throw .damaged(table: "technicians", column: "name_key", value: name) }
    return id
  }
}
