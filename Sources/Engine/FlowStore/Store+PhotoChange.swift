package import FlowModel
import FoundationEssentials

/// A replacement of a team's visits together with their photos.
///
/// Photos are files and cannot be part of a transaction. A mark in the photo folder names the change before it is made, and
/// the store records the name in the transaction that makes it. After a crash, comparing the two shows whether the photos must
/// still be replaced.
package struct PhotoChange: Hashable, Sendable {
  package let name: String

  package init(name: String) { self.name = name }

  /// A change with a new unique name.
  package static func fresh() -> PhotoChange { PhotoChange(name: UUID().uuidString) }
}

extension Store {
  /// The team's last change that replaced visits and their photos; nil if there was none.
  package func lastPhotoChange(of team: TeamID) throws -> PhotoChange? {
    try connection.first("SELECT photo_change FROM teams WHERE team_id = ?", .integer(team.number)) {
      row throws(StoreError) in row.optionalText(0).map { PhotoChange(name: $0) }
    } ?? nil
  }
}

extension Connection {
  /// Records the change's name, in the transaction that makes the change.
  package func recordChange(_ change: PhotoChange?, of team: TeamID) throws(StoreError) {
    guard let change else { return }
    try run("UPDATE teams SET photo_change = ? WHERE team_id = ?", .text(change.name), .integer(team.number))
  }
}
