import StableControl
import FlowCommandKit
import FlowControl
import FlowModel
import StableModel

extension ValueCompletion {
  /// The values and operands of the stables' commands.
  static let stables: [ValueCompletion] = [
    .value("TRADE", .words([Trade.stable.rawValue])),
    .operand(
      "HORSE", of: "feed", verb: "mark", .words(FeedSlotView.allCases.map(\.rawValue)), .names("horses", unless: "all")),
    .operand("NAME", of: "feed", .names("templates")), .value("HORSE", .names("horses")),
    .value("TEMPLATE", .names("templates")), .value("CARE", .names("horses")),
    .value("TYPE", .words(CareTypeView.allCases.map(\.rawValue))),
    .value("KIND", of: "care", .words(CareTypeView.allCases.map(\.rawValue))),
  ]
}

extension NameSource {
  static let stables: [NameSource] = [
    // Horse names are unique within a stable.
    NameSource("horses") { names, team in
      names.resolvedTeam(team).flatMap { names.ask(HorsesCall.List(team: $0)) }?.horses.map { .init($0.name) } ?? []
    },
    NameSource("templates") { names, team in
      names.resolvedTeam(team).flatMap { names.ask(FeedCall.ListTemplates(team: $0)) }?.templates
        .map { .init($0.name, $0.description) } ?? []
    },
  ]
}
