package import FlowModel
import FlowStore
package import StableModel

extension Store {
  package func schedules(of team: TeamID) throws -> [HorseID: FeedSchedule] { try connection.schedules(of: team) }

  package func changeSchedules(
    of horses: [HorseID], team: TeamID, change: @Sendable (HorseID, FeedSchedule?) throws -> FeedSchedule?
  ) throws {
    try connection.transaction(of: [team]) {
      try connection.requireHorses(horses, of: team)
      let known = try connection.schedules(of: team)
      for horse in horses { try connection.keep(try change(horse, known[horse]), for: horse, of: team) }
    }
  }

  package func templates(of team: TeamID) throws -> [FeedTemplate] { try connection.templates(of: team) }

  package func changeTemplates(of team: TeamID, change: @Sendable (inout [FeedTemplate]) throws -> Void) throws {
    try connection.transaction(of: [team]) {
      let old = try connection.templates(of: team)
      var new = old
      try change(&new)
      guard new.count <= Limits.feedTemplatesPerTeam else {
        throw StoreError.full(.template, limit: Limits.feedTemplatesPerTeam)
      }
      try connection.replaceTemplates(of: team, by: new)
    }
  }

  package func applyTemplate(_ id: FeedTemplateID, to horses: [HorseID], of team: TeamID) throws {
    try connection.transaction(of: [team]) {
      guard let template = try connection.templates(of: team).first(where: { $0.id == id }) else {
        throw StoreError.gone(.template, id: id.description)
      }
      try connection.requireHorses(horses, of: team)
      for horse in horses { try connection.keep(template.schedule, for: horse, of: team) }
      try connection.run(
        "UPDATE feed_templates SET uses = uses + 1 WHERE team_id = ? AND template_id = ?", .integer(team.number),
        .id(id))
    }
  }
}

extension Connection {
  /// Checks that the horses exist.
  ///
  /// - Throws: `StoreError.gone` with the first horse that does not.
  func requireHorses(_ horses: [HorseID], of team: TeamID) throws(StoreError) {
    for horse in horses {
      let isThere = try first(
        "SELECT 1 FROM horses WHERE team_id = ? AND horse_id = ?", .integer(team.number), .id(horse)
      ) { _ throws(StoreError) in true }
      guard isThere == true else { throw .gone(.horse, id: horse.description) }
    }
  }

  func schedules(of team: TeamID) throws(StoreError) -> [HorseID: FeedSchedule] {
    let found = try rows(
      """
      SELECT horse_id, am_grain, am_supplements, am_medications, pm_grain, pm_supplements, pm_medications
      FROM feed_schedules WHERE team_id = ?
      """, .integer(team.number)
    ) { row throws(StoreError) in
      (try row.id("horse_id", table: "feed_schedules") as HorseID, Self.schedule(row))
    }
    return Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  /// Replaces a horse's schedule; nil or an empty schedule removes it.
  func keep(_ schedule: FeedSchedule?, for horse: HorseID, of team: TeamID) throws(StoreError) {
    try run(
      "DELETE FROM feed_schedules WHERE team_id = ? AND horse_id = ?", .integer(team.number), .id(horse))
    guard let schedule, !schedule.isEmpty else { return }
    try insert([schedule], as: Self.schedules) { (schedule, row) throws(StoreError) in
      row.put(team.number)
      row.put(horse)
      row.put(schedule)
    }
  }

  private static let schedules = InsertForm(
    "feed_schedules",
    "team_id, horse_id, am_grain, am_supplements, am_medications, pm_grain, pm_supplements, pm_medications")

  /// Sorted by name.
  func templates(of team: TeamID) throws(StoreError) -> [FeedTemplate] {
    try rows(
      """
      SELECT template_id, name, about, am_grain, am_supplements, am_medications, pm_grain, pm_supplements,
        pm_medications, uses, created_ms
      FROM feed_templates WHERE team_id = ? ORDER BY name_key
      """, .integer(team.number)
    ) { row throws(StoreError) in
      FeedTemplate(
        id: try row.id("template_id", table: "feed_templates"), name: row.text("name"), about: row.text("about"),
        schedule: Self.schedule(row), uses: row.number("uses"), createdAt: row.instant("created_ms"))
    }
  }

  /// Replaces all templates of a team.
  ///
  /// - Throws: `StoreError.nameTaken` if two templates have the same name.
  func replaceTemplates(of team: TeamID, by templates: [FeedTemplate]) throws(StoreError) {
    var taken: Set<HorseName> = []
    for template in templates where !taken.insert(HorseName(template.name)).inserted {
      throw .nameTaken(.template, name: template.name)
    }
    try run("DELETE FROM feed_templates WHERE team_id = ?", .integer(team.number))
    try insert(templates, as: Self.templates) { (template, row) throws(StoreError) in
      row.put(team.number)
      row.put(template.id)
      row.put(template.name)
      row.put(HorseName(template.name).key)
      row.put(template.about)
      row.put(template.schedule)
      row.put(template.uses)
      row.put(template.createdAt)
    }
  }

  private static let templates = InsertForm(
    "feed_templates",
    """
    team_id, template_id, name, name_key, about, am_grain, am_supplements, am_medications, pm_grain, pm_supplements,
    pm_medications, uses, created_ms
    """)

  private static func schedule(_ row: Statement) -> FeedSchedule {
    func list(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }
    return FeedSchedule(
      am: FeedMeal(
        grain: row.text("am_grain"), supplements: list(row.text("am_supplements")),
        medications: list(row.text("am_medications"))),
      pm: FeedMeal(
        grain: row.text("pm_grain"), supplements: list(row.text("pm_supplements")),
        medications: list(row.text("pm_medications"))))
  }
}

extension Binding {
  /// Binds the six values of a schedule.
  fileprivate mutating func put(_ schedule: FeedSchedule) {
    for slot in FeedSlot.allCases {
      put(schedule[slot].grain)
      put(schedule[slot].supplements.joined(separator: "\n"))
      put(schedule[slot].medications.joined(separator: "\n"))
    }
  }
}
