// What org.poolflow.Import tells about a file.

/// What an uploaded file turned out to be.
package enum ImportKindView: String, Codable, Sendable, CaseIterable {
  case archive, csv
}

/// Whether an issue keeps its row out.
package enum SeverityView: String, Codable, Sendable, CaseIterable {
  case warning, error
}

/// How many records of each kind a team and technician have.
package struct RecordCountsView: Codable, Equatable, Sendable {
  package let pools: Int
  package let serviceEvents: Int
  package let chemicalDoses: Int
  package let inventoryItems: Int
  package let customerProfiles: Int
  package let equipment: Int
  package let photos: Int

  package init(
    pools: Int, serviceEvents: Int, chemicalDoses: Int, inventoryItems: Int, customerProfiles: Int,
    equipment: Int, photos: Int
  ) {
    self.pools = pools
    self.serviceEvents = serviceEvents
    self.chemicalDoses = chemicalDoses
    self.inventoryItems = inventoryItems
    self.customerProfiles = customerProfiles
    self.equipment = equipment
    self.photos = photos
  }

  private enum CodingKeys: String, CodingKey {
    case pools, equipment, photos
    case serviceEvents = "service_events"
    case chemicalDoses = "chemical_doses"
    case inventoryItems = "inventory_items"
    case customerProfiles = "customer_profiles"
  }
}

/// Something about one row or record.
package struct ImportIssueView: Codable, Sendable {
  /// Row of the file, its heading being row 1.
  package let row: Int?
  package let severity: SeverityView
  package let field: String?
  package let message: String

  package init(row: Int? = nil, severity: SeverityView, field: String? = nil, message: String) {
    self.row = row
    self.severity = severity
    self.field = field
    self.message = message
  }
}

/// What an import did, or would do.
package struct ImportReportView: Codable, Sendable {
  package let kind: ImportKindView
  package let dryRun: Bool
  package let team: String
  package let technician: String?
  package let before: RecordCountsView
  package let after: RecordCountsView
  package let creates: Int
  package let updates: Int
  package let skips: Int
  /// At most 100; `issues_total` counts all.
  package let issues: [ImportIssueView]
  package let issuesTotal: Int
  package let warnings: [String]
  package let photos: Int

  package init(
    kind: ImportKindView, dryRun: Bool, team: String, technician: String? = nil, before: RecordCountsView,
    after: RecordCountsView, creates: Int, updates: Int, skips: Int, issues: [ImportIssueView], issuesTotal: Int,
    warnings: [String], photos: Int
  ) {
    self.kind = kind
    self.dryRun = dryRun
    self.team = team
    self.technician = technician
    self.before = before
    self.after = after
    self.creates = creates
    self.updates = updates
    self.skips = skips
    self.issues = issues
    self.issuesTotal = issuesTotal
    self.warnings = warnings
    self.photos = photos
  }

  private enum CodingKeys: String, CodingKey {
    case kind, team, technician, before, after, creates, updates, skips, issues, warnings, photos
    case dryRun = "dry_run"
    case issuesTotal = "issues_total"
  }
}

/// What became of a file of the inbox: `left` is one that is never taken as it is.
package enum InboxStateView: String, Codable, Sendable, CaseIterable {
  case waiting, imported, refused, left
}

/// A file of the inbox.
package struct InboxFileView: Codable, Sendable {
  package let name: String
  package let team: String?
  package let technician: String?
  package let state: InboxStateView
  /// What was done with it, or why nothing is.
  package let message: String

  package init(
    name: String, team: String? = nil, technician: String? = nil, state: InboxStateView, message: String
  ) {
    self.name = name
    self.team = team
    self.technician = technician
    self.state = state
    self.message = message
  }
}
