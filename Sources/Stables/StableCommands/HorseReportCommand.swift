internal import StableControl
internal import FlowCommandKit
internal import FlowControl

/// `pfctl report horse`: a printable report on a horse.
enum ReportHorseCommand: Command {
  static let description = CommandDescription(
    "report horse", "a report on a horse for its owner or a vet: profile, care timeline, costs",
    operands: [.init("HORSE")],
    options: [
      .init("team", "TEAM", "whose horse"),
      .init("format", "text|md|html", "the output format; default: text; html is made for printing"),
      .init("output", "FILE", "write to this file instead of standard output"),
    ],
    examples: [
      "pfctl report horse juniper --team willow-barn",
      "pfctl report horse juniper --team willow-barn --format html --output juniper.html",
    ])

  static let documents: [JSONDocument] = [.init("report", ReportOutput.Answer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let reply = try session.daemon().ask(
      HorsesCall.Report(
        team: try session.team(arguments), horse: arguments.operand(0) ?? "",
        format: try arguments.word("format", standard: .text)))
    try ReportOutput.show(reply.text, named: "report", asked: arguments, on: session.console)
  }
}
