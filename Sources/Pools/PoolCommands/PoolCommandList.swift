package import FlowCommandKit
import FlowModel
import FlowWork
import PoolControl
import PoolDigests
import PoolJobs

extension CommandModule {
  /// The commands about pools, visits, water, stock, equipment and routes.
  package static let pools: CommandModule = {
    var module = CommandModule(commands: .pools, chapters: .pools)
    module.wordsOfNouns = ["digest": ["profit", "health"]]
    module.overview = [
      .init(
        20,
        [
          .init("pool list", "the pools of a team, by day and technician"),
          .init("visit log POOL", "what was measured and poured"),
        ])
    ]
    module.grammar = .pools
    module.spellings = .pools
    module.otherTools = .pools
    module.values = ValueCompletion.pools
    module.trade = .poolService
    module.exports = .pools
    module.ownKind = { .reminder(in: $0) ?? .changedToday(in: $0) }
    module.names = [.pools, .works]
    module.events = EventSchema.pools
    module.interfaces = .poolControl
    return module
  }()
}

extension EventSchema {
  /// The events of the jobs of pool service.
  fileprivate static var pools: [EventSchema] {
    [
      EventSchema("reminder", isExactType: false) { try JSONShapes(of: ReminderDigest.self) },
      route(JobKind.changedToday.rawValue),
    ] + ofJobs
  }

  /// A notice of a route; a sensitive sink also gets the pools' names.
  private static func route(_ kind: String) -> EventSchema {
    EventSchema(kind, extra: [.init("access", isMap: true) { try JSONShapes(of: AccessData.self) }]) {
      try JSONShapes(of: MorningDigest.self)
    }
  }

  private static var ofJobs: [EventSchema] {
    JobCatalogue.pools.ofTeam.map { kind in
      switch kind {
      case .morningSummary, .routePreview: route(kind.rawValue)
      case .weeklyDigest: EventSchema(kind.rawValue) { try JSONShapes(of: WeekDigest.self) }
      default: EventSchema(kind.rawValue)
      }
    }
  }
}

extension [ListPart<any Command.Type>] {
  /// To add a command, add its file and its name here.
  static var pools: Self {
    [
      .init(
        20,
        [
          HealthCommand.self
        ]),
      .init(
        40,
        [
          PoolListCommand.self, PoolShowCommand.self, PoolAddCommand.self, PoolSetCommand.self, PoolRemoveCommand.self,
          PoolPauseCommand.self, PoolResumeCommand.self, ServiceListCommand.self, StopListCommand.self,
          StopMoveCommand.self, StopSkipCommand.self, StopUndoCommand.self, DayMoveCommand.self, CoverCommand.self,
          PoolTrendCommand.self, PoolUsageCommand.self, VisitLogCommand.self, VisitListCommand.self,
          VisitSetCommand.self, VisitUndoCommand.self, VisitRemoveCommand.self, LSIRefreshCommand.self, LSICommand.self,
          DoseCommand.self, InventoryListCommand.self, InventoryAddCommand.self, InventorySetCommand.self,
          InventoryRemoveCommand.self, EquipmentListCommand.self, EquipmentAddCommand.self, EquipmentSetCommand.self,
          EquipmentRemoveCommand.self, WorkListCommand.self, WorkAddCommand.self, WorkSetCommand.self,
          WorkDoneCommand.self, WorkRemoveCommand.self, RouteShowCommand.self, RouteOptimiseCommand.self,
          RouteCompareCommand.self,
          RouteApplyCommand.self, RouteUndoCommand.self, RouteMoveCommand.self, RoutePinCommand.self,
          RouteProgressCommand.self, RouteExportCommand.self, RouteMatrixImportCommand.self,
          RouteMatrixRemoveCommand.self, RouteSolveCommand.self, WeatherShowCommand.self, WeatherImportCommand.self,
        ]),
      .init(
        50,
        [
          DigestCommand.self
        ]),
      .init(
        60,
        [
          ReportVisitCommand.self, ReportMonthCommand.self, ProfitCommand.self,
        ]),
    ]
  }
}
