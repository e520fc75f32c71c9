import FlowCommandKit
import FlowControl
import FlowModel
internal import FlowNotices
import PoolControl

extension RecordTexts {
  /// The records of a pool service.
  static let pools = RecordTexts(
    rows: { counts in
      guard counts.isOfPools else { return nil }
      return [
        ("pools", counts.pools), ("visits", counts.serviceEvents), ("doses", counts.chemicalDoses),
        ("stock items", counts.inventoryItems), ("customer profiles", counts.customerProfiles),
        ("equipment", counts.equipment), ("photos", counts.photos),
      ]
    },
    summary: { counts in
      guard counts.isOfPools else { return nil }
      return [
        TextFormat.count(counts.pools, "pool"), TextFormat.count(counts.serviceEvents, "visit"),
        TextFormat.count(counts.photos, "photo"),
      ]
    },
    backupCells: { $0.horses == nil ? cells(pools: $0.pools, visits: $0.visits) : nil },
    restoreCells: { $0.horses == nil ? cells(pools: $0.pools, visits: $0.visits) : nil },
    importNoun: { $0.poolNoun },
    importLosses: { report in
      func part(_ count: Int?, _ noun: String, _ rest: String) -> String? {
        guard let count, count > 0 else { return nil }
        return "\(TextFormat.count(count, noun)) \(rest)"
      }
      return [
        part(report.deletes, "pool", "deleted"), part(report.visitsLost, "visit", "logged here lost"),
        part(report.poolsLost, "pool", "added since lost"),
        part(report.poolsReverted, "pool", "changed since put back"),
        part(report.visitsReverted, "visit", "edited here put back"),
      ].compactMap { $0 }
    })

  private static func cells(pools: Int, visits: Int) -> ArchiveCells {
    ArchiveCells(records: TextFormat.grouped(pools), events: TextFormat.grouped(visits))
  }
}

extension TeamRows {
  /// A pool service with its settings and technicians.
  static func poolService(_ team: TeamView) -> [(String, String)] {
    var rows = [
      ("team", team.name), ("plan", plan(of: team)), ("pools", TextFormat.grouped(team.pools)), ("zone", team.zone),
      ("language", team.language), ("units", team.units.rawValue),
      ("show-both-units", onOrOff(team.settings.showBothUnits == true)), ("objective", team.objective.rawValue),
      ("notifications", onOrOff(team.settings.notifications)),
      ("morning-summary", onOrOff(team.settings.morningSummary)),
      ("morning-time", team.settings.morningTime), ("route-preview", onOrOff(team.settings.routePreview == true)),
      ("route-order", team.settings.routeOrder?.rawValue ?? StopOrder.kept.rawValue),
      ("day-start", team.settings.dayStart ?? "auto"),
      ("stop-minutes", String(team.settings.stopMinutes ?? TeamSettings.usualStopMinutes)),
      ("windows", team.settings.windows?.rawValue ?? WindowRule.respect.rawValue),
      ("dose-units", team.settings.doseUnits ?? DoseUnits.app.rawValue),
      ("dosing", team.settings.dosing ?? DosingMethod.app.rawValue),
      ("lsi-method", team.settings.lsiMethod ?? LSIMethod.app.rawValue),
      ("freeze-warning", team.settings.freezeWarningText ?? "off"),
      ("rain-hint", team.settings.rainHintText ?? "off"),
      ("default-volume", team.settings.defaultVolumeText ?? "auto"), ("low-stock", onOrOff(team.settings.lowStock)),
      ("weekly-digest", onOrOff(team.settings.weeklyDigest)), ("clock", team.clock),
      ("currency", team.currency.rawValue),
    ]
    for (index, technician) in team.technicians.enumerated() {
      let standard = technician.isDefault ? ", default" : ""
      let text = "\(technician.name) (\(TextFormat.count(technician.pools, "pool"))\(standard))"
      rows.append((index == 0 ? "technicians" : "", text))
    }
    return rows
  }
}

extension TextFormat {
  /// A saturation index as in digests: `+0.15`, `-0.12`, `0.00`; a dash for nil.
  static func index(_ lsi: Double?) -> String { lsi.map { Numerals(.english).signed($0, places: 2) } ?? "-" }

  /// `15,000 gal` in the team's units; always gallons from an older daemon.
  static func volume(of pool: PoolView) -> String {
    pool.volumeText ?? decimal(pool.volumeGallons, places: 0) + " gal"
  }
}
