// The calls of org.poolflow.Import: the daemon cannot read its caller's files, so the caller sends them in pieces.

package enum ImportCall {
  /// Begins an upload; it ends with the connection if nobody applies or cancels it.
  package struct Open: ControlMethod {
    package static let method = "org.poolflow.Import.Open"
    package static let changes = true

    package let team: String
    package let technician: String?
    package let fileName: String
    package let bytes: Int

    package init(team: String, technician: String? = nil, fileName: String, bytes: Int) {
      self.team = team
      self.technician = technician
      self.fileName = fileName
      self.bytes = bytes
    }

    private enum CodingKeys: String, CodingKey {
      case team, technician, bytes
      case fileName = "file_name"
    }

    package struct Reply: Codable, Sendable {
      package let upload: String

      package init(upload: String) {
        self.upload = upload
      }
    }
  }

  /// The next piece of an upload, in order: at most 512 KiB before base64.
  package struct Piece: ControlMethod {
    package static let method = "org.poolflow.Import.Piece"
    package static let changes = true

    package let upload: String
    package let offset: Int
    /// Base64.
    package let data: String

    package init(upload: String, offset: Int, data: String) {
      self.upload = upload
      self.offset = offset
      self.data = data
    }

    package struct Reply: Codable, Sendable {
      package let received: Int

      package init(received: Int) {
        self.received = received
      }
    }
  }

  /// Imports what was uploaded in one transaction, or says what that would do.
  package struct Apply: ControlMethod {
    package static let method = "org.poolflow.Import.Apply"
    package static let work = CallWork.long
    package static let changes = true

    package let upload: String
    package let dryRun: Bool

    package init(upload: String, dryRun: Bool) {
      self.upload = upload
      self.dryRun = dryRun
    }

    private enum CodingKeys: String, CodingKey {
      case upload
      case dryRun = "dry_run"
    }

    package struct Reply: Codable, Sendable {
      package let report: ImportReportView

      package init(report: ImportReportView) {
        self.report = report
      }
    }
  }

  /// Forgets an upload.
  package struct Cancel: ControlMethod {
    package static let method = "org.poolflow.Import.Cancel"
    package static let changes = true

    package let upload: String

    package init(upload: String) {
      self.upload = upload
    }

    package struct Reply: Codable, Sendable {
      package init() {}
    }
  }

  /// What lies in the inbox.
  package struct Inbox: ControlMethod {
    package static let method = "org.poolflow.Import.Inbox"

    package init() {}

    package struct Reply: Codable, Sendable {
      /// Nil where the settings name none.
      package let directory: String?
      package internal(set) var files: [InboxFileView]

      package init(directory: String? = nil, files: [InboxFileView]) {
        self.directory = directory
        self.files = files
      }
    }
  }

  /// Imports what lies in the inbox now, also what might still be written: the caller says that it is complete.
  package struct TakeInbox: ControlMethod {
    package static let method = "org.poolflow.Import.TakeInbox"
    package static let work = CallWork.long
    package static let changes = true

    package init() {}

    package struct Reply: Codable, Sendable {
      package let directory: String
      package let files: [InboxFileView]

      package init(directory: String, files: [InboxFileView]) {
        self.directory = directory
        self.files = files
      }
    }
  }
}
