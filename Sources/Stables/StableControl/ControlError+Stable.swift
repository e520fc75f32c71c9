package import FlowControl
internal import FlowModel

extension ControlError {
  package static func noSuchHorse(_ name: String, team: String, suggestion: String?) -> ControlError {
    var facts = ["name": name]
    facts["suggestion"] = suggestion
    let isShortID = name.utf8.count < Limits.idPrefixLength && name.allSatisfy(\.isHexDigit)
    let rest =
      suggestion.map { "did you mean '\($0)'?" }
      ?? "`pfctl horse list --team \(team)` shows them all"
      + (isShortID ? "; the beginning of an id has \(Limits.idPrefixLength) characters or more" : "")
    return ControlError(
      .noSuchHorse, "team \(team) has no horse '\(TextRule.shown.truncated(name))'; \(rest)", facts: facts)
  }

  package static func noSuchTemplate(_ name: String, team: String, suggestion: String?) -> ControlError {
    var facts = ["name": name]
    facts["suggestion"] = suggestion
    let rest =
      suggestion.map { "did you mean '\($0)'?" } ?? "`pfctl feed template list --team \(team)` shows them all"
    return ControlError(
      .noSuchTemplate, "team \(team) has no feed template '\(TextRule.shown.truncated(name))'; \(rest)", facts: facts)
  }

  package static func noSuchCare(_ name: String, team: String) -> ControlError {
    ControlError(
      .noSuchCare,
      "team \(team) has no care whose id begins with '\(TextRule.shown.truncated(name))'; `pfctl care list` shows the ids, and a "
        + "horse's name means its newest", facts: ["name": name])
  }

  package static func horseExists(_ name: String, team: String) -> ControlError {
    ControlError(
      .horseExists,
      "team \(team) has a horse '\(name)' already; names that differ only in case and blanks are the same, and `pfctl horse "
        + "set` changes it", facts: ["name": name])
  }
}
