package import FlowControl
package import FlowModel

/// A claimed file of the inbox, in the daemon's private copy.
package struct InboxFile: Sendable {
  package let team: Team
  package let name: String
  package let path: String
  package let modifiedAt: Timestamp

  package init(team: Team, name: String, path: String, modifiedAt: Timestamp) {
    self.team = team
    self.name = name
    self.path = path
    self.modifiedAt = modifiedAt
  }
}

/// A file of the inbox that a trade imported, and that has other contents than records.
package struct ImportedFile: Sendable {
  package let kind: ImportKindView
  /// What the file is, such as `a price list`.
  package let noun: String
  /// False if the store has the same or newer contents already.
  package let isNew: Bool
  package let warnings: [String]

  package init(kind: ImportKindView, noun: String, isNew: Bool, warnings: [String]) {
    self.kind = kind
    self.noun = noun
    self.isNew = isNew
    self.warnings = warnings
  }
}
