internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

/// `pfctl publish list`: the address of each person's pages, and which pages are out of date.
enum PublishListCommand: Command {
  static let description = CommandDescription(
    "publish list", "the secret addresses of all published pages and calendars",
    options: [CommandDescription.teamOption],
    details: [
      "For sinks of Type=publish. An address is a secret: any person who has it can read the pages. Without BaseURL= the "
        + "subfolder of the sink's folder is shown.",
      "The pages follow the records: changes by people appear within minutes, all others within an hour; at the team's "
        + "midnight today's page changes to the new day, independent of the notices that were sent.",
      "If a folder or a link has the name of a page, only that page cannot be written: it is listed below the table, and "
        + "written within a minute after you move the obstacle away. All other pages are written.",
    ],
    examples: ["pfctl publish list --team desert-blue"])

  static let documents: [JSONDocument] = [.init("publish-list", PublishCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = PublishCall.List(team: arguments["team"])
    guard let reply = try session.ask(call, as: "publish-list") else { return }
    PublishedText.tell(reply.published, on: session.console)
  }
}

/// `pfctl publish rotate`: replaces page addresses by new ones.
enum PublishRotateCommand: Command {
  static let description = CommandDescription(
    "publish rotate", "give published pages new secret addresses; the old ones stop working at once",
    options: [
      .init("team", "TEAM", "only the addresses of this team: the office's and every technician's"),
      .init("technician", "TECHNICIAN", "only this technician's; needs --team"),
    ],
    details: [
      "Use it when a phone is lost or a person leaves. A calendar that subscribed to an old address gets no more updates "
        + "and no warning: send the new one."
    ],
    examples: ["pfctl publish rotate --team desert-blue --technician maria"])

  static let documents: [JSONDocument] = [.init("publish-rotate", PublishCall.Rotate.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = PublishCall.Rotate(team: arguments["team"], technician: arguments["technician"])
    guard let reply = try session.tell(call, as: "publish-rotate") else { return }
    PublishedText.tell(reply.published, on: session.console)
    for trouble in reply.troubles {
      session.console.words(
        "not all pages at the old addresses could be removed; the daemon tries again every minute: \(visible(trouble))")
    }
  }
}

/// Shared output of the `publish` commands.
private enum PublishedText {
  static func tell(_ published: [PublishedView], on console: Console) {
    guard !published.isEmpty else {
      return console.note("nothing is published: no sink in poolflow.conf has Type=publish")
    }
    var table = Table([
      .init("TEAM", isKey: true), .init("WHO", isKey: true), .init("SINK", isKey: true),
      .init("ADDRESS", minWidth: 40, isKey: true),
    ])
    for one in published {
      table.add([
        .init(one.team), .init(one.technician ?? "the office"), .init(one.sink),
        .init(one.address ?? one.name.map { "p/\($0)/" } ?? "not written yet"),
      ])
    }
    console.table(table)
    // The same failure may apply to all pages of a sink: print it once.
    var printedFailures: Set<String> = []
    for one in published {
      if let trouble = one.trouble, printedFailures.insert("\(one.sink) \(trouble)").inserted {
        console.note("! not up to date in \(visible(one.sink)): \(visible(trouble))")
      }
    }
    console.note(
      "next to today.html, tomorrow.html and week.html is route.ics, a calendar to subscribe to; for a stable it is care.ics"
    )
  }
}
