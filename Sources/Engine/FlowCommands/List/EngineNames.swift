import FlowCommandKit
import FlowControl
import FlowModel
import FlowPlatform
import FlowSettings

extension Limits {
  /// The newest runs or notices that completion offers; about one screen.
  static let completionRecords = 30
}

extension ValueCompletion {
  /// The values and operands of the engine's commands.
  static let engine: [ValueCompletion] = [
    .operand("NAME", of: "team", .names("teams")), .operand("TEAM", of: "team", .names("teams")),
    .operand("NAME", of: "technician", .names("technicians")),
    .operand("TECHNICIAN", of: "technician", .names("technicians")),
    .operand("NAME", of: "reminder", .names("reminders")),
    .value("TEAM", .names("teams")), .value("JOB", .names("jobs")),
    .value("JOB|RUN", .names("jobs"), .names("runs")), .value("JOB|RUN|NOTICE", .names("jobs"), .names("runs")),
    .value("RUN", .names("runs")), .value("NOTICE", .names("notices")), .value("BACKUP", .names("backups")),
    .value("NODE", .names("nodes")), .value("SINK", .names("sinks")), .value("TECHNICIAN", .names("technicians")),
    .value("ZONE", .names("zones")), .value("KEY", .words(SettingsKey.all.map(\.name))),
    .value("PLACE", .words(StoreEngine.allCases.map(\.rawValue))),
    .value("DAY", .words(Weekday.allCases.map { $0.abbreviation.lowercased() })),
    .value("STATE", .words(EntryStateView.allCases.map(\.rawValue))),
    .value("PLAN", .words(["free", "trial", "paid"])),
    .value("LANGUAGE", .words(Language.allCases.map(\.rawValue))),
    .value("CLOCK", .words(ClockFormat.allCases.map(\.rawValue))),
    .value("CURRENCY", .words(["auto"] + Currency.allCases.map(\.rawValue))),
    .value("UNITS", .words(UnitSystem.allCases.map(\.rawValue))),
    .value("OBJECTIVE", .words(TravelObjective.allCases.map(\.rawValue))),
  ]
}

extension NameSource {
  /// The names of the engine's records.
  static let engine: [NameSource] = [
    NameSource("teams") { names, _ in names.teams().map { .init($0.name, $0.zone) } },
    NameSource("nodes") { names, _ in names.ask(DaemonCall.Nodes())?.nodes.map { .init($0.name, $0.local) } ?? [] },
    NameSource("sinks") { names, _ in names.ask(SchedulerCall.Status())?.sinks.map { .init($0.name, $0.kind) } ?? [] },
    NameSource("backups") { names, _ in
      [.init("latest")] + (names.ask(BackupCall.List())?.backups.map { .init($0.id, $0.createdLocal) } ?? [])
    },
    NameSource("zones") { _, _ in zones() },
    NameSource("runs") { names, _ in [.init("latest")] + runs(names) },
    NameSource("notices") { names, _ in [.init("latest")] + notices(names) },
    NameSource("jobs") { names, team in
      let jobs = names.ask(SchedulerCall.List(team: team ?? names.defaultTeam))?.jobs ?? []
      return Set(jobs.map(\.job)).sorted().map { .init($0) }
    },
    NameSource("technicians") { names, team in
      Set(names.teams().filter { team == nil || $0.name == team }.flatMap { $0.technicians.map(\.name) }).sorted()
        .map { .init($0) }
    },
    NameSource("reminders") { names, team in
      names.ask(RemindersCall.List(team: team ?? names.defaultTeam, over: false))?.reminders
        .map { .init($0.name, $0.text) } ?? []
    },
  ]

  /// The system's time zones. In tzdata.zi, a line `Z NAME …` defines a zone and `L ZONE NAME` an alias.
  private static func zones() -> [Completion.Candidate] {
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

  private static func runs(_ names: CompletionNames) -> [Completion.Candidate] {
    let runs = names.ask(SchedulerCall.History(limit: Limits.completionRecords, failed: false))?.runs ?? []
    let ids = ShownIDs(runs: runs.map(\.id))
    return runs.map { run in
      .init(ids[run.id], "\(run.job)\(run.team.map { " of \($0)" } ?? ""), \(run.outcome.rawValue)")
    }
  }

  private static func notices(_ names: CompletionNames) -> [Completion.Candidate] {
    let entries = names.ask(OutboxCall.List(limit: Limits.completionRecords))?.entries ?? []
    let ids = ShownIDs(notices: entries.map(\.noticeId))
    var seen: Set<String> = []
    return entries.filter { seen.insert($0.noticeId).inserted }.map { .init(ids[$0.noticeId], $0.title) }
  }
}
