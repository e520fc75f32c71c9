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
    try connection.first("SELECT value FROM meta WHERE key = ?", .text(Connection.photoChangeKey(team))) {
      row throws(StoreError) in PhotoChange(name: row.text(0))
    }
  }
}

extension Connection {
  fileprivate static func photoChangeKey(_ team: TeamID) -> String { "photo_change_\(team.number)" }

  /// Part of the transaction that makes the change.
  func takeDown(_ change: PhotoChange?, of team: TeamID) throws(StoreError) {
    guard let change else { return }
    try run(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      .text(Self.photoChangeKey(team)), .text(change.name))
  }
}
