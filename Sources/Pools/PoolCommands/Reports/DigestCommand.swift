import PoolControl
import FlowCommandKit
import FlowControl
import FlowModel

/// `pfctl digest`: prints a digest without sending it.
enum DigestCommand: Command {
  static let description = CommandDescription(
    "digest", "show a digest as it would be sent, without sending it",
    options: [
      CommandDescription.team("whose digest"),
      .init("kind", "morning|weekly", "the day's routes or the stable's morning (default), or the week"),
      .init("at", "TIME", "the day of the digest, such as tomorrow or 2026-03-02; default: today"),
      .init(
        "technician", "TECHNICIAN", "one technician's page: stops, load and water, without what only the office gets"),
      .init(
        "format", "text|md|html|ics|json", "the output format; default: text; ics has the stops as calendar events"),
      .init("output", "FILE", "write to this file instead of standard output"),
    ],
    details: [
      "Nothing is sent. The same data and date give the same bytes. Gate codes, telephone numbers, e-mail addresses and "
        + "notes are in none of the formats; only files of sinks with Sensitive=yes have them.",
      "For a stable, ics has the care that is due, as all-day events.",
    ],
    examples: [
      "pfctl digest --team desert-blue --at 2026-03-02 --technician maria",
      "pfctl digest --team desert-blue --at 2026-03-02 --format html --output monday.html",
      "pfctl digest --team desert-blue --kind weekly",
    ])

  static let documents: [JSONDocument] = [.init("digest", ReportOutput.Answer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.daemon().ask(
      ReportsCall.Digest(
        team: try session.team(arguments), kind: try arguments.word("kind", standard: .morning),
        date: arguments["at"], technician: arguments["technician"],
        format: try arguments.word("format", standard: .text)))
    try ReportOutput.show(reply.text, named: "digest", asked: arguments, on: session.console)
  }
}
