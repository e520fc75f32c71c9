/// Which notices go to a sink: what its section of the settings says. It is asked once, when a notice is written, so that
/// a reload changes what comes and never what is on its way.
package struct SinkRoute: Hashable, Sendable {
  package let sink: String
  /// The names of teams; nil for all, and for what concerns no team.
  package let teams: Set<String>?
  /// Words of jobs, such as `morning-summary`, or `operator`; nil for all.
  package let jobs: Set<String>?
  /// The least that matters here.
  package let severity: Severity
  /// Notices of single persons come here, too: to others they would only repeat what the whole team's says.
  package let takesPersonal: Bool
  /// Notices that belong to no person are sent here.
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

  /// Whether the sink is told of this notice. A sink of named teams hears nothing of the server itself.
  package func takes(_ notice: Notice) -> Bool {
    (notice.person == nil ? takesShared : takesPersonal) && notice.severity >= severity
      && (teams?.contains(notice.teamName) ?? true)
      && (jobs?.contains(notice.job) ?? true)
  }

  /// The same route for notices of single persons only.
  package var onlyPersonal: SinkRoute {
    var route = self
    route.takesShared = false
    return route
  }
}
