import FoundationEssentials
package import PoolModel

/// One replacement of a team's visits and of the photos that belong to them.
///
/// Photos are files and cannot be part of the store's transaction. A mark in their folder names the change before it is
/// made, and the store takes the name down in the transaction that makes it: after a crash the two say whether the photos
/// have to follow.
package struct PhotoChange: Hashable, Sendable {
  package let name: String

  package init(name: String) { self.name = name }

  package static func fresh() -> PhotoChange { PhotoChange(name: UUID().uuidString) }
}

extension Store {
  /// The last change of a team that replaced visits and their photos.
  package func lastPhotoChange(of team: TeamID) throws -> PhotoChange? {
    try connection.first("SELECT photo_change FROM teams WHERE team_id = ?", .integer(team.number)) {
      row throws(StoreError) in row.optionalText(0).map { PhotoChange(name: $0) }
    } ?? nil
  }
}

extension Connection {
  /// Part of the transaction that makes the change.
  func takeDown(_ change: PhotoChange?, of team: TeamID) throws(StoreError) {
    guard let change else { return }
    try run("UPDATE teams SET photo_change = ? WHERE team_id = ?", .text(change.name), .integer(team.number))
  }
}
