package import FlowModel
import FlowStore

/// Measured travel times between a team's locations.
package struct StoredTravelTable: Hashable, Sendable {
  package let name: String
  package let places: [(latitude: Double, longitude: Double)]
  /// Minutes row by row, from each location to each; nil if unknown.
  package let minutes: [Double?]
  package let importedAt: Timestamp

  package init(
    name: String, places: [(latitude: Double, longitude: Double)], minutes: [Double?], importedAt: Timestamp
  ) {
    self.name = name
    self.places = places
    self.minutes = minutes
    self.importedAt = importedAt
  }

  package static func == (left: StoredTravelTable, right: StoredTravelTable) -> Bool {
    left.name == right.name && left.importedAt == right.importedAt && left.minutes == right.minutes
      && left.places.elementsEqual(right.places, by: ==)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(importedAt)
  }
}

extension Store {
  package func travelTable(of team: TeamID) throws -> StoredTravelTable? {
    try connection.first(
      "SELECT name, places, minutes, imported_ms FROM travel_tables WHERE team_id = ?", .integer(team.number)
    ) {
      row throws(StoreError) in
      let places = row.text("places").split(separator: " ").compactMap { place -> (Double, Double)? in
        let parts = place.split(separator: ",").compactMap { Double($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
      }
      let minutes = row.text("minutes").split(separator: " ").map { Double($0) }
      guard minutes.count == places.count * places.count else {
        throw .damaged(table: "travel_tables", column: "minutes", value: "\(minutes.count) numbers")
      }
      return StoredTravelTable(
        name: row.text("name"), places: places.map { (latitude: $0.0, longitude: $0.1) }, minutes: minutes,
        importedAt: row.instant("imported_ms"))
    }
  }

  package func setTravelTable(_ table: StoredTravelTable?, of team: TeamID) throws {
    try connection.transaction(of: [team]) {
      try connection.run("DELETE FROM travel_tables WHERE team_id = ?", .integer(team.number))
      guard let table else { return }
      try connection.run(
        "INSERT INTO travel_tables (team_id, name, places, minutes, imported_ms) VALUES (?, ?, ?, ?, ?)",
        .integer(team.number), .text(table.name),
        .text(table.places.map { "\($0.latitude),\($0.longitude)" }.joined(separator: " ")),
        .text(table.minutes.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")), .at(table.importedAt))
    }
  }
}
