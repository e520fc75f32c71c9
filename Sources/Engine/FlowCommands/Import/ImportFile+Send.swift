internal import FlowCommandKit
internal import FlowControl

extension ImportFile {
  /// Uploads a file with the records of one technician, or of the team if `technician` is nil.
  func send(
    to daemon: DaemonConnection, team: String, technician: String?, console: Console
  ) throws -> String {
    let opening = ImportCall.Open(team: team, technician: technician, fileName: name, bytes: size)
    return try send(to: daemon, as: opening, console: console)
  }
}
