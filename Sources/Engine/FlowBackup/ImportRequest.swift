package import FlowModel
package import FlowPlatform
import Glibc

/// A request to import a file into a team.
package struct ImportRequest: Sendable {
  /// The uploaded file, which belongs to the daemon.
  package let path: String
  /// The user's name for the file, for messages.
  package let name: String
  package let team: Team
  /// The member of the team to import the records for; nil for the whole team.
  package let technician: String?
  package let dryRun: Bool
  /// True to apply the plan's limit of records.
  package let limitsRecords: Bool
  /// True to permit that an archive deletes or reverts records changed here since it was written.
  package let replaces: Bool
  /// Columns of a list, as `Their heading=ours`.
  package let map: [String]
  /// True if the file only completes existing records.
  package let isOfProfiles: Bool

  package init(
    path: String, name: String, team: Team, technician: String?, dryRun: Bool, limitsRecords: Bool = true,
    replaces: Bool = false, map: [String] = [], isOfProfiles: Bool = false
  ) {
    self.path = path
    self.name = name
    self.team = team
    self.technician = technician
    self.dryRun = dryRun
    self.limitsRecords = limitsRecords
    self.replaces = replaces
    self.map = map
    self.isOfProfiles = isOfProfiles
  }

  /// Whether the file is a ZIP archive: it begins with `PK` or is named `.zip`.
  package func isArchive() throws(SystemFailure) -> Bool {
    let head = try bytes(limit: 4)
    return head.starts(with: [0x50, 0x4B]) || name.lowercased().hasSuffix(".zip")
  }

  /// Reads the beginning of the file, at most `limit` bytes.
  package func bytes(limit: Int) throws(SystemFailure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
    var bytes = [UInt8](repeating: 0, count: min(limit, Int(status.st_size)))
    var filled = 0
    while filled < bytes.count {
      let wanted = bytes.count - filled
      let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: filled), wanted) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemFailure("cannot read the upload of '\(name)'") }
      filled += count
    }
    return bytes
  }
}

/// The reason why a file was refused. Nothing has changed.
package struct ImportRefusal: Error, CustomStringConvertible {
  package let description: String
  /// The description without the file's first row, which may be a record instead of a header.
  package let logged: String

  package init(description: String, logged: String? = nil) {
    self.description = description
    self.logged = logged ?? description
  }
}
