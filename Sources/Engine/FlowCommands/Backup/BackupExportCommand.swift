internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import FoundationEssentials
internal import Glibc

/// `pfctl backup export`: copies a backup, or one team's archives from it, to a path of the caller's choice.
enum BackupExportCommand: Command {
  static let description = CommandDescription(
    "backup export", "copy a backup, or a team's archives from it, to another folder or file",
    operands: [BackupShowCommand.operand],
    options: [
      .init("output", "FILE", "the folder or file to write; default: the current folder"),
      .init("team", "TEAM", "only this team's archives, in the format of the PoolFlow app"),
      .init("technician", "TECHNICIAN", "only this technician's archive; needs --team"),
    ],
    details: [
      "BACKUP may be latest. Without --team, FILE is a folder; the whole backup becomes a folder in it, which `poolflowd "
        + "--recover restore` accepts. With --team, FILE is a folder or, for a single archive, a new file. Existing "
        + "files are never replaced.",
      "pfctl writes the files as your user with mode 0600. Each has a temporary name until it is on the disk, has been "
        + "read again and has the SHA-256 of the verified backup.",
    ],
    examples: [
      "pfctl backup export latest --output .",
      "pfctl backup export latest --output maria.zip --team desert-blue --technician maria",
    ])

  static let documents: [JSONDocument] = [.init("backup-export", Answer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let daemon = try session.daemon()
    let console = session.console
    let path = arguments["output"] ?? "."
    let shown = try daemon.ask(BackupCall.Show(id: arguments.operand(0) ?? ""))
    let backup = shown.backup
    if let finding = backup.finding {
      throw CommandFailure.badData("backup \(visible(backup.id)) is damaged: \(visible(finding)); nothing was written")
    }
    let isFolder = FileFacts(of: path)?.isFolder == true
    var written: [String]
    if let team = arguments["team"] {
      let chosen = try archives(of: team, technician: arguments["technician"], in: shown)
      guard isFolder || chosen.count == 1 else {
        throw CommandFailure.usage(
          "\(chosen.count) archives need a folder, and '\(visible(path))' is not a folder; create it, or choose one "
            + "archive with --technician: \(chosen.map { visible($0.technician) }.joined(separator: ", "))")
      }
      written = []
      for archive in chosen {
        let name = archive.name.split(separator: "/").last.map(String.init) ?? archive.name
        let target = isFolder ? "\(path)/\(PathComponent(encoding: name))" : path
        try BackupCopy(daemon, shown, console).file(archive.name, to: target)
        written.append(target)
      }
    } else {
      guard arguments["technician"] == nil else {
        throw CommandFailure.usage("--technician needs the technician's team: add --team TEAM")
      }
      guard isFolder else {
        throw CommandFailure.usage(
          "a whole backup needs a folder, and '\(visible(path))' is not a folder; create it first")
      }
      written = ["\(path)/\(PathComponent(encoding: backup.id))"]
      try BackupCopy(daemon, shown, console).all(to: written[0])
    }
    if console.isJSON { return try console.document("backup-export", Answer(backup: backup.id, written: written)) }
    for path in written { console.line(visible(path)) }
    console.note(
      "from backup \(visible(backup.id)), made \(visible(backup.createdLocal)); read again and identical")
  }

  private static func archives(
    of team: String, technician: String?, in shown: BackupCall.Show.Reply
  ) throws(ControlError) -> [BackupArchiveView] {
    let ofTeam = shown.archives.filter { $0.team == team }
    guard !ofTeam.isEmpty else {
      let hint = Suggestion.nearest(to: team, among: shown.archives.map(\.team)).map { "; did you mean '\($0)'?" } ?? ""
      throw ControlError(
        .noSuchTeam, "backup \(visible(shown.backup.id)) has no archive of team '\(visible(team))'\(hint)",
        facts: ["name": team])
    }
    guard let technician else { return ofTeam }
    let chosen = ofTeam.filter { $0.technician.lowercased() == technician.lowercased() }
    guard !chosen.isEmpty else {
      throw ControlError(
        .noSuchTechnician,
        "backup \(visible(shown.backup.id)) has no archive of technician '\(visible(technician))'; it has archives of "
          + ofTeam.map { visible($0.technician) }.joined(separator: ", "), facts: ["name": technician])
    }
    return chosen
  }

  /// The JSON document of `pfctl backup export`.
  private struct Answer: Codable {
    let backup: String
    let written: [String]
  }
}

/// Copies files of a backup into the caller's folder. Each is written as `.partial`, read back, then renamed.
private struct BackupCopy {
  private let daemon: DaemonConnection
  private let shown: BackupCall.Show.Reply
  private let console: Console

