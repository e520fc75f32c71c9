import FlowCommandKit
import FlowControl
import StableControl

extension RecordTexts {
  /// The records of a stable.
  static let stable = RecordTexts(
    rows: { counts in
      counts.horses.map { horses in
        [
          ("horses", horses), ("feed schedules", counts.feedSchedules ?? 0), ("care", counts.care ?? 0),
          ("photos", counts.photos),
        ]
      }
    },
    summary: { counts in
      counts.horses.map { horses in
        [
          TextFormat.count(horses, "horse"), TextFormat.count(counts.feedSchedules ?? 0, "feed schedule"),
          care(counts.care), TextFormat.count(counts.photos, "photo"),
        ]
      }
    },
    backupCells: { archive in archive.horses.map { cells(horses: $0, care: archive.care) } },
    restoreCells: { archive in archive.horses.map { cells(horses: $0, care: archive.care) } },
    importNoun: { $0.stableNoun })

  private static func cells(horses: Int, care events: Int?) -> ArchiveCells {
    ArchiveCells(records: TextFormat.count(horses, "horse"), events: care(events), withoutTechnician: "-")
  }

  private static func care(_ count: Int?) -> String { TextFormat.count(count ?? 0, "piece of care", "pieces of care") }
}

extension TeamRows {
  /// A stable with its settings.
  static func stable(_ team: TeamView) -> [(String, String)] {
    func degrees(_ limit: Double) -> String { limit == limit.rounded() ? String(Int(limit)) : String(limit) }
    let rows = common(of: team, [RecordCountView(one: "horse", many: "horses", count: team.horses ?? 0)])
    guard let barn = team.barn else { return rows }
    return rows + barn.switches.map { ($0.job, onOrOff($0.on)) }
      + [("blanket-limits", barn.blanketLimits.map(degrees).joined(separator: ","))]
      + barn.intervals.map { ("interval-\($0.type)", $0.days.map(String.init) ?? "none") }
  }
}
