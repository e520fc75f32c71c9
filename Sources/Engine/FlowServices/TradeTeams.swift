import FlowCalendar
package import FlowControl
package import FlowModel
import FlowNotices
package import FlowStore

/// What a trade adds to the team verbs of the daemon: settings, records of a new team, parts of views and findings. It is a
/// flat record of closures with defaults, because each serves another verb and a trade states only those that it needs.
package struct TradeTeams: Sendable {
  /// The number of stops on a date: of a technician, or of the whole team.
  package typealias StopCount = @Sendable (CivilDate, TechnicianID?) -> Int

  package let settings: TradeSettings
  /// Adds the first records of a new team.
  package let addRecords: @Sendable (Team) async throws -> Void
  /// The number of records that each technician is responsible for; technicians without records may be missing.
  package let assignments: @Sendable (TeamID) async throws -> [TechnicianID: Int]
  /// The trade's members of a team's view.
  package let view: @Sendable (Team) async throws -> TradeTeamView
  /// Technicians of the team whose records and addresses do not match.
  package let peopleGaps: @Sendable (Team, [KnownPerson], [Technician]) async throws -> [PeopleGap]
  /// The text of the notice that tests a person's addresses.
  package let addressTest: @Sendable (_ name: String, Language) -> String
  /// The stops of a team on its service days; nil if teams of the trade have none.
  package let stops: @Sendable (TeamID) async throws -> StopCount?
  /// The commands that give the stops of a day off another day or technician, as a sentence for people; nil if there are none.
  /// The technician is the one who is away; nil if the whole team is closed.
  package let openStopsRemedy: @Sendable (Team, CivilDate, _ technician: String?) -> String?
  /// Why a technician with work on coming dates cannot be removed, with the commands that change it.
  package let comingWork: @Sendable (Team, ComingWork, _ technician: String) -> String
  /// Computes what follows from records that an import changed. A failure is logged.
  package let recordsImported: @Sendable () async -> Void
  /// Findings of `pfctl doctor` about the records of the trade's teams.
  package let findings: @Sendable (StoreReader) async throws -> [FindingView]

  package init(
    settings: TradeSettings, addRecords: @escaping @Sendable (Team) async throws -> Void = { _ in },
    assignments: @escaping @Sendable (TeamID) async throws -> [TechnicianID: Int] = { _ in [:] },
    view: @escaping @Sendable (Team) async throws -> TradeTeamView = { _ in TradeTeamView() },
    peopleGaps: @escaping @Sendable (Team, [KnownPerson], [Technician]) async throws -> [PeopleGap] = { _, _, _ in [] },
    addressTest: @escaping @Sendable (_ name: String, Language) -> String = { PersonTest.body(for: $0, in: $1) },
    stops: @escaping @Sendable (TeamID) async throws -> StopCount? = { _ in nil },
    openStopsRemedy: @escaping @Sendable (Team, CivilDate, _ technician: String?) -> String? = { _, _, _ in nil },
    comingWork: @escaping @Sendable (Team, ComingWork, _ technician: String) -> String = {
      "\($2) has work on coming dates, the first on \($1.first)"
    },
    recordsImported: @escaping @Sendable () async -> Void = {},
    findings: @escaping @Sendable (StoreReader) async throws -> [FindingView] = { _ in [] }
  ) {
    self.settings = settings
    self.addRecords = addRecords
    self.assignments = assignments
    self.view = view
    self.peopleGaps = peopleGaps
    self.addressTest = addressTest
    self.stops = stops
    self.openStopsRemedy = openStopsRemedy
    self.comingWork = comingWork
    self.recordsImported = recordsImported
    self.findings = findings
  }

  /// How to switch off the notices of a team that has no records.
  package static func switchOffRemedy(_ team: String) -> String {
    "to switch the team's notices off: `pfctl team set \(team) notifications=off`"
  }
}

/// The settings that only teams of one trade have.
package struct TradeSettings: Sendable {
  /// Changes a team, and on the connection its records of the trade, in the transaction of the change.
  package typealias Change = @Sendable (inout Team, Connection) throws -> Void

  /// A team of the trade in a sentence, such as `a stable`.
  package let owner: String
  /// Teams of the trade in a sentence, such as `stables`.
  package let owners: String
  /// The main records of such teams in a sentence.
  package let records: String
  private let groups: [(after: String, keys: [String])]
  /// Parses a change; nil if the key is not one of the trade's. A volume without a unit is in `units`.
  package let parse: @Sendable (_ change: SettingChangeView, _ units: UnitSystem) throws(ControlError) -> Change?
  /// Throws if the settings in the trade's tables cannot be read. Called before every change of a team of the trade.
  package let check: @Sendable (TeamID, Connection) throws -> Void
  /// What keeps the settings with these keys from having an effect, one sentence each.
  package let warnings: @Sendable (_ keys: [String], Team) -> [String]

  /// - Parameter groups: the keys in order; a list of all keys has each group after this key of all teams.
  package init(
    owner: String, owners: String, records: String, groups: [(after: String, keys: [String])],
    check: @escaping @Sendable (TeamID, Connection) throws -> Void = { _, _ in },
    warnings: @escaping @Sendable (_ keys: [String], Team) -> [String] = { _, _ in [] },
    parse: @escaping @Sendable (_ change: SettingChangeView, _ units: UnitSystem) throws(ControlError) -> Change?
  ) {
    self.owner = owner
    self.owners = owners
    self.records = records
    self.groups = groups
    self.check = check
    self.warnings = warnings
    self.parse = parse
  }

  /// The keys that a list of all keys has after this key of all teams.
  package func keys(after key: String) -> [String] {
    groups.filter { $0.after == key }.flatMap(\.keys)
  }
}

/// The members of a team's view that come from its trade.
package struct TradeTeamView: Sendable {
  /// The number of records that each technician is responsible for; technicians without records may be missing.
  package let assigned: [TechnicianID: Int]
  package let defaultVolumeText: String?
  /// The number of records that no technician is responsible for; nil for a trade without a member of the view for it.
  package let ownRecords: Int?
  /// The settings of the trade's own; nil for a trade without a member of the view for them.
  package let ownSettings: BarnSettingsView?
  /// The numbers of the team's records by kind, the main one first; nil for pool service and stables.
  package let others: [RecordCountView]?

  package init(
    assigned: [TechnicianID: Int] = [:], defaultVolumeText: String? = nil, ownRecords: Int? = nil,
    ownSettings: BarnSettingsView? = nil, others: [RecordCountView]? = nil
  ) {
    self.assigned = assigned
    self.defaultVolumeText = defaultVolumeText
    self.ownRecords = ownRecords
    self.ownSettings = ownSettings
    self.others = others
  }
}

/// A technician whose records and address do not match, with the command that corrects this.
package struct PeopleGap: Hashable, Sendable {
  package let message: String
  package let remedy: String
  /// True for a warning, false for a note.
  package let isWarning: Bool

  package init(message: String, remedy: String, isWarning: Bool) {
    self.message = message
    self.remedy = remedy
    self.isWarning = isWarning
  }

  package var sentence: String { "\(message): \(remedy)" }
}

extension [RunningTrade] {
  /// The trade of the team; nil if the daemon does not serve it.
  package func of(_ team: Team) -> RunningTrade? { first { $0.trade == team.trade } }
}
