package import FlowCommandKit
import FlowControl
import FlowModel

extension CommandModule {
  /// The commands about hives.
  package static let apiaries: CommandModule = {
    let noun = ManualNoun("hive", "the hives of an apiary, for teams with trade apiary", words: ["hive"])
    var module = CommandModule(
      commands: [.init(90, [HiveListCommand.self])], chapters: [.init(40, [.init(title: "Apiaries", nouns: [noun])])])
    module.values = [.value("TRADE", .words([Trade.apiary.rawValue]))]
    module.trade = .apiary
    module.events = [EventSchema("hive-inspection") { try JSONShapes(of: HivesDue.self) }]
    module.interfaces = .toyTrade
    return module
  }()
}

extension CommandTrade {
  fileprivate static let apiary = CommandTrade(
    .apiary, jobs: .apiaries, team: "an apiary",
    records: RecordNouns("hive", "hives") { $0.others?.first?.count ?? 0 },
    setup: TradeSetup(
      answers: ["apiary", "hives"],
      list: .init(
        option: .init("hives", "FILE", "an apiary's list of hives (CSV)"), noun: "list of hives",
        archive: "an apiary's archive", question: "A list of hives (CSV) [later]"),
      morning: .init(
        job: "hive-inspection",
        time: .rules([
          SetupTime(
            job: "hive-inspection", option: SetupTime.morningOption, question: "Time of the inspections' notice",
            standard: "07:00")
        ]), notice: "the inspections' notice", next: "the next inspections", none: "no inspections"),
      technicianNeedsRecords: false, officeSubjects: "everything"),
    personalNames: { team, daemon in
      try daemon.ask(HivesCall.List(team: team)).hives.map { PersonalName($0.name, .init(rawValue: "hive")) }
    })
}

/// `pfctl hive list`: lists the hives of an apiary.
private enum HiveListCommand: Command {
  static let description = CommandDescription(
    "hive list", "the hives of an apiary with their next inspections, by name",
    options: [.init("team", "TEAM", "whose hives"), .init("output", "FILE", "write the list to this file, as CSV")],
    examples: ["pfctl hive list --team meadow"])

  static let documents: [JSONDocument] = [.init("hives", HivesCall.List.Reply.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    guard let reply = try session.ask(HivesCall.List(team: try session.team(arguments)), as: "hives") else { return }
    if let path = arguments["output"] {
      let hives = reply.hives.compactMap { hive in
        CivilDate(hive.inspection).map { Hive(name: hive.name, inspection: $0) }
      }
      return try OutputFile.write(HiveList.text(hives), to: path)
    }
    var table = Table([.init("HIVE", isKey: true), .init("INSPECTION")])
    for hive in reply.hives { table.add([.init(hive.name), .init(hive.inspection)]) }
    session.console.table(table)
  }
}
