package import FlowCommandKit
import FlowModel
import FlowWork
import StableControl
import StableDigests
import StableJobs

extension CommandModule {
  /// The commands about horses, feed, care, weather and blankets.
  package static let stables: CommandModule = {
    var module = CommandModule(commands: .stables, chapters: .stables)
    module.examplesOfCommands = [
      "setup": [
        "pfctl setup --team willow-barn --zone Europe/Berlin --trade stable --horses horses.csv --feed-am 08:30 --yes"
      ],
      "team add": ["pfctl team add hill-barn --zone Europe/Berlin --trade stable"],
      "import": ["pfctl import horses.csv --team willow-barn"],
      "export": ["pfctl export care --team willow-barn --output care-export.csv"],
    ]
    module.grammar = .stables
    module.values = ValueCompletion.stables
    module.trade = .stable
    module.exports = .stables
    module.names = NameSource.stables
    module.events = EventSchema.stables
    module.interfaces = .stableControl
    return module
  }()
}

extension EventSchema {
  /// The events of the jobs of stables.
  fileprivate static var stables: [EventSchema] {
    // The reset of the feed board sends no notice.
    JobCatalogue.stables.ofTeam.filter { $0 != .feedReset }.map { kind in
      switch kind {
      case .barnDigest: EventSchema(kind.rawValue) { try JSONShapes(of: BarnDigest.self) }
      case .barnWeek: EventSchema(kind.rawValue) { try JSONShapes(of: BarnWeek.self) }
      default: EventSchema(kind.rawValue)
      }
    }
  }
}

extension [ListPart<any Command.Type>] {
  /// To add a command, add its file and its name here.
  static var stables: Self {
    [
      .init(
        80,
        [
          HorseListCommand.self, HorseShowCommand.self, HorseAddCommand.self, HorseSetCommand.self,
          HorseRemoveCommand.self, FeedBoardCommand.self, FeedMarkCommand.self, FeedUndoCommand.self,
          FeedSetCommand.self, FeedHistoryCommand.self, FeedTemplateListCommand.self, FeedTemplateSaveCommand.self,
          FeedTemplateApplyCommand.self, FeedTemplateRemoveCommand.self, CareListCommand.self, CareDueCommand.self,
          CareLogCommand.self, CareSetCommand.self, CareRemoveCommand.self, BlanketCommand.self,
          ReportHorseCommand.self,
        ])
    ]
  }
}
