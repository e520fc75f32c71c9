package import FlowControl
internal import FlowModel

extension ControlError {
  package static func noSuchPool(_ name: String, team: String, suggestion: String? = nil) -> ControlError {
    let isShortID = name.utf8.count < Limits.idPrefixLength && name.allSatisfy(\.isHexDigit)
    return missing(
      .noSuchPool, "team \(team) has no pool \(name)", name, suggestion,
      otherwise: "`pfctl pool list --team \(team)` shows them all"
        + (isShortID ? "; the beginning of an id has \(Limits.idPrefixLength) characters or more" : ""))
  }
}
