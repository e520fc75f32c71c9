internal import PoolControl
internal import PoolModel

/// `pfctl inbox list`: lists the files waiting in the inbox.
enum InboxListCommand: Command {
  static let description = CommandDescription(
    "inbox list", "what was dropped to be imported, and waits",
    details: [
      "[Daemon] Inbox in the settings names the folder; `pfctl config explain Inbox` tells how it works. What was imported "
        + "or refused lies there with its answer beside it."
    ],
    examples: ["pfctl inbox list"])

  static let documents: [JSONDocument] = [.init("inbox", ImportCall.Inbox.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(ImportCall.Inbox(), as: "inbox") else { return }
    let console = session.console
    guard let directory = reply.directory else {
      return console.words("there is no inbox; `pfctl config explain Inbox` tells how to have one")
    }
    InboxTable.show(reply.files, on: console)
    console.note("\(TextFormat.count(reply.files.count, "file")) in \(visible(directory))")
  }
}

/// `pfctl inbox take`: imports the inbox now.
enum InboxTakeCommand: Command {
  static let description = CommandDescription(
    "inbox take", "import what lies in the inbox now",
    details: [
      "The daemon looks once a minute and takes what has not changed since the look before. This takes everything at once: "
        + "be sure that nobody is still writing. A file that was refused exits 65."
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
