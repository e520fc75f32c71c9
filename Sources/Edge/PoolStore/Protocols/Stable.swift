package import PoolModel
package import StableModel

// What a stable keeps by hand. Each verb that changes something is one transaction; what a closure throws is thrown on,
// and nothing has changed then.

/// The horses of a team. Names are unique, see `HorseName`; whatever breaks that is `StoreError`.
package protocol Horses: Sendable {
  /// By name.
  func horses(of team: TeamID) async throws -> [Horse]

  /// - Parameter make: the horse, from those there are.
  func addHorse(to team: TeamID, make: @Sendable (_ horses: [Horse]) throws -> Horse) async throws -> Horse

  /// - Parameter change: throws where a name is taken by one of the others.
  func changeHorse(
    _ id: HorseID, of team: TeamID, change: @Sendable (inout Horse, _ others: [Horse]) throws -> Void
  ) async throws -> Horse

  /// Removes a horse with its care, its schedule and its marks of days that are not closed, in one step.
  ///
  /// - Returns: false where it is gone.
  func removeHorse(_ id: HorseID, of team: TeamID) async throws -> Bool
}

/// The feeding of a team: schedules, templates, marks and closed days.
package protocol FeedBooks: Sendable {
  func schedules(of team: TeamID) async throws -> [HorseID: FeedSchedule]

  /// - Parameter change: of the schedule there is, or of an empty one; nil or an empty one removes it.
  func changeSchedules(
    of horses: [HorseID], team: TeamID, change: @Sendable (HorseID, FeedSchedule?) throws -> FeedSchedule?
  ) async throws

  /// What the boards of these dates are made of.
  func feedDays(_ dates: [CivilDate], of team: TeamID) async throws -> [FeedDay]

  /// Changes what is marked of one date: the rule is `FeedDay`'s, what it changes is written.
  func changeFeedDay<Result: Sendable>(
    _ date: CivilDate, of team: TeamID, change: @Sendable (inout FeedDay) throws -> Result
  ) async throws -> Result

  /// Closed days, newest first, each by name.
  func feedHistory(
    of team: TeamID, horse: HorseID?, from: CivilDate?, to: CivilDate?, limit: Int
  ) async throws -> [FeedRow]

  /// By name.
  func templates(of team: TeamID) async throws -> [FeedTemplate]

  /// - Parameter change: all of them, as they are to be.
  func changeTemplates(of team: TeamID, change: @Sendable (inout [FeedTemplate]) throws -> Void) async throws

  /// Copies a template to horses and counts the use, in one step.
  func applyTemplate(_ id: FeedTemplateID, to horses: [HorseID], of team: TeamID) async throws
}

/// The care of horses.
package protocol CareBooks: Sendable {
  /// Newest first.
  ///
  /// - Parameter horse: nil for all.
  func care(of team: TeamID, horse: HorseID?, from: CivilDate?, to: CivilDate?, limit: Int?) async throws -> [CareEvent]

  func addCare(_ event: CareEvent, to team: TeamID) async throws

  func changeCare(
    _ id: CareEventID, of team: TeamID, change: @Sendable (inout CareEvent) throws -> Void
  ) async throws -> CareEvent

  /// - Returns: false where it is gone.
  func removeCare(_ id: CareEventID, of team: TeamID) async throws -> Bool
}

/// The weather to come, and what was advised of it.
package protocol Forecasts: Sendable {
  /// The newest, and the one before.
  func forecasts(of team: TeamID) async throws -> [Forecast]

  /// Takes a forecast, where it is newer than the one there is.
  ///
  /// - Parameter digest: of the file's bytes: the same as those of the newest or the one before change nothing.
  func importForecast(
    _ forecast: Forecast, digest: String, to team: TeamID, now: Timestamp
  ) async throws -> ForecastEffect

  /// The last night before this date's that had advice; nil where there was none.
  func lastNight(before date: CivilDate, of team: TeamID) async throws -> BlanketNight?

  func barnSettings(of team: TeamID) async throws -> BarnSettings

  func changeBarnSettings(
    of team: TeamID, change: @Sendable (inout BarnSettings) throws -> Void
  ) async throws -> BarnSettings
}

/// A stable's records as lists and archives replace them: each verb is one transaction, whole or not at all.
package protocol StableBooks: Sendable {
  func stableRecords(of team: TeamID) async throws -> StableRecords

  /// All that the stable keeps, of one moment.
  func stableBook(of team: TeamID) async throws -> StableBook

  /// Changes horses, schedules and care as a list does; all else stays.
  ///
  /// - Parameters:
  ///   - rehearse: do all of it, count, and take it back.
  ///   - claim: the file of the inbox that it is; nil where somebody asked for the import.
  /// - Throws: `StoreError.nameTaken`, `.full`, and what `change` throws; nothing has changed then.
  func changeStable(
    _ name: String, now: Timestamp, rehearse: Bool, claim: ImportClaim?,
    change: @Sendable (inout StableRecords) throws -> Void
  ) async throws -> ImportEffect

  /// Puts a book in the place of all that the stable has. What it had not been told yet was decided on other records, and is
  /// held.
  ///
  /// - Parameters:
  ///   - photos: what the photo folder's mark names; nil where no photos are replaced.
  ///   - refused: throws where what is there now is not to go.
  func replaceStable(
    _ name: String, by book: StableBook, now: Timestamp, rehearse: Bool, photos: PhotoChange?, claim: ImportClaim?,
    unless refused: @Sendable (StableBook) throws -> Void
  ) async throws -> ImportEffect

  /// The horses whose photos lie in the team's photo folder.
  func photoHorses(of team: TeamID) async throws -> Set<HorseID>
}

/// What a stable's pages are made of.
package protocol FactsOfStables: Sendable {
  /// As a decision of that local day looks at them; nil where there is no such team, or it is no stable.
  func barnFacts(of team: TeamID, on date: CivilDate) async throws -> BarnFacts?
}
