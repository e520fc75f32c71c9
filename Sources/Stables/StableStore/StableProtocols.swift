package import FlowModel
package import FlowStore
package import PoolStore
package import StableModel

// Records that a stable edits by hand. Each change is one transaction; an error thrown by a closure is rethrown and nothing is
// changed.

/// A team's horses. Names are unique, see `HorseName`; a violation throws `StoreError`.
package protocol Horses: Sendable {
  /// Sorted by name.
  func horses(of team: TeamID) async throws -> [Horse]

  /// - Parameter make: returns the new horse; takes the present ones.
  func addHorse(to team: TeamID, make: @Sendable (_ horses: [Horse]) throws -> Horse) async throws -> Horse

  /// - Parameter change: throws if another horse has the name.
  func changeHorse(
    _ id: HorseID, of team: TeamID, change: @Sendable (inout Horse, _ others: [Horse]) throws -> Void
  ) async throws -> Horse

  /// Removes a horse with its care events, its schedule and its marks on open feed days, in one transaction.
  ///
  /// - Returns: false if it does not exist.
  func removeHorse(_ id: HorseID, of team: TeamID) async throws -> Bool
}

/// A team's feeding: schedules, templates, feed marks and closed days.
package protocol FeedBooks: Sendable {
  func schedules(of team: TeamID) async throws -> [HorseID: FeedSchedule]

  /// Changes the schedules of horses.
  ///
  /// - Parameter change: takes the present schedule, nil if there is none; returning nil or an empty schedule removes it.
  func changeSchedules(
    of horses: [HorseID], team: TeamID, change: @Sendable (HorseID, FeedSchedule?) throws -> FeedSchedule?
  ) async throws

  /// Data for the feed boards of these dates.
  func feedDays(_ dates: [CivilDate], of team: TeamID) async throws -> [FeedDay]

  /// Changes the feed marks of a date; `FeedDay` enforces the rules.
  func changeFeedDay<Result: Sendable>(
    _ date: CivilDate, of team: TeamID, change: @Sendable (inout FeedDay) throws -> Result
  ) async throws -> Result

  /// Closed feed days, newest first, each sorted by horse name.
  func feedHistory(
    of team: TeamID, horse: HorseID?, from: CivilDate?, to: CivilDate?, limit: Int
  ) async throws -> [FeedRow]

  /// Sorted by name.
  func templates(of team: TeamID) async throws -> [FeedTemplate]

  /// - Parameter change: edits the complete list of templates.
  func changeTemplates(of team: TeamID, change: @Sendable (inout [FeedTemplate]) throws -> Void) async throws

  /// Copies a template to horses and counts its use, in one transaction.
  func applyTemplate(_ id: FeedTemplateID, to horses: [HorseID], of team: TeamID) async throws
}

/// Care events of horses.
package protocol CareBooks: Sendable {
  /// Care events, newest first.
  ///
  /// - Parameter horse: nil for all horses.
  func care(of team: TeamID, horse: HorseID?, from: CivilDate?, to: CivilDate?, limit: Int?) async throws -> [CareEvent]

  func addCare(_ event: CareEvent, to team: TeamID) async throws

  func changeCare(
    _ id: CareEventID, of team: TeamID, change: @Sendable (inout CareEvent) throws -> Void
  ) async throws -> CareEvent

  /// - Returns: false if the event does not exist.
  func removeCare(_ id: CareEventID, of team: TeamID) async throws -> Bool
}

/// Blanket advice, and the settings of a stable.
package protocol BlanketBooks: Sendable {
  /// The last night with advice before that of `date`; nil if there is none.
  func lastNight(before date: CivilDate, of team: TeamID) async throws -> BlanketNight?

  func barnSettings(of team: TeamID) async throws -> BarnSettings

  func changeBarnSettings(
    of team: TeamID, change: @Sendable (inout BarnSettings) throws -> Void
  ) async throws -> BarnSettings
}

/// Imports and restores of a stable's records; each method is one transaction.
package protocol StableBooks: Sendable {
  func stableRecords(of team: TeamID) async throws -> StableRecords

  /// All records of the stable, in one consistent snapshot.
  func stableBook(of team: TeamID) async throws -> StableBook

  /// Changes horses, schedules and care events from a list; all other records stay.
  ///
  /// - Parameters:
  ///   - dryRun: true for a dry run: all is done, counted and rolled back.
  ///   - claim: the inbox file; nil if the import was requested by a command.
  /// - Throws: `StoreError.nameTaken`, `.full`, or the error of `change`; nothing is changed then.
  func changeStable(
    _ name: String, now: Timestamp, dryRun: Bool, claim: ImportClaim<ImportEffect>?,
    change: @Sendable (inout StableRecords) throws -> Void
  ) async throws -> ImportEffect

  /// Replaces all records of the stable by `book`. Undelivered notices are put on hold, because they were decided with other
  /// records.
  ///
  /// - Parameters:
  ///   - photos: the photo change that the photo folder's mark names; nil if no photos are replaced.
  ///   - refused: throws if the present records must not be replaced.
  func replaceStable(
    _ name: String, by book: StableBook, now: Timestamp, dryRun: Bool, photos: PhotoChange?,
    claim: ImportClaim<ImportEffect>?,
    unless refused: @Sendable (StableBook) throws -> Void
  ) async throws -> ImportEffect

  /// Removes all records of the stable except its settings, and the addresses of its people.
  ///
  /// - Parameter changed: throws if the stable differs from what the caller has seen.
  func clearStable(
    _ name: String, dryRun: Bool, change: PhotoChange?, unless changed: @Sendable (RecordCounts) throws -> Void
  ) async throws -> ClearedRecords

  /// Horses whose photos are in the team's photo folder.
  func photoHorses(of team: TeamID) async throws -> Set<HorseID>
}

/// Facts for a stable's published pages.
package protocol FactsOfStables: Sendable {
  /// The facts that a decision on that local day would read; nil if the team does not exist or is no stable.
  func barnFacts(of team: TeamID, on date: CivilDate) async throws -> BarnFacts?
}
