package import FlowModel
import FlowStore
package import StableModel

extension Store: BlanketBooks {
  package func lastNight(before date: CivilDate, of team: TeamID) throws -> BlanketNight? {
    try connection.snapshot { try connection.lastNight(before: date, of: team) }
  }
}

extension Connection {
  /// The last night with advice.
  ///
  /// - Parameter date: the night must be before this date; nil: the last night of all.
  func lastNight(before date: CivilDate?, of team: TeamID) throws(StoreError) -> BlanketNight? {
    let night = try first(
      """
      SELECT local_date, felt_c, is_wet FROM blanket_nights WHERE team_id = ? AND local_date < ?
      ORDER BY local_date DESC LIMIT 1
      """, .integer(team.number), .text(date?.description ?? "~")
    ) { row throws(StoreError) in try Self.night(row) }
    guard let night else { return nil }
    return try withAdvice(night, of: team)
  }

  /// All nights with advice, oldest first.
  func blanketNights(of team: TeamID) throws(StoreError) -> [BlanketNight] {
    var nights = try rows(
      "SELECT local_date, felt_c, is_wet FROM blanket_nights WHERE team_id = ? ORDER BY local_date",
      .integer(team.number)
    ) { row throws(StoreError) in try Self.night(row) }
    for place in nights.indices { nights[place] = try withAdvice(nights[place], of: team) }
    return nights
  }

  private static func night(_ row: Statement) throws(StoreError) -> BlanketNight {
    BlanketNight(
      date: try row.date("local_date", table: "blanket_nights"), felt: row.real("felt_c"), isWet: row.flag("is_wet"),
      advice: [:])
  }

  private func withAdvice(_ night: BlanketNight, of team: TeamID) throws(StoreError) -> BlanketNight {
    let advice = try rows(
      "SELECT horse_id, advice FROM blanket_advice WHERE team_id = ? AND local_date = ?", .integer(team.number),
      .text(night.date.description)
    ) { row throws(StoreError) in
      (
        try row.id("horse_id", table: "blanket_advice") as HorseID,
        try row.word("advice", table: "blanket_advice") as BlanketAdvice
      )
    }
    var night = night
    night.advice = Dictionary(advice, uniquingKeysWith: { first, _ in first })
    return night
  }

  /// Stores a night's advice; advice for the same night is replaced.
  func keep(_ night: BlanketNight, of team: TeamID) throws(StoreError) {
    try run(
      "DELETE FROM blanket_nights WHERE team_id = ? AND local_date = ?", .integer(team.number),
      .text(night.date.description))
    try run(
      "INSERT INTO blanket_nights (team_id, local_date, felt_c, is_wet) VALUES (?, ?, ?, ?)", .integer(team.number),
      .text(night.date.description), .real(night.felt), .flag(night.isWet))
    try insert(night.advice.sorted { $0.key < $1.key }, as: Self.blanketAdvice) { (advice, row) throws(StoreError) in
      row.put(team.number)
      row.put(night.date.description)
      row.put(advice.key)
      row.put(advice.value.rawValue)
    }
  }

  private static let blanketAdvice = InsertForm("blanket_advice", "team_id, local_date, horse_id, advice")
}