  init(_ daemon: DaemonConnection, _ shown: BackupCall.Show.Reply, _ console: Console) {
    self.daemon = daemon
    self.shown = shown
    self.console = console
  }

  /// Copies one file of the backup to `target`.
  func file(_ name: String, to target: String) throws {
    try whole(target) { partial in try fetch(name, to: partial) }
  }

  /// Copies the whole backup to `target`, with the layout of the daemon's folder.
  func all(to target: String) throws {
    try whole(target) { partial in
      try PrivateFiles.makeFolder(partial)
      try PrivateFiles.makeFolder("\(partial)/archives")
      for file in shown.files {
        // The daemon's file names become local paths: only a file name or `archives/NAME` is accepted.
        let parts = file.name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 1 || (parts.count == 2 && parts[0] == "archives"),
          parts.allSatisfy({ (try? PathComponent(String($0))) != nil })
        else {
          throw CommandFailure.badData(
            "the backup's manifest lists a file outside the backup folder: '\(visible(file.name))'")
        }
        try fetch(file.name, to: "\(partial)/\(file.name)")
      }
      for name in ["manifest.json", "manifest.json.sha256"] { try fetch(name, to: "\(partial)/\(name)") }
      try PrivateFiles.flush("\(partial)/archives")
      try PrivateFiles.flush(partial)
    }
  }

  private func whole(_ target: String, _ body: (String) throws -> Void) throws {
    guard !FileFacts.exists(target) else {
      throw CommandFailure(
        name: "cannot-create", message: "'\(visible(target))' already exists; nothing was written",
        exitCode: ExitCode.cannotCreate)
    }
    let partial = target + ".partial"
    do {
      // Remove the partial copy of an earlier, failed export.
      try PrivateFiles.removeTree(partial)
      try body(partial)
      try PrivateFiles.rename(partial, to: target)
      let parts = target.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      try PrivateFiles.flush(parts.isEmpty ? "." : parts == [""] ? "/" : parts.joined(separator: "/"))
    } catch {
      // Report the write error, not a failed cleanup; the next export removes the partial copy.
      try? PrivateFiles.removeTree(partial)
      guard let failure = error as? SystemFailure else { throw error }
      throw CommandFailure.inputOutput("\(failure)")
    }
  }

  private func fetch(_ name: String, to path: String) throws {
    let known = shown.files.first { $0.name == name }
    let progress = ProgressLine(name, console)
    defer { progress.end() }
    let written = try PrivateFiles.write(path) { put in
      var offset = 0
      while true {
        let reply = try daemon.ask(BackupCall.Read(id: shown.backup.id, file: name, offset: offset))
        guard let piece = Data(base64Encoded: reply.data) else {
          throw CommandFailure(
            name: "internal", message: "the daemon's answer is not valid base64", exitCode: ExitCode.internalFault)
        }
        if piece.isEmpty { return }
        try Array(piece).withUnsafeBytes { try put($0) }
        offset += piece.count
        progress.advance(to: offset, of: known?.bytes ?? 0)
      }
    }
    let wanted = known?.sha256 ?? (name == "manifest.json" ? shown.backup.sha256 : written.sha256)
    let readBack = try PrivateFiles.sum(of: path)
    guard written.sha256 == wanted, readBack == written else {
      throw CommandFailure.badData(
        "'\(visible(name))' does not have the SHA-256 of the verified backup; the copy was deleted: see `pfctl backup "
          + "verify \(visible(shown.backup.id))`")
    }
  }
}
