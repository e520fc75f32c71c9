package import PoolModel
package import PoolNotices

/// Everything that is said to people, in one language. A language lacks nothing: the initialiser asks for every sentence.
///
/// `{0}`, `{1}` … are filled in; in a `Counted` sentence `{0}` is the count.
package struct Phrases: Sendable {
  // The four notices. English is the app's own text, literal "(s)" included (golden file `notifications.json`, R-NOTIF-1).
  let routeTitle: Sentence
  let scheduledToday: Counted
  let prepTitle: Sentence
  /// {0} chemicals, {1} stops.
  let lowBeforeStops: CountedTwice
  let weeklyTitle: Sentence
  let activePools: Counted
  let trialTitle: Sentence
  let trialBody: Sentence

  // A day.
  let stops: Counted
  /// {0} name, {1} stops.
  let sectionTitle: Sentence
  /// {1} first arrival, {2} end, {3} distance.
  let daySummary: Counted
  /// Without a distance: no two stops are on the map.
  let daySummaryUnlocated: Counted
  /// {0} stops that the day has no time for.
  let afterMidnight: Counted
  let needAttention: Counted
  let changesTitle: Sentence
  let noChanges: Sentence
  let added: Sentence
  let movedToDay: Sentence
  /// {0} customer, {1} from, {2} to.
  let movedToTechnician: Sentence
  let removed: Sentence
  /// {0} customer, {1} now, {2} before.
  let reordered: Sentence

  let attentionTitle: Sentence
  /// {0} before, {1} now, {2} LSI.
  let waterCrossed: Sentence
  let daysSinceVisit: Counted
  let visitedToday: Sentence
  let neverVisited: Sentence
  let noReadings: Sentence
  /// {0} days since they were taken: why they get no dose.
  let readingsOld: Counted
  let pHNotMeasured: Sentence
  /// {0} days, {1} readings.
  let measuredDaysAgo: Counted
  /// {0} readings that are older than those before them.
  let olderReadings: Sentence
  /// {0} names of readings.
  let notMeasured: Sentence
  /// {0} amounts.
  let pour: Sentence
  /// {0} amount, {1} place in the load list.
  let placeInLoad: Sentence
  let drainPart: Sentence
  /// {0} and {1} times of day.
  let arriveBetween: Sentence
  let arriveBefore: Sentence
  let arriveAfter: Sentence
  let outsideWindow: Sentence
  let serviceOverdue: Sentence
  let warrantyEnded: Sentence
  let noCoordinates: Sentence
  let stopsTitle: Sentence
  /// Above what is no technician's.
  let officeTitle: Sentence
  /// {0} LSI, {1} condition.
  let lsiWord: Sentence
  /// The map that a phone itself has.
  let mapProgram: Sentence
  let gateLabel: Sentence
  let contactLabel: Sentence
  let phoneLabel: Sentence
  let emailLabel: Sentence
  let notesTitle: Sentence

  let mapTitle: Counted
  let mapDescription: Sentence

  let loadTitle: Sentence
  let storeShort: Sentence
  /// {0} the customers whose stops go without.
  let missingAt: Sentence
  /// {0} a chemical with its amount and place in the load.
  let usuallyPoured: Sentence
  /// {0} a chemical of the load that no dosing advises.
  let usual: Sentence
  let nothingToLoad: Sentence
  let chemicalColumn: Sentence
  let neededColumn: Sentence
  let truckColumn: Sentence
  let takeColumn: Sentence

  let lowStockTitle: Sentence
  /// {0} chemical, {1} left, {2} threshold.
  let lowLine: Sentence
  let lasts: Counted
  let lastsNoDay: Sentence
  let tomorrowNeeds: Sentence
  /// {0} needed, {1} missing.
  let tomorrowShort: Sentence
  let waterTitle: Sentence
  /// {0} customer, {1} before, {2} after, {3} LSI.
  let waterLine: Sentence

  let corrosive: Sentence
  let balanced: Sentence
  let scaleForming: Sentence
  let acid: Sentence
  let base: Sentence
  let calcium: Sentence
  let alkalinity: Sentence
  let chlorine: Sentence
  let stabilizer: Sentence

  let dataAsOf: Sentence
  /// {0} speed, {1} minutes a stop, {2} start.
  let estimate: Sentence
  let plannedEstimate: Sentence
  let run: Sentence
  let preview: Sentence

  // A week.
  let weekEnding: Sentence
  let overDays: Counted
  let moneyTitle: Sentence
  let revenue: Sentence
  let spend: Sentence
  let profit: Sentence
  let margin: Sentence
  /// {0} the share of the fee, here and in `noLosers`.
  let losersTitle: Sentence
  /// {0} customer, {1} fee, {2} chemicals, {3} profit.
  let loserLine: Sentence
  let noLosers: Sentence
  let more: Counted
  let healthTitle: Sentence
  let missingCoordinates: Counted
  let missingFee: Counted
  let stalePools: Counted
  let healthFine: Sentence
  let nextLoadTitle: Sentence
  let noProfitOnPlan: Sentence

  // Charts and the month.
  /// {0} pools, {1} their customers.
  let missingCoordinatesNamed: Counted
  let missingFeeNamed: Counted
  let figures: Sentence
  /// {0} this period, {1} the one before.
  let filledOutlined: Sentence
  let thisWeek: Sentence
  let weekBefore: Sentence
  let visitsTitle: Sentence
  let visitsByDayTitle: Sentence
  let technicianColumn: Sentence
  let missedColumn: Sentence
  let missed: Counted
  let missedTitle: Sentence
  let missedNote: Sentence
  let noMissed: Sentence
  let chemicalsTitle: Sentence
  let otherChemicals: Sentence
  /// {0} a kind of chemical that is else a liquid.
  let dryChemical: Sentence
  let noChemicals: Sentence
  let balanceTitle: Sentence
  let poolsColumn: Sentence
  let noVisits: Sentence
  let worstTitle: Sentence
  let bandNote: Sentence
  let waterFine: Sentence
  let profitTitle: Sentence
  let feeColumn: Sentence
  /// {0} share of the fee.
  let loserNote: Sentence
  let trendTitle: Sentence
  let dateColumn: Sentence

  // The evening before, days off, reminders.
  let tomorrowTitle: Sentence
  let scheduledTomorrow: Counted
  /// {0} weekday.
  let prepForDayTitle: Sentence
  /// {0} weekday, {1} needed.
  let dayNeeds: Sentence
  /// {0} weekday, {1} needed, {2} missing.
  let dayShort: Sentence
  let closedTomorrowTitle: Sentence
  let needAnotherDay: Counted
  let closedTitle: Sentence
  /// {0} first day, {1} last day.
  let fromDayToDay: Sentence
  /// {0} technician.
  let away: Sentence
  /// {0} technician, {1} stops.
  let uncovered: Sentence

  // Published pages.
  let noRoute: Sentence
  let teamIsClosed: Sentence
  let comingDays: Sentence
  let drivesTitle: Sentence
  /// {0} so many stops.
  let routeOfDay: Sentence
  let feedTitle: Sentence
  let feedNote: Sentence
  let pageFollows: Sentence
  let pageBroken: Sentence
  /// {0} what it saves, {1} the command that takes it.
  let betterOrder: Sentence
  /// {0} minutes after customers' times.
  let ofLateness: Sentence
  let ofDriving: Sentence
  /// {0} what is saved, {1} what it costs.
  let atThePriceOf: Sentence
  let reminderTitle: Sentence
  let testTitle: Sentence
  /// {0} name.
  let testBody: Sentence
  // What technicians did not get.
  let undeliveredTitle: Sentence
  let undelivered: Counted
  let deliveryRefused: Sentence
  let deliveryExpired: Sentence
  let deliveryUnknown: Sentence
  let nothing: Sentence

  // Reports.
  let visitReport: Sentence
  let visits: Counted
  let readingsTitle: Sentence
  let readingColumn: Sentence
  let valueColumn: Sentence
  let statusColumn: Sentence
  let temperature: Sentence
  let calciumHardness: Sentence
  let totalAlkalinity: Sentence
  let cyanuricAcid: Sentence
  let saturationIndex: Sentence
  let low: Sentence
  let ideal: Sentence
  let high: Sentence
  /// {0} and {1} bounds.
  let idealRange: Sentence
  let dosesTitle: Sentence
  let noReadingsTaken: Sentence
  let chemicalCost: Sentence
  let poolTitle: Sentence
  let volume: Sentence
  let serviceDay: Sentence
  let waterNow: Sentence
  let photoAlt: Sentence
  /// {0} size.
  let photoTooLarge: Sentence
  /// {0} format.
  let photoFormat: Sentence
  let photoUnreadable: Sentence
  let monthReport: Sentence
  let customerColumn: Sentence

  // Field work. English is the app's own text where it has one (golden file `dosing.json`).
  let volumeRequired: Sentence
  let waterBalanced: Sentence
  /// {0} parts per million.
  let calciumTooHigh: Sentence
  /// {0} amount, {1} chemical.
  let nudgeUp: Sentence
  let nudgeDown: Sentence
  /// {0} amount, {1} chemical, {2} reading, {3} what it is to come to; a full stop follows.
  let addTo: Sentence
  let thenAerate: Sentence
  /// {0} reading, {1} and {2} the ends of what is usual.
  let beyondForm: Sentence

  // Rows of a customers file; {0} is the column.
  let rowEmpty: Sentence
  /// {1} characters, {2} bytes.
  let rowTooLong: Sentence
  let cellTooLong: Sentence
  let cellTooLongTogether: Sentence
  let cellControls: Sentence
  let cellNoFee: Sentence
  let cellNoVolume: Sentence
  let cellNoWeekday: Sentence
  /// {1} and {2} the ends.
  let cellNoDegrees: Sentence
  let cellNoNumber: Sentence
  let cellReadingsStay: Sentence
  /// {1} and {2} the words that are no technician's name.
  let cellReservedTechnician: Sentence
  let cellAmbiguous: Sentence
  /// {1} the meaning.
  let cellReadAs: Sentence
  /// {1} a volume.
  let cellSmallVolume: Sentence
  let cellTinyVolume: Sentence
  let cellFeeNotMonthly: Sentence
  /// {1} a day.
  let cellSeveralDays: Sentence
  let rowNoDay: Sentence
  let rowMoreCells: Sentence
  /// {1} a row.
  let rowRepeats: Sentence
  /// {1} a row, {2} columns.
  let rowContradicts: Sentence
  /// {1} a row.
  let rowOtherBody: Sentence
  let rowNoSuchPool: Sentence
  let rowCompletesAddress: Sentence
  let cellOtherFrequency: Sentence
  let cellUnknownStatus: Sentence

  // A customers file as a whole; {0} is a list or a number.
  let fileUnusedColumns: Sentence
  let fileNoDays: Sentence
  let fileInactive: Sentence
  let fileLitres: Sentence
  let fileGallons: Sentence
  let fileDecimalComma: Sentence
  let fileNumericDays: Sentence
  /// {0} the file's money, {1} the team's.
  let fileOtherCurrency: Sentence

  // Archives.
  /// {0} of {1}.
  let archiveEquipment: Sentence
  let archiveProfileTwice: Sentence
  let archiveProfileAlone: Sentence
  let archivePlace: Sentence
  /// {1} and {2} the words that are no technician's name.
  let archiveReservedTechnician: Sentence
  /// {0} visits, {1} the last one's day.
  let archiveVisitsAhead: Counted
  let archivePhotoMissing: Sentence
  /// {0} as the manifest counts {1}, {2} there are.
  let archiveCount: Sentence
  let archivePhotoAlone: Sentence
  let archiveForeign: Sentence
  /// {0} file, {1} record, {2} field.
  let archiveControls: Sentence

  // Doses, and files that are refused as a whole.
  /// {0} amount, {1} chemical, {2} cost.
  let doseLine: Sentence
  /// {3} what is left in stock.
  let doseLineLeft: Sentence
  /// {0} what the stock lacks.
  let doseStockShort: Sentence
  let doseNotInStock: Sentence
  /// {0} cost.
  let doseTotal: Sentence
  /// {0} file, {1} why.
  package let fileRefused: Sentence
  /// {0} file, {1} why, {2} its headings, {3} options.
  package let fileRefusedHeadings: Sentence
  package let fileEncoding: Sentence
  /// {0} a column.
  package let fileNoColumn: Sentence
  /// {0} and {1} columns.
  package let fileNoColumns: Sentence
  /// {0} the limit.
  package let fileTooManyRows: Sentence
  /// {0} its size, {1} the limit.
  package let fileTooLarge: Sentence
  /// {0} how many, {1} the limit.
  package let fileTooManyColumns: Sentence
  /// {0} the row.
  package let fileOpenQuote: Sentence
  /// {0} as it was typed.
  package let fileMapNoPair: Sentence
  /// {0} as it was typed, {1} all columns.
  package let fileMapUnknownColumn: Sentence
  /// {0} the column.
  package let fileMapColumnTwice: Sentence
  /// {0} the heading.
  package let fileMapHeadingTwice: Sentence
  /// {0} the heading, {1} those of the file.
  package let fileMapUnknownHeading: Sentence
  package let fileMapNotHere: Sentence
  package let fileProfilesNotHere: Sentence
  /// {0} the team.
  package let archiveOfStable: Sentence
  package let archiveNoManifest: Sentence
  /// {0} the version.
  package let archiveVersion: Sentence
  /// {0} the file.
  package let archiveFileMissing: Sentence
  /// {0} which, one after the other.
  package let archiveReferences: Sentence
  /// {0} where and why.
  package let archiveDamaged: Sentence
  let doseOfNoItem: Sentence
  /// {0} visits.
  package let archiveLosesVisits: Counted
  /// {0} visits.
  package let archiveRevertsVisits: Counted
  /// {0} pools.
  package let archiveLosesPools: Counted
  /// {0} pools.
  package let archiveRevertsPools: Counted
  /// {0} and {1} two of the four before.
  package let archiveAnd: Sentence
  /// {0} file, {1} what of work it lacks, {2} pools created, {3} updated, {4} deleted.
  package let archiveLosesWork: Sentence
}

/// The sentences of a language, held once: whoever speaks refers to them instead of copying them all.
@dynamicMemberLookup
package final class PhraseBook: Sendable {
  package let phrases: Phrases

  private init(_ phrases: Phrases) { self.phrases = phrases }

  @inline(__always)
  package subscript<Value>(dynamicMember path: KeyPath<Phrases, Value>) -> Value { phrases[keyPath: path] }

  fileprivate static let english = PhraseBook(.english)
  fileprivate static let spanish = PhraseBook(.spanish)
  fileprivate static let french = PhraseBook(.french)
  fileprivate static let portuguese = PhraseBook(.portuguese)
  fileprivate static let german = PhraseBook(.german)
}

extension Language {
  package var phrases: PhraseBook {
    switch self {
    case .english: .english
    case .spanish: .spanish
    case .french: .french
    case .portuguese: .portuguese
    case .german: .german
    }
  }
}
