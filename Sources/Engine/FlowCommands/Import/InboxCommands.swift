internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl inbox list`: lists the files waiting in the inbox.
enum InboxListCommand: Command {
  static let description = CommandDescription(
    "inbox list", "files in the inbox that wait to be imported",
    details: [
      "[Daemon] Inbox in the settings names the folder; `pfctl config explain Inbox` explains how it works. Files that "
        + "were imported or refused stay there with the result beside them."
    ],
    examples: ["pfctl inbox list"])

  static let documents: [JSONDocument] = [.init("inbox", ImportCall.Inbox.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(ImportCall.Inbox(), as: "inbox") else { return }
    let console = session.console
    guard let directory = reply.directory else {
      return console.words("no inbox is configured; `pfctl config explain Inbox` explains how to set one up")
    }
    InboxTable.show(reply.files, on: console)
    console.note("\(TextFormat.count(reply.files.count, "file")) in \(visible(directory))")
  }
}

/// `pfctl inbox take`: imports the inbox now.
enum InboxTakeCommand: Command {
  static let description = CommandDescription(
    "inbox take", "import the files in the inbox now",
    details: [
      "The daemon checks the inbox once a minute and imports files that have not changed since the last check. This "
        + "command imports everything at once: make sure that no program is still writing a file. If a file is refused, "
        + "the exit code is 65."
    ],
    examples: ["pfctl inbox take"])

  static let documents: [JSONDocument] = [.init("inbox-take", ImportCall.TakeInbox.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.askLong(ImportCall.TakeInbox())
    if reply.files.contains(where: { $0.state == .refused }) { session.exitCode = ExitCode.badData }
    let console = session.console
    if console.isJSON { return try console.document("inbox-take", reply) }
    InboxTable.show(reply.files, on: console)
    console.note("\(TextFormat.count(reply.files.count, "file")) taken from \(visible(reply.directory))")
  }
}

/// Shared output of the inbox commands.
private enum InboxTable {
  static func show(_ files: [InboxFileView], on console: Console) {
    var table = Table([
      .init("FILE", minWidth: 16, isKey: true), .init("TEAM", rank: 1, isKey: true),
      .init("TECHNICIAN", rank: 2, isKey: true), .init("STATE"),
      .init("WHAT", minWidth: 24, isKey: true),
    ])
    for file in files {
      table.add([
        .init(file.name), .init(file.team ?? ""), .init(file.technician ?? ""),
        .init(file.state.rawValue, file.state == .refused || file.state == .left ? .red : nil), .init(file.message),
      ])
    }
    console.table(table)
    for file in files {
      for warning in file.warnings ?? [] {
        console.finding("\(console.paint("warning", .yellow)): \(visible(file.name)): \(visible(warning))")
      }
    }
  }
}
