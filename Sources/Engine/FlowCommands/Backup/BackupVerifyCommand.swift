internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl backup verify`: checks that a backup has not changed since it was made.
enum BackupVerifyCommand: Command {
  static let description = CommandDescription(
    "backup verify", "check that a backup has not changed since it was made", operands: [BackupShowCommand.operand],
    options: [.init("full", nil, "also open the snapshot and read every archive, as a restore would")],
    details: [
      "BACKUP may be latest. Every file is compared by SHA-256 with the manifest, and the manifest with its checksum "
        + "file and with the store's record of it. If the backup is damaged, the exit code is 65.",
      "Without poolflow, `sha256sum -c manifest.json.sha256` in the folder checks the manifest, which lists all other files.",
    ],
    examples: ["pfctl backup verify latest", "pfctl backup verify latest --full"])

  static let documents: [JSONDocument] = [.init("backup-verify", BackupCall.Verify.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = BackupCall.Verify(id: arguments.operand(0) ?? "", full: arguments.has("full"))
    let reply = try session.askLong(call)
    let console = session.console
    if !reply.damage.isEmpty { session.exitCode = ExitCode.badData }
    if console.isJSON { return try console.document("backup-verify", reply) }
    for sentence in reply.damage { console.finding("\(console.paint("damage", .red)): \(visible(sentence))") }
    if reply.damage.isEmpty {
      console.line("backup \(visible(reply.backup.id)) is undamaged")
    } else {
      console.note("backup \(visible(reply.backup.id)) is damaged; create a new one: `pfctl backup create`")
    }
  }
}
