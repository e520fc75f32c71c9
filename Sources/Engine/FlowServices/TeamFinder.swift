package import FlowControl
package import FlowModel
package import FlowStore
package import FlowWork

/// Finds the team, technician or job that a caller named. Unknown names are refused with the nearest known one.
package struct TeamFinder: Sendable {
  private let store: any Ledger & Teams
  package let jobs: JobCatalogues
  private let log: DaemonLog

  package init(store: any Ledger & Teams, jobs: JobCatalogues, log: DaemonLog) {
    self.jobs = jobs
    self.store = store
    self.log = log
  }

  /// The job kind with this name.
  ///
  /// - Throws: `ControlError.noSuchJob` with the nearest name.
  package func kind(named name: String) throws(ControlError) -> JobKind {
    guard let kind = jobs.kind(named: name) else { throw noSuchKind(name) }
    return kind
  }

  package func noSuchKind(_ name: String) -> ControlError {
    .noSuchJob(name, suggestion: Suggestion.nearest(to: name, among: jobs.every.all.map(\.rawValue)))
  }

  /// The trade with this name, or the first of this build if a caller names none.
  package func trade(named name: String?) throws(ControlError) -> Trade {
    let found = jobs.trades.first { name == nil || $0.rawValue == name }
    guard let trade = found else {
      let known = jobs.trades.map(\.rawValue).joined(separator: ", ")
      throw ControlError.badValue(field: "trade", value: name ?? "", why: "it is one of \(known)")
    }
    return trade
  }

  /// The team with this name.
  ///
  /// - Throws: `ControlError.noSuchTeam` with the nearest known name.
  package func team(named name: String) async throws -> Team {
    do {
      return try await store.team(named: name)
    } catch let error as StoreError where error.isAboutData {
      log.error("\(error)")
      throw ControlError(.storage, "team '\(name)' cannot be read: \(error); the other teams are not affected")
    } catch StoreError.noSuchTeam {
      let names = try await store.teams().map(\.name)
      throw ControlError.noSuchTeam(name, suggestion: Suggestion.nearest(to: name, among: names))
    }
  }

  /// The team with this name; nil for nil.
  package func optionalTeam(named name: String?) async throws -> Team? {
    guard let name else { return nil }
    return try await team(named: name)
  }

  /// The technician of that name; case is ignored.
  package func technician(_ name: String, of team: Team) async throws -> Technician {
    let technicians = try await store.technicians(of: team.id)
    guard let found = technicians.first(where: { $0.name.lowercased() == name.lowercased() }) else {
      throw ControlError.noSuchTechnician(
        name, team: team.name, suggestion: Suggestion.nearest(to: name, among: technicians.map(\.name)))
    }
    return found
  }

  /// Refuses `office` and `all` as names of new technicians. A technician called `all` from before this rule stays valid.
  package func checkTechnician(_ name: String, field: String, of team: Team) async throws {
    guard Technician.isReserved(name) else { return }
    let word = trimmingSpaces(name).lowercased()
    guard word != Technician.office else {
      throw ControlError.badValue(
        field: field, value: name,
        why: "office is the team's office and no technician: `pfctl technician set office --team \(team.name) …`")
    }
    guard try await !store.technicians(of: team.id).contains(where: { $0.name.lowercased() == word }) else { return }
    throw ControlError.badValue(
      field: field, value: name, why: "all means the whole team; choose another name for the technician")
  }

  /// The team that owns a job of this kind; nil for the server's own jobs.
  ///
  /// - Parameter name: the team that the caller named.
  package func owner(of kind: JobKind, named name: String?) async throws -> Team? {
    guard !kind.isServerJob else {
      guard let name else { return nil }
      throw ControlError.badValue(
        field: "team", value: name, why: "\(kind.rawValue) is the server's own job; leave the team out")
    }
    guard let name else {
      throw ControlError.badValue(
        field: "team", value: "", why: "\(kind.rawValue) is a team's job; name the team with --team")
    }
    return try await team(named: name)
  }

  /// The job of this kind.
  ///
  /// - Parameter team: nil for the server.
  package func job(_ kind: JobKind, of team: Team?) async throws -> JobRecord {
    guard let job = try await store.jobs(of: team?.id).first(where: { $0.kind == kind }) else {
      throw ControlError.noSuchJob(kind.rawValue)
    }
    return job
  }
}
