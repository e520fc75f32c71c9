import FlowCommandKit
import FlowControl
import FlowModel
import PoolControl
import PoolDigests
import PoolInterchange
import PoolJobs
import PoolModel

extension PersonalName.Kind {
  static let customer = PersonalName.Kind(rawValue: "customer")
  static let address = PersonalName.Kind(rawValue: "address")
}

extension CommandTrade {
  /// Pool service.
  static let poolService = CommandTrade(
    .poolService, jobs: .pools, isStandard: true, team: "a pool service", records: .pools, texts: .pools,
    teamRows: TeamRows.poolService, setup: .poolService,
    phrases: { Phrases.examples(in: $0) },
    personalNames: { team, daemon in
      try daemon.ask(PoolsCall.List(team: team)).pools.flatMap {
        [PersonalName($0.customer, .customer), PersonalName($0.address, .address)]
      }
    }, nextWorkingDay: nextDayWithStops)

  /// The first day with stops in the next two weeks, else tomorrow.
  private static func nextDayWithStops(_ team: String, _ daemon: DaemonConnection) throws -> WorkingDay {
    let noStops = WorkingDay(
      WorkingDay.tomorrow.day,
      note: "no pool of \(team) has a stop in the next two weeks; `pfctl pool list --team \(team)` shows the days")
    var next = WorkingDay.tomorrow
    for _ in 0..<14 {
      let reply = try daemon.ask(
        ReportsCall.Digest(team: team, kind: .morning, date: next.day, technician: nil, format: .json))
      let digest = try UntrustedJSON.decode(MorningDigest.self, from: Array(reply.text.utf8))
      if digest.sections.contains(where: { !$0.stops.isEmpty && $0.isAway != true }) { return next }
      guard let date = CivilDate(digest.date) else { return noStops }
      next = WorkingDay("\(date.adding(days: 1))", note: "tomorrow has no stops; the next day with stops:")
    }
    return noStops
  }
}

extension [ExportedList] {
  /// The lists of pool service, and the customer list to fill in.
  static let pools: [ExportedList] =
    ExportTableView.allCases.map { table in
      ExportedList(
        table.rawValue,
        .records { query, daemon in
          let daemon = try daemon()
          var lines: [String] = []
          var next: String?
          repeat {
            let reply = try daemon.ask(
              WaterCall.Export(
                team: query.team, table: table, after: next, pool: query.record, reveal: query.reveals ? true : nil))
            lines += reply.lines
            next = reply.next
          } while next != nil
          return lines
        }, notes: { query, daemon in table == .pools ? try omissions(of: query.team, daemon()) : [] })
    } + [ExportedList("template", .template { CSVExport.template })]

  /// The dates of service that a list of pools leaves out: pauses, and changed dates of single stops.
  private static func omissions(of team: String, _ daemon: DaemonConnection) throws -> [String] {
    let pauses = try daemon.ask(PoolsCall.ListServices(team: team)).services.flatMap(\.pauses).count { !$0.over }
    let changes = try daemon.ask(PoolsCall.ListStopChanges(team: team, past: nil)).changes.count(where: \.effective)
    return [(pauses, "pause", "service list"), (changes, "changed stop", "stop list")].filter { $0.0 > 0 }.map {
      count, noun, command in
      "\(TextFormat.count(count, noun)) \(count == 1 ? "is" : "are") not in this list; `pfctl \(command) --team "
        + "\(visible(team))` shows \(count == 1 ? "it" : "them")"
    }
  }
}
