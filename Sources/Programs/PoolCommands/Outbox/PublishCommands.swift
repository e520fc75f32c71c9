internal import PoolControl
internal import PoolModel

/// `pfctl publish list`: the address of each person's pages, and which pages are out of date.
enum PublishListCommand: Command {
  static let description = CommandDescription(
    "publish list", "the secret addresses of everybody's published pages and calendars",
    options: [CommandDescription.teamOption],
    details: [
      "Of sinks of Type=publish. An address is a secret: whoever has it reads the pages. Without BaseURL= the folder below "
        + "that of the sink is told.",
      "The pages follow the records: what people change within some minutes, all else within the hour; today's page is "
        + "about another day from the team's midnight on, whatever was told.",
      "Something that stands where a page belongs, such as a folder or a link, keeps that page alone from being written: it is "
        + "named below the list, and tried again every minute once it is moved away. All other pages are written.",
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
    "publish rotate", "give published pages new secret addresses; the old ones are gone at once",
    options: [
      .init("team", "TEAM", "only this team's, the office's and every technician's"),
      .init("technician", "TECHNICIAN", "only this technician's; needs --team"),
    ],
    details: [
      "When a phone is lost or somebody leaves. A calendar that subscribed to an old address falls silent without a word: "
        + "send the new one."
    ],
    examples: ["pfctl publish rotate --team desert-blue --technician maria"])

  static let documents: [JSONDocument] = [.init("publish-rotate", PublishCall.Rotate.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let call = PublishCall.Rotate(team: arguments["team"], technician: arguments["technician"])
    guard let reply = try session.tell(call, as: "publish-rotate") else { return }
    PublishedText.tell(reply.published, on: session.console)
    for trouble in reply.troubles {
      session.console.words(
        "not everything of the old addresses could be removed, it is tried again every minute: \(visible(trouble))")
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
      "beside today.html, tomorrow.html and week.html lies route.ics, a calendar to subscribe to; a stable's is care.ics"
    )
  }
}
