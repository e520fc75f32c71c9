package import FlowBackup
package import FlowControl
package import FlowModel
package import PoolBackup
import PoolDigests
import PoolInterchange
import PoolModel
import PoolStore

extension ImportReportView {
  /// - Parameter count: makes the view of record counts.
  package init(_ report: ImportReport, to request: ImportRequest, count: (RecordCounts) -> RecordCountsView) {
    let (team, dryRun) = (request.team, request.dryRun)
    let localizer = Localizer(team)
    let file = report.file
    self.init(
      list: report.list.map { StableListView(ours: $0) }, kind: report.kind == .archive ? .archive : .csv,
      dryRun: dryRun, team: team.name, technician: request.technician,
      before: count(report.effect.before),
      after: count(report.effect.after), creates: report.creates, updates: report.updates,
      deletes: report.effect.changes?.poolsDeleted,
      visitsLost: report.effect.changes?.visitsLost, visitsReverted: report.effect.changes?.visitsReverted,
      poolsLost: report.effect.changes?.poolsLost, poolsReverted: report.effect.changes?.poolsReverted,
      skips: report.skips, issues: report.shownIssues.map { ImportIssueView($0, to: team) },
      issuesTotal: report.issues.count,
      warnings: report.warnings.map { localizer.words(of: $0) }
        + (file?.warnings.map { localizer.words(of: $0) } ?? []),
      photos: report.photos, inactive: file?.inactive,
      columns: file?.columns.map { ImportColumnView(heading: $0.heading, meaning: $0.meaning) },
      preview: dryRun ? file?.preview?.map { ImportRowView($0) } : nil)
  }
}

extension ImportReport {
  /// At most `Limits.problemsShown` issues in file order; errors take precedence over warnings.
  fileprivate var shownIssues: [Issue] {
    guard issues.count > Limits.problemsShown else { return issues }
    let chosen = issues.indices.filter { issues[$0].isError } + issues.indices.filter { !issues[$0].isError }
    return chosen.prefix(Limits.problemsShown).sorted().map { issues[$0] }
  }
}

extension ImportRowView {
  fileprivate init(_ row: CSVPreviewRow) {
    let (pool, profile) = (row.pool, row.profile)
    let personal: [(CSVColumn, String?)] = [
      (.notes, pool?.notes), (.contactPhone, profile?.contactPhone), (.contactEmail, profile?.contactEmail),
      (.gateCode, profile?.gateAccessType),
    ]
    self.init(
      row: row.row, outcome: ImportOutcomeView(row.outcome), customer: pool?.customerName, address: pool?.address,
      day: pool?.serviceDay.abbreviation, monthlyFee: pool?.monthlyServiceFee, volumeGallons: pool?.volumeGallons,
      technician: profile?.technicianTag,
      filled: personal.filter { !($0.1 ?? "").isEmpty }.map(\.0.rawValue))
  }
}

extension ImportOutcomeView {
  fileprivate init(_ outcome: CSVPreviewRow.Outcome) {
    switch outcome {
    case .created: self = .created
    case .updated: self = .updated
    case .skipped: self = .skipped
    case .inactive: self = .inactive
    }
  }
}

extension ImportIssueView {
  fileprivate init(_ issue: ImportReport.Issue, to team: Team) {
    self.init(
      row: issue.row, severity: issue.isError ? .error : .warning, field: issue.field,
      message: issue.fault.message(field: issue.field ?? "", value: issue.value, to: team))
  }
}
