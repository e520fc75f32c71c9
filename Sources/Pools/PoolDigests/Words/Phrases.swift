package import FlowModel
package import FlowNotices

/// All texts for people in one language. The memberwise initialiser has no defaults, so a language cannot lack a sentence.
///
/// `{0}`, `{1}` … are placeholders; in a `PluralSentence` sentence `{0}` is the count.
package struct Phrases: Sendable {
  // The four notices. English is the app's own text, including the literal "(s)" (golden file `notifications.json`,
  // R-NOTIF-1).
  let routeTitle: Sentence
  let scheduledToday: PluralSentence
  let prepTitle: Sentence
  /// `{0}`: number of chemicals; `{1}`: number of stops.
  let lowBeforeStops: TwoPluralSentence
  let weeklyTitle: Sentence
  let activePools: PluralSentence
  let trialTitle: Sentence
  let trialBody: Sentence

  /// The test of a person's addresses. `{0}`: the person's name.
  package let addressTest: Sentence

  // Texts about one day.
  let stops: PluralSentence
  /// `{1}`: day; `{2}`: first arrival.
  let mailSubject: PluralSentence
  /// `{0}`: a name, such as a technician's; `{1}`: text about it, such as the number of stops.
  let sectionTitle: Sentence
  /// `{0}`: number of stops that would be reached after midnight.
  let afterMidnight: PluralSentence
  let changesTitle: Sentence
  let noChanges: Sentence
  let added: Sentence
  let movedToDay: Sentence
  /// `{0}`: customer; `{1}`: previous technician; `{2}`: new technician.
  let movedToTechnician: Sentence
  let removed: Sentence
  /// `{0}`: customer; `{1}`: new position; `{2}`: previous position.
  let reordered: Sentence

  /// `{0}`: the chemicals that stops need today, as a list.
  let needs: Sentence
  let serviceDue: Sentence
  let workDue: Sentence
  let testFirst: Sentence
  let calciumHigh: Sentence
  /// `{0}`: previous condition of the water; `{1}`: new condition; `{2}`: saturation index.
  let waterCrossed: Sentence
  let daysSinceVisit: PluralSentence
  let visitedToday: Sentence
  let neverVisited: Sentence
  let noReadings: Sentence
  /// `{0}`: age of the readings in days, too old for a dose.
  let readingsOld: PluralSentence
  let pHNotMeasured: Sentence
  /// `{0}`: age in days.
  let measuredDaysAgo: PluralSentence
  /// `{0}`: the readings that are older than the last measurement.
  let olderReadings: Sentence
  let olderWord: Sentence
  /// `{0}`: names of the readings that were never taken.
  let notMeasured: Sentence
  let notMeasuredWord: Sentence
  /// `{0}`: amount; `{1}`: chemical.
  let doseTask: Sentence
  /// `{0}`: a reading; `{1}`: its value.
  let ifStill: Sentence
  /// `{0}`: the first part of an amount that is excessive by the carbonate equilibrium.
  let startWith: Sentence
  /// `{0}`: the amount by the app's rule.
  let byEquilibrium: Sentence
  /// `{0}`: readings with the values that the carbonate equilibrium assumed.
  let assumedForDoses: Sentence
  /// `{0}`: name of a reading.
  let ruleNeedsReading: Sentence
  /// `{0}`: a reading with its value.
  let ruleOutOfRange: Sentence
  let ruleContradiction: Sentence
  /// The rule of the saturation index, if it is not the app's.
  let indexByPH: Sentence
  let dissolvedSolids: Sentence
  let borate: Sentence
  let drainPart: Sentence
  /// `{0}` and `{1}`: times of day.
  let wantsBetween: Sentence
  let wantsBefore: Sentence
  let wantsAfter: Sentence
  /// `{0}`: the hours that the customer wants, one of the three texts above.
  let early: Sentence
  let tooLate: Sentence
  let outsideWindow: Sentence
  let serviceOverdue: Sentence
  let workDueToday: Sentence
  /// `{0}`: the date on which the work was due.
  let workDueSince: Sentence
  let warrantyEnded: Sentence
  let noCoordinates: Sentence
  let stopsTitle: Sentence
  /// The heading above everything that does not concern one technician.
  let officeTitle: Sentence
  /// `{0}`: saturation index; `{1}`: condition of the water.
  let lsiWord: Sentence
  /// The label of the link to the phone's own map app.
  let mapProgram: Sentence
  let navigate: Sentence
  let call: Sentence
  /// `{0}`: a note, here in quotation marks.
  let quoted: Sentence
  /// `{0}`: number of facts that need no action today.
  let laterTitle: Sentence
  let wholeRoute: Sentence
  /// `{0}` and `{1}`: numbers of the first and last stop.
  let routePart: Sentence
  let mapFold: Sentence
  let gateLabel: Sentence
  let contactLabel: Sentence
  let phoneLabel: Sentence
  let notesTitle: Sentence

  let mapTitle: PluralSentence
  let mapDescription: Sentence

  let loadTitle: Sentence
  /// `{0}`: the amount that the store lacks.
  let storeShort: Sentence
  /// `{1}`: the customers whose stops get too little.
  let storeShortFor: Sentence
  /// `{0}`: number of the first stop that needs the chemical.
  let storeEmpty: Sentence
  /// `{0}`: amount needed; `{1}`: amount on the truck.
  let loadFacts: Sentence
  /// `{0}`: the customers whose stops get too little.
  let missingAt: Sentence
  /// The amount of a chemical that dosing does not advise: the median of the last visits.
  let usualAmount: Sentence
  let nothingToLoad: Sentence
  let chemicalColumn: Sentence
  let neededColumn: Sentence
  let truckColumn: Sentence
  let takeColumn: Sentence

  let lowStockTitle: Sentence
  /// `{0}`: chemical; `{1}`: amount left; `{2}`: threshold.
  let lowLine: Sentence
  let lasts: PluralSentence
  let lastsNoDay: Sentence
  let tomorrowNeeds: Sentence
  /// `{0}`: amount needed; `{1}`: amount missing.
  let tomorrowShort: Sentence
  let waterTitle: Sentence
  /// `{0}`: customer; `{1}`: previous condition of the water; `{2}`: new condition; `{3}`: saturation index.
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
  /// `{0}`: assumed speed; `{1}`: minutes per stop; `{2}`: time of the first stop.
  let estimate: Sentence
  let plannedEstimate: Sentence
  let run: Sentence
  let preview: Sentence

  // The weekly notice.
  let weekEnding: Sentence
  let overDays: PluralSentence
  let moneyTitle: Sentence
  let revenue: Sentence
  let spend: Sentence
  let profit: Sentence
  let margin: Sentence
  /// `{0}`: percentage of the fee, also in `noLosers`.
  let losersTitle: Sentence
  /// `{0}`: customer; `{1}`: fee; `{2}`: cost of chemicals; `{3}`: profit.
  let loserLine: Sentence
  let noLosers: Sentence
  let healthTitle: Sentence
  let missingCoordinates: PluralSentence
  let missingFee: PluralSentence
  let stalePools: PluralSentence
  let healthFine: Sentence
  let nextLoadTitle: Sentence
  let noProfitOnPlan: Sentence

  // Charts and the monthly report.
  /// `{0}`: number of pools; `{1}`: their customers.
  let missingCoordinatesNamed: PluralSentence
  let missingFeeNamed: PluralSentence
  let figures: Sentence
  /// `{0}`: name of this period; `{1}`: name of the previous period.
  let filledOutlined: Sentence
  let thisWeek: Sentence
  let weekBefore: Sentence
  let visitsTitle: Sentence
  let visitsByDayTitle: Sentence
  let technicianColumn: Sentence
  let missedColumn: Sentence
  let missed: PluralSentence
  let missedTitle: Sentence
  let missedNote: Sentence
  let noMissed: Sentence
  let chemicalsTitle: Sentence
  let otherChemicals: Sentence
  /// `{0}`: a chemical that is usually liquid, here as tablets or powder.
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
  /// `{0}`: percentage of the fee.
  let loserNote: Sentence
  let trendTitle: Sentence
  let dateColumn: Sentence

  // Previews, days off and reminders.
  let tomorrowTitle: Sentence
  let scheduledTomorrow: PluralSentence
  /// `{0}`: the lowest temperature; `{1}` and `{2}`: moments.
  let frostWarning: Sentence
  /// `{0}`: amount; `{1}`: day; `{2}`: the command that moves the day.
  let rainExpected: Sentence
  /// The same without a day to move to. `{0}`: amount; `{1}`: day.
  let rainOnDay: Sentence
  /// `{0}`: the moment at which the forecast was issued.
  let forecastStale: Sentence
  let forecastShort: Sentence
  /// `{0}`: customers.
  let forecastElsewhere: Sentence
  /// `{0}`: weekday.
  let prepForDayTitle: Sentence
  /// `{0}`: weekday; `{1}`: amount needed.
  let dayNeeds: Sentence
  /// `{0}`: weekday; `{1}`: amount needed; `{2}`: amount missing.
  let dayShort: Sentence
  let closedTomorrowTitle: Sentence
  let needAnotherDay: PluralSentence
  let closedTitle: Sentence
  /// At a stop: it was moved from a weekday or date; and whose place its technician takes. A reason may follow.
  let stopMoved: Sentence
  let stopCovers: Sentence
  /// The heading above changed stops of coming days, and the lines below it: a customer with the new date, or another
  /// technician.
  let stopChangesTitle: Sentence
  let stopMovedTo: Sentence
  let stopSkipped: Sentence
  let stopCoveredBy: Sentence
  /// The notice that today's route has changed since its morning notice.
  let routeChangedTitle: Sentence
  let stopsChanged: PluralSentence
  /// The notice that tomorrow's route has changed since it was sent.
  let routeChangedTomorrowTitle: Sentence
  let stopsChangedTomorrow: PluralSentence
  /// `{0}`: first day; `{1}`: last day.
  let fromDayToDay: Sentence
  /// `{0}`: technician.
  let away: Sentence
  /// `{0}`: technician; `{1}`: number of stops as text.
  let uncovered: Sentence

  // Texts on published pages.
  let noRoute: Sentence
  let teamIsClosed: Sentence
  let comingDays: Sentence
  let drivesTitle: Sentence
  /// `{0}`: number of stops as text.
  let routeOfDay: Sentence
  let feedTitle: Sentence
  let feedNote: Sentence
  let pageBroken: Sentence
  /// `{0}`: the savings; `{1}`: the command that applies the order.
  let betterOrder: Sentence
  /// `{0}`: minutes of arrival after customers' arrival windows.
  let ofLateness: Sentence
  let ofDriving: Sentence
  /// `{0}`: the savings; `{1}`: the cost.
  let atThePriceOf: Sentence
  let reminderTitle: Sentence
  let nothing: Sentence

  // Reports about visits and pools.
  let visitReport: Sentence
  let visits: PluralSentence
  let readingsTitle: Sentence
  let readingColumn: Sentence
  let valueColumn: Sentence
  let statusColumn: Sentence
  let temperature: Sentence
  let calciumHardness: Sentence
  let totalAlkalinity: Sentence
  let cyanuricAcid: Sentence
  let freeChlorine: Sentence
  /// The same within a sentence.
  let freeChlorineWithin: Sentence
  let salt: Sentence
  // The readings in a fifth of a phone's width.
  let temperatureLabel: Sentence
  let calciumLabel: Sentence
  let alkalinityLabel: Sentence
  let saturationIndex: Sentence
  let low: Sentence
  let ideal: Sentence
  let high: Sentence
  // The same words about a reading with a feminine name.
  let lowFeminine: Sentence
  let idealFeminine: Sentence
  let highFeminine: Sentence
  /// `{0}` and `{1}`: limits of the ideal range.
  let idealRange: Sentence
  let dosesTitle: Sentence
  let workDoneTitle: Sentence
  let noReadingsTaken: Sentence
  let chemicalCost: Sentence
  let poolTitle: Sentence
  let volume: Sentence
  let serviceDay: Sentence
  let waterNow: Sentence
  let photoAlt: Sentence
  /// `{0}`: size of the photo.
  let photoTooLarge: Sentence
  /// `{0}`: file format of the photo.
  let photoFormat: Sentence
  let photoUnreadable: Sentence
  let monthReport: Sentence
  let customerColumn: Sentence

  // Field work. English is the app's own text where it has one (golden file `dosing.json`).
  let volumeRequired: Sentence
  let waterBalanced: Sentence
  /// `{0}`: parts per million of calcium.
  let calciumTooHigh: Sentence
  /// `{0}`: amount; `{1}`: chemical; also in `nudgeDown`.
  let nudgeUp: Sentence
  let nudgeDown: Sentence
  /// `{0}`: amount; `{1}`: chemical; `{2}`: reading; `{3}`: target value. The caller appends the full stop.
  let addTo: Sentence
  let thenAerate: Sentence
  /// `{0}`: reading with its value; `{1}` and `{2}`: limits of the usual range.
  let beyondForm: Sentence

  // Warnings about rows of a customers file; `{0}` is the column.
  let rowEmpty: Sentence
  /// `{1}`: limit in characters; `{2}`: limit in bytes; also in the next two.
  let rowTooLong: Sentence
  let cellTooLong: Sentence
  let cellTooLongTogether: Sentence
  let cellControls: Sentence
  let cellNoFee: Sentence
  let cellNoVolume: Sentence
  let cellNoWeekday: Sentence
  /// `{1}` and `{2}`: limits of the range; also in `cellNoNumber`.
  let cellNoDegrees: Sentence
  let cellNoNumber: Sentence
  let cellReadingsStay: Sentence
  /// `{1}` and `{2}`: the reserved names, which no technician can have.
  let cellReservedTechnician: Sentence
  let cellAmbiguous: Sentence
  /// `{1}`: the interpretation of the value.
  let cellReadAs: Sentence
  /// `{1}`: a volume; also in `cellTinyVolume`.
  let cellSmallVolume: Sentence
  let cellTinyVolume: Sentence
  let cellFeeNotMonthly: Sentence
  /// `{1}`: the weekday that is used.
  let cellSeveralDays: Sentence
  let rowNoDay: Sentence
  let rowMoreCells: Sentence
  /// `{1}`: number of the earlier row.
  let rowRepeats: Sentence
  /// `{1}`: number of the earlier row; `{2}`: columns in which the rows differ.
  let rowContradicts: Sentence
  /// `{1}`: number of the earlier row.
  let rowOtherBody: Sentence
  let rowNoSuchPool: Sentence
  let rowCompletesAddress: Sentence
  let cellOtherFrequency: Sentence
  /// `{1}`: the rule of the pool's dates of service.
  let cellRuleStays: Sentence
  let cellUnknownStatus: Sentence

  // Warnings about a customers file as a whole; `{0}` is a list or a number.
  let fileUnusedColumns: Sentence
  let fileNoDays: Sentence
  let fileInactive: Sentence
  let fileLitres: Sentence
  let fileGallons: Sentence
  let fileDecimalComma: Sentence
  let fileNumericDays: Sentence
  /// `{0}`: currency of the file; `{1}`: currency of the team.
  let fileOtherCurrency: Sentence

  // Warnings about archives.
  /// `{0}`: number of ignored equipment records; `{1}`: number of all.
  let archiveEquipment: Sentence
  let archiveProfileTwice: Sentence
  let archiveProfileAlone: Sentence
  let archivePlace: Sentence
  /// `{1}` and `{2}`: the reserved names, which no technician can have.
  let archiveReservedTechnician: Sentence
  /// `{0}`: number of visits; `{1}`: day of the last one.
  let archiveVisitsAhead: PluralSentence
  /// `{0}`: number of visits.
  let archiveSanitiserKept: PluralSentence
  /// `{0}`: number of pools.
  let archiveRulesStay: PluralSentence
  let archivePhotoMissing: Sentence
  /// `{0}`: number according to the manifest; `{1}`: kind of record; `{2}`: number found.
  let archiveCount: Sentence
  let archivePhotoAlone: Sentence
  let archiveForeign: Sentence
  /// `{0}`: file; `{1}`: number of the record; `{2}`: field.
  let archiveControls: Sentence

  // Doses, and reasons why a whole file is rejected.
  /// `{0}`: amount; `{1}`: chemical; `{2}`: cost.
  let doseLine: Sentence
  /// As `doseLine`, with `{3}`: amount left in stock.
  let doseLineLeft: Sentence
  /// `{0}`: amount that the stock lacks.
  let doseStockShort: Sentence
  let doseNotInStock: Sentence
  /// `{0}`: total cost.
  let doseTotal: Sentence
  /// `{0}`: file; `{1}`: reason.
  package let fileRefused: Sentence
  /// `{0}`: file; `{1}`: reason; `{2}`: headings of the file; `{3}`: options that map them.
  package let fileRefusedHeadings: Sentence
  package let fileEncoding: Sentence
  /// `{0}`: a column.
  package let fileNoColumn: Sentence
  /// `{0}` and `{1}`: columns.
  package let fileNoColumns: Sentence
  /// `{0}`: the limit.
  package let fileTooManyRows: Sentence
  /// `{0}`: size of the file; `{1}`: the limit.
  package let fileTooLarge: Sentence
  /// `{0}`: number of columns; `{1}`: the limit.
  package let fileTooManyColumns: Sentence
  /// `{0}`: number of the row.
  package let fileOpenQuote: Sentence
  /// `{0}`: the argument as typed.
  package let fileMapNoPair: Sentence
  /// `{0}`: the column as typed; `{1}`: all valid columns.
  package let fileMapUnknownColumn: Sentence
  /// `{0}`: the column.
  package let fileMapColumnTwice: Sentence
  /// `{0}`: the heading.
  package let fileMapHeadingTwice: Sentence
  /// `{0}`: the heading; `{1}`: the headings of the file.
  package let fileMapUnknownHeading: Sentence
  package let fileMapNotHere: Sentence
  package let fileProfilesNotHere: Sentence
  /// `{0}`: the team's name.
  package let archiveOfStable: Sentence
  package let archiveNoManifest: Sentence
  /// `{0}`: the schema version of the archive.
  package let archiveVersion: Sentence
  /// `{0}`: the missing file.
  package let archiveFileMissing: Sentence
  /// `{0}`: the missing records, as a list.
  package let archiveReferences: Sentence
  /// `{0}`: location and reason of the damage.
  package let archiveDamaged: Sentence
  let doseOfNoItem: Sentence
  /// `{0}`: number of visits.
  package let archiveLosesVisits: PluralSentence
  /// `{0}`: number of visits.
  package let archiveRevertsVisits: PluralSentence
  /// `{0}`: number of pools.
  package let archiveLosesPools: PluralSentence
  /// `{0}`: number of pools.
  package let archiveRevertsPools: PluralSentence
  /// `{0}` and `{1}`: two of the four texts above.
  package let archiveAnd: Sentence
  /// `{0}`: file; `{1}`: texts about lost or reverted work; `{2}`: pools created; `{3}`: pools updated; `{4}`: pools deleted.
  package let archiveLosesWork: Sentence
}

/// The sentences of one language, allocated once and shared by reference, because `Phrases` is too large to copy.
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
