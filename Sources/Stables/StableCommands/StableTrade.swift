import FlowCommandKit
import FlowControl
import FlowModel
import StableControl
import StableDigests
import StableJobs
import StableModel

extension PersonalName.Kind {
  static let horse = PersonalName.Kind(rawValue: "horse")
  static let owner = PersonalName.Kind(rawValue: "owner")
}

extension CommandTrade {
  /// Stables.
  static let stable = CommandTrade(
    .stable, jobs: .stables, team: "a stable", records: .horses, texts: .stable, teamRows: TeamRows.stable,
    setup: .stable, phrases: { BarnPhrases.examples(in: $0) },
    personalNames: { team, daemon in
      try daemon.ask(HorsesCall.List(team: team)).horses.flatMap {
        [PersonalName($0.name, .horse), PersonalName($0.owner, .owner)]
      }
    })
}

extension [ExportedList] {
  /// The lists of a stable.
  static let stables: [ExportedList] = StableListView.allCases.map { list in
    ExportedList(
      list.rawValue,
      .records { query, daemon in
        guard query.record == nil, !query.reveals else {
          throw CommandFailure.usage("a stable has no pools; remove --pool and --reveal")
        }
        let daemon = try daemon()
        var lines: [String] = []
        var next: String?
        repeat {
          let reply = try daemon.ask(HorsesCall.Export(team: query.team, list: list, after: next))
          lines += reply.lines
          next = reply.next
        } while next != nil
        return lines
      })
  }
}
