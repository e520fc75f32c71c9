package import FlowModel
import FlowStore
package import StableModel

extension Store: CareBooks {
  package func care(
    of team: TeamID, horse: HorseID?, from: CivilDate?, to: CivilDate?, limit: Int?
  ) throws -> [CareEvent] {
    try connection.care(of: team, horse: horse, from: from, to: to, limit: limit)
  }

  package func addCare(_ event: CareEvent, to team: TeamID) throws {
    try connection.transaction(of: [team]) {
      try connection.requireHorses([event.horseID], of: team)
      try connection.insert([event], of: team)
    }
  }

  package func changeCare(
    _ id: CareEventID, of team: TeamID, change: @Sendable (inout CareEvent) throws -> Void
  ) throws -> CareEvent {
    try connection.transaction(of: [team]) {
      guard var event = try connection.careEvent(id, of: team) else {
        throw StoreError.gone(.care, id: id.description)
      }
      try change(&event)
      try connection.requireHorses([event.horseID], of: team)
      try connection.update(event, of: team)
      return event
    }
  }

  package func removeCare(_ id: CareEventID, of team: TeamID) throws -> Bool {
    try connection.transaction(of: [team]) {
      try connection.run(
        "DELETE FROM care_events WHERE team_id = ? AND care_id = ?", .integer(team.number), .id(id)) == 1
    }
  }
}

extension Connection {
  private static let careEventColumns =
    "care_id, horse_id, care_type, local_date, notes, next_due, cost_e4, provider"

  /// Care events, newest date first; within a date the last logged first.
  func care(
    of team: TeamID, horse: HorseID? = nil, from: CivilDate? = nil, to: CivilDate? = nil, limit: Int? = nil
  ) throws(StoreError) -> [CareEvent] {
    try rows(
      """
      SELECT \(Self.careEventColumns) FROM care_events
      WHERE team_id = ?1 AND (?2 IS NULL OR horse_id = ?2) AND local_date >= ?3 AND local_date <= ?4
      ORDER BY local_date DESC, rowid DESC LIMIT ?5
      """, .integer(team.number), .id(horse), .text(from?.description ?? ""),
      .text(to?.description ?? "~"), .integer(limit.map { Int64($0) } ?? .max)
    ) { row throws(StoreError) in try Self.careEvent(row) }
  }

  /// All care events in the order in which they were logged.
  func careAsLogged(of team: TeamID) throws(StoreError) -> [CareEvent] {
    try rows(
      "SELECT \(Self.careEventColumns) FROM care_events WHERE team_id = ? ORDER BY rowid", .integer(team.number)
    ) { row throws(StoreError) in try Self.careEvent(row) }
  }

  func careEvent(_ id: CareEventID, of team: TeamID) throws(StoreError) -> CareEvent? {
    try first(
      "SELECT \(Self.careEventColumns) FROM care_events WHERE team_id = ? AND care_id = ?", .integer(team.number),
      .id(id)
    ) { row throws(StoreError) in try Self.careEvent(row) }
  }

  private static func careEvent(_ row: Statement) throws(StoreError) -> CareEvent {
    CareEvent(
      id: try row.id("care_id", table: "care_events"), horseID: try row.id("horse_id", table: "care_events"),
      type: try row.word("care_type", table: "care_events"), date: try row.date("local_date", table: "care_events"),
      notes: row.text("notes"),
      nextDue: row.isNull("next_due") ? nil : try row.date("next_due", table: "care_events"),
      cost: row.optionalInteger("cost_e4").map { Cost(tenThousandths: $0) }, provider: row.text("provider"))
  }

  /// Inserts care events in the order in which they were logged.
  func insert(_ events: [CareEvent], of team: TeamID) throws(StoreError) {
    try insert(events, as: Self.careEvents) { (event, row) throws(StoreError) in
      row.put(team.number)
      row.put(event.id)
      row.put(event.horseID)
      row.put(event.type.rawValue)
      row.put(event.date.description)
      row.put(event.notes)
      row.put(event.nextDue?.description)
      row.put(event.cost?.tenThousandths)
      row.put(event.provider)
    }
  }

  private static let careEvents = InsertForm(
    "care_events", "team_id, care_id, horse_id, care_type, local_date, notes, next_due, cost_e4, provider")

  func update(_ event: CareEvent, of team: TeamID) throws(StoreError) {
    try run(
      """
      UPDATE care_events SET horse_id = ?, care_type = ?, local_date = ?, notes = ?, next_due = ?, cost_e4 = ?,
        provider = ?
      WHERE team_id = ? AND care_id = ?
      """, .id(event.horseID), .text(event.type.rawValue), .text(event.date.description), .text(event.notes),
      .optional(event.nextDue?.description), .optional(event.cost?.tenThousandths), .text(event.provider),
      .integer(team.number), .id(event.id))
  }
}
