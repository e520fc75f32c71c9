internal import FlowControl
internal import FlowModel
internal import FlowPlatform

/// The names that completion asks the daemon for. A key press of Tab must neither wait long nor print errors: every failure
/// yields no names.
final class CompletionNames {
  private let path: String
  private let environment: [String: String]
  private let startedAt = ContinuousClock.now

  init(_ session: Session) {
    path = session.socketPath
    environment = session.environment
  }

  func candidates(_ kind: Completion.NameKind) -> [Completion.Candidate] {
    switch kind {
    case .teams: teams().map { .init($0.name, $0.zone) }
    case .nodes: ask(DaemonCall.Nodes())?.nodes.map { .init($0.name, $0.local) } ?? []
    case .sinks: ask(SchedulerCall.Status())?.sinks.map { .init($0.name, $0.kind) } ?? []
    case .backups:
      [.init("latest")] + (ask(BackupCall.List())?.backups.map { .init($0.id, $0.createdLocal) } ?? [])
    case .zones: zones()
    case .runs: [.init("latest")] + runs()
    case .notices: [.init("latest")] + notices()
    case .jobs(let team): jobs(of: team)
    case .technicians(let team):
      Set(teams().filter { team == nil || $0.name == team }.flatMap { $0.technicians.map(\.name) }).sorted()
        .map { .init($0) }
    case .pools(let team): pools(of: team)
    case .horses(let team): horses(of: team)
    case .templates(let team):
      resolvedTeam(team).flatMap { ask(FeedCall.ListTemplates(team: $0)) }?.templates
        .map { .init($0.name, $0.description) } ?? []
    case .reminders(let team):
      ask(RemindersCall.List(team: team ?? defaultTeam, over: false))?.reminders.map { .init($0.name, $0.text) } ?? []
    }
  }

  /// The system's time zones. In tzdata.zi, a line `Z NAME …` defines a zone and `L ZONE NAME` an alias.
  private func zones() -> [Completion.Candidate] {
    let text = SmallFile.text("\(SystemZones().folder)/tzdata.zi", limit: 1 << 20) ?? ""
    let names = text.split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ", maxSplits: 3)
      switch words.first {
      case "Z": return words.count > 1 ? String(words[1]) : nil
      case "L": return words.count > 2 ? String(words[2]) : nil
      default: return nil
      }
    }
    return names.sorted().map { .init($0) }
  }

  private func teams() -> [TeamView] { ask(TeamsCall.List())?.teams ?? [] }

  /// The default team of $POOLFLOW_TEAM, for a line that names no team.
  private var defaultTeam: String? { environment["POOLFLOW_TEAM"].flatMap { $0.isEmpty ? nil : $0 } }

  private func jobs(of team: String?) -> [Completion.Candidate] {
    let jobs = ask(SchedulerCall.List(team: team ?? defaultTeam))?.jobs ?? []
    return Set(jobs.map(\.job)).sorted().map { .init($0) }
  }

  private func runs() -> [Completion.Candidate] {
    let runs = ask(SchedulerCall.History(limit: Limits.completionRecords, failed: false))?.runs ?? []
    let ids = ShownIDs(runs: runs.map(\.id))
    return runs.map { run in
      .init(ids[run.id], "\(run.job)\(run.team.map { " of \($0)" } ?? ""), \(run.outcome.rawValue)")
    }
  }

  private func notices() -> [Completion.Candidate] {
    let entries = ask(OutboxCall.List(limit: Limits.completionRecords))?.entries ?? []
    let ids = ShownIDs(notices: entries.map(\.noticeId))
    var seen: Set<String> = []
    return entries.filter { seen.insert($0.noticeId).inserted }.map { .init(ids[$0.noticeId], $0.title) }
  }

  /// Pools by customer name, or by id if several have the same name.
  private func pools(of team: String?) -> [Completion.Candidate] {
    guard let team = resolvedTeam(team), let pools = ask(PoolsCall.List(team: team))?.pools else { return [] }
    let counts = Dictionary(pools.map { ($0.customer, 1) }, uniquingKeysWith: +)
    let ids = ShownIDs(records: pools.map(\.id))
    return pools.map { pool in
      counts[pool.customer] == 1 ? .init(pool.customer, pool.address) : .init(ids[pool.id], pool.customer)
    }
  }

  /// Horse names, which are unique within a stable.
  private func horses(of team: String?) -> [Completion.Candidate] {
    resolvedTeam(team).flatMap { ask(HorsesCall.List(team: $0)) }?.horses.map { .init($0.name) } ?? []
  }

  /// The team whose records are listed: the named team, else $POOLFLOW_TEAM, else the only team.
  private func resolvedTeam(_ team: String?) -> String? {
    if let team = team ?? defaultTeam { return team }
    let all = teams()
    return all.count == 1 ? all[0].name : nil
  }

  /// The first page of an answer; nil if it does not arrive within the time limit shared by all calls of one key press.
  private func ask<M: ControlMethod>(_ call: M) -> M.Reply? {
    let left = Limits.completionWait - startedAt.duration(to: .now)
    guard left > .zero, let daemon = try? DaemonConnection(path: path, deadline: left) else { return nil }
    return try? daemon.ask(call, deadline: left, meanwhile: {})
  }
}
