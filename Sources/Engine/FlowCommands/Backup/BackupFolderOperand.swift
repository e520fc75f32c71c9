internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowPlatform

/// Recognises a folder given as the BACKUP argument.
enum BackupFolderOperand {
  /// Maps a folder on the command line to the name of the daemon's backup in it.
  ///
  /// - Returns: `source` unchanged if it is not a folder.
  /// - Throws: `CommandFailure` that describes the folder and the command that restores it.
  static func name(of source: String, team: String? = nil, _ session: Session) throws -> String {
    guard source.contains("/") || FileFacts(of: source)?.isFolder == true else { return source }
    let path = source.count > 1 && source.hasSuffix("/") ? String(source.dropLast()) : source
    let known = try session.daemon().ask(BackupCall.List()).backups
    if let kept = known.first(where: { $0.path == path }) { return kept.id }
    guard FileFacts(of: path)?.isFolder == true else { return source }
    if known.contains(where: { $0.path == "\(path)/\($0.id)" }) {
      throw CommandFailure.usage(
        "'\(visible(source))' is the folder of all backups; name one that `pfctl backup list` shows, or latest")
    }
    let names: [String]
    do { names = try PrivateFiles.names(in: path) } catch { throw CommandFailure.inputOutput("\(error)") }
    if names.contains("manifest.json") {
      if let team { throw try ofTeam(team, in: path, shown: source) }
      throw CommandFailure.usage(
        "'\(visible(source))' is not in the daemon's backup folder; a backup from elsewhere is restored while the daemon "
          + "is stopped: \(DaemonInstance.restoreCommands(visible(path), at: session.socketPath))")
    }
    let backups = names.filter { FileFacts.exists("\(path)/\($0)/manifest.json") }
    guard let newest = backups.last else {
      throw CommandFailure.usage(
        "the folder '\(visible(source))' is not a backup: it has no 'manifest.json'")
    }
    let count = TextFormat.count(backups.count, "backup")
    throw CommandFailure.usage(
      "'\(visible(source))' is a folder with \(count); name one of them; the newest is '\(visible("\(path)/\(newest)"))'"
    )
  }

  /// The refusal for a folder that is not one of the daemon's backups: it names the command that restores the team from an
  /// archive.
  private static func ofTeam(_ team: String, in path: String, shown: String) throws -> CommandFailure {
    let archives = try PrivateFiles.names(in: "\(path)/archives").filter {
      $0.hasPrefix("\(PathComponent(encoding: team)).") && $0.hasSuffix(".zip")
    }
    guard let first = archives.first else {
      return .usage("the backup '\(visible(shown))' has no archive of team '\(visible(team))'")
    }
    let file = visible("\(path)/archives/\(first)")
    let words = "'\(visible(shown))' is not in the daemon's backup folder"
    return .usage(
      archives.count == 1
        ? "\(words); name its archive of team '\(visible(team))': '\(file)'"
        : "\(words), and has \(archives.count) archives of team '\(visible(team))', one for each technician; name one of "
          + "them with --technician, such as '\(file)'")
  }
}
