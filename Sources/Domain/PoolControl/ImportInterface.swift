extension InterfaceDescription {
  /// `org.poolflow.Import`, as the daemon serves it: data from files that the caller reads.
  package static let imports = InterfaceDescription(
    name: "org.poolflow.Import",
    text: """
      # Archives and customer lists, sent in pieces by a caller who can read them.
      interface org.poolflow.Import

      # What an uploaded file turned out to be.
      type ImportKindView (archive, csv)

      # Whether an issue keeps its row out.
      type SeverityView (warning, error)

      # How many records of each kind a team and technician have.
      type RecordCountsView (
        pools: int,
        service_events: int,
        chemical_doses: int,
        inventory_items: int,
        customer_profiles: int,
        equipment: int,
        photos: int
      )

      # Something about one row or record.
      type ImportIssueView (row: ?int, severity: SeverityView, field: ?string, message: string)

      # What an import did, or would do.
      type ImportReportView (
        kind: ImportKindView,
        dry_run: bool,
        team: string,
        technician: ?string,
        before: RecordCountsView,
        after: RecordCountsView,
        creates: int,
        updates: int,
        skips: int,
        issues: []ImportIssueView,
        issues_total: int,
        warnings: []string,
        photos: int
      )

      # What became of a file of the inbox: left is one that is never taken as it is.
      type InboxStateView (waiting, imported, refused, left)

      # A file of the inbox.
      type InboxFileView (name: string, team: ?string, technician: ?string, state: InboxStateView, message: string)

      # Begins an upload; it ends with the connection if nobody applies or cancels it.
      method Open(team: string, technician: ?string, file_name: string, bytes: int) -> (upload: string)

      # The next piece of an upload, in order: at most 512 KiB before base64.
      method Piece(upload: string, offset: int, data: string) -> (received: int)

      # Imports what was uploaded in one transaction, or says what that would do.
      method Apply(upload: string, dry_run: bool) -> (report: ImportReportView)

      # Forgets an upload.
      method Cancel(upload: string) -> ()

      # What lies in the inbox; without a directory there is none.
      method Inbox() -> (directory: ?string, files: []InboxFileView)

      # Imports what lies in the inbox now, also what might still be written: the caller says that it is complete.
      method TakeInbox() -> (directory: string, files: []InboxFileView)

      # The file is not what it should be; nothing was changed.
      error BadFile (message: string, why: string)

      # No such upload is open on this connection.
      error NoSuchUpload (message: string, name: string)
      """)
}
