import FlowControl
import FlowModel

// Parse names and times from callers; a refusal suggests the nearest valid name.

extension TeamName {
  /// Parses a team's name.
  ///
  /// - Throws: `ControlError` if the text is no valid team name.
  init(asked name: String, field: String) throws(ControlError) {
    guard let own = TeamName(name) else {
      throw ControlError.badValue(
        field: field, value: name,
        why: "a team's name is 1 to \(Limits.teamNameLength) letters, digits, '-', '_' or '.', "
          + "beginning with a letter or digit"
          + (TeamName(near: name).map { "; did you mean \($0.text)?" } ?? ""))
    }
    self = own
  }
}

extension Team {
  /// Checks the confirmation of a change that cannot be undone; a dry run needs none.
  ///
  /// - Throws: `ControlError` unless `typed` is the team's name.
  func mustBeConfirmed(by typed: String?, unless isDryRun: Bool) throws(ControlError) {
    guard !isDryRun, typed != name else { return }
    throw ControlError.badValue(
      field: "confirm", value: typed ?? "", why: "to confirm, repeat the name of the team: \(name)")
  }
}
