package import FlowModel
import FlowStore
package import StableModel

extension Store: Horses {
  package func horses(of team: TeamID) throws -> [Horse] { try connection.horses(of: team) }

  package func addHorse(to team: TeamID, make: @Sendable (_ horses: [Horse]) throws -> Horse) throws -> Horse {
    try connection.transaction(of: [team]) {
      let known: [Horse] = try connection.horses(of: team)
      let horse: Horse = try make(known)
      try connection.insert([horse], team: team, among: known)
      return horse
    }
  }

  package func changeHorse(
    _ id: HorseID, of team: TeamID, change: @Sendable (inout Horse, _ others: [Horse]) throws -> Void
  ) throws -> Horse {
    try connection.transaction(of: [team]) {
      let known = try connection.horses(of: team)
      guard var horse = known.first(where: { $0.id == id }) else { throw StoreError.gone(.horse, id: id.description) }
      let others = known.filter { $0.id != id }
      try change(&horse, others)
      try connection.update(horse, team: team, among: others)
      return horse
    }
  }

  package func removeHorse(_ id: HorseID, of team: TeamID) throws -> Bool {
    try connection.transaction(of: [team]) {
      let removed = try connection.run(
        "DELETE FROM horses WHERE team_id = ? AND horse_id = ?", .integer(team.number), .id(id))
      // Foreign keys delete the horse's schedule and care events.
      try connection.run(
        """
        DELETE FROM feed_marks WHERE team_id = ?1 AND horse_id = ?2
          AND local_date NOT IN (SELECT local_date FROM feed_days WHERE team_id = ?1)
        """, .integer(team.number), .id(id))
      return removed == 1
    }
  }
}

extension Connection {
  /// Sorted by name.
  func horses(of team: TeamID) throws(StoreError) -> [Horse] {
    try rows(
      """
      SELECT horse_id, name, owner, is_clipped, added_date, has_photo FROM horses WHERE team_id = ?
      """, .integer(team.number)
    ) { row throws(StoreError) in
      Horse(
        id: try row.id("horse_id", table: "horses"), name: row.text("name"), owner: row.text("owner"),
        isClipped: row.flag("is_clipped"), added: try row.date("added_date", table: "horses"),
        hasPhoto: row.flag("has_photo"))
    }.sortedByName()
  }

  /// Inserts horses.
  ///
  /// - Parameter others: the team's present horses.
  /// - Throws: `StoreError.nameTaken`, `.full`.
  func insert(_ horses: [Horse], team: TeamID, among others: [Horse]) throws(StoreError) {
    var taken = Set(others.map(\.nameKey))
    for horse in horses where !taken.insert(horse.nameKey).inserted { throw .nameTaken(.horse, name: horse.name) }
    guard others.count + horses.count <= Limits.horsesPerTeam else { throw .full(.horse, limit: Limits.horsesPerTeam) }
    try insert(horses, as: Self.horses) { (horse, row) throws(StoreError) in
      row.put(team.number)
      row.put(horse.id)
      row.put(horse.name)
      row.put(horse.nameKey.key)
      row.put(horse.owner)
      row.put(horse.isClipped ? 1 : 0)
      row.put(horse.added.description)
      row.put(horse.hasPhoto ? 1 : 0)
    }
    for horse in horses where horse.hasPhoto {
      try storePhoto(of: horse.id, .horse, team: team, isWanted: false)
    }
  }

  private static let horses = InsertForm(
    "horses", "team_id, horse_id, name, name_key, owner, is_clipped, added_date, has_photo")

  /// Writes a changed horse.
  ///
  /// - Throws: `StoreError.nameTaken` if another horse has its name.
  func update(_ horse: Horse, team: TeamID, among others: [Horse]) throws(StoreError) {
    if others.contains(where: { $0.nameKey == horse.nameKey }) { throw .nameTaken(.horse, name: horse.name) }
    try overwrite(horse, team: team)
  }

  /// Writes all columns of a horse. The caller makes sure that no other horse has its name.
  func overwrite(_ horse: Horse, team: TeamID) throws(StoreError) {
    try run(
      """
      UPDATE horses SET name = ?, name_key = ?, owner = ?, is_clipped = ?, added_date = ?, has_photo = ?
      WHERE team_id = ? AND horse_id = ?
      """, .text(horse.name), .text(horse.nameKey.key), .text(horse.owner), .flag(horse.isClipped),
      .text(horse.added.description), .flag(horse.hasPhoto), .integer(team.number), .id(horse.id))
    if horse.hasPhoto {
      try storePhoto(of: horse.id, .horse, team: team, isWanted: false)
    } else {
      try dropPhoto(of: horse.id, .horse, team: team)
    }
  }
}

extension Statement {
  /// A date that the store itself has written.
  ///
  /// - Throws: `StoreError.damaged` for any other text.
  func date(_ name: StaticString, table: String) throws(StoreError) -> CivilDate {
    let text = text(name)
    guard let date = CivilDate(text) else { throw .damaged(table: table, column: "\(name)", value: text) }
    return date
  }
}
