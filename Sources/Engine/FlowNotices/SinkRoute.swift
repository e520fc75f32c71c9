/// The filter of one sink from its section of the settings. It is applied once, when a notice is stored, so a reload affects
/// only later notices.
package struct SinkRoute: Hashable, Sendable {
  package let sink: String
  /// Team names; nil for all teams and for notices without a team.
  package let teams: Set<String>?
  /// Raw values of job kinds, such as `morning-summary`, or `operator`; nil for all.
  package let jobs: Set<String>?
  /// The lowest severity that the sink accepts.
  package let severity: Severity
  /// Whether the sink accepts notices for individual people; for other sinks they would only repeat the team's notice.
  package let takesPersonal: Bool
  /// Whether the sink accepts notices that are not for an individual person.
  private(set) var takesShared = true

  package init(
    sink: String, teams: Set<String>? = nil, jobs: Set<String>? = nil, severity: Severity = .info,
    takesPersonal: Bool = false
  ) {
    self.sink = sink
    self.teams = teams
    self.jobs = jobs
    self.severity = severity
    self.takesPersonal = takesPersonal
  }

  /// Whether the sink accepts this notice. A route with team names rejects notices about the server itself.
  package func takes(_ notice: Notice) -> Bool {
    (notice.person == nil ? takesShared : takesPersonal) && notice.severity >= severity
      && (teams?.contains(notice.teamName) ?? true)
      && (jobs?.contains(notice.job) ?? true)
  }

  /// The same route, restricted to notices for individual people.
  package var onlyPersonal: SinkRoute {
    var route = self
    route.takesShared = false
    return route
  }
}
