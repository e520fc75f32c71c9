package import FlowModel

/// A warning about one row of a customers file or one of its values. `Localizer.words(of:)` has the text in each language.
package enum RowFault: Hashable, Sendable {
  /// A required value is empty; the row is skipped.
  case empty
  /// The value is too long; it is ignored, or the whole row with it.
  case tooLong(TextRule, leavesOutRow: Bool)
  /// The value is too long when appended to the pool's existing text.
  case tooLongTogether(TextRule)
  /// Control characters were removed from the value.
  case controlCharacters
  /// The value is not a fee.
  case noFee
  /// The value is not a volume.
  case noVolume
  /// The value is not a day of the week; Monday is used.
  case noWeekday
  /// The value is not a latitude or longitude in this range.
  case noDegrees(ClosedRange<Double>)
  /// The value is not a number in this range.
  case noNumber(ClosedRange<Double>)
  /// The pool exists and its readings differ from the row's; they are not changed, because readings come from visits.
  case readingsStay
  /// No pool has this customer and address, and an import of profiles creates none.
  case noSuchPool
  /// The technician's name is reserved (`Technician.isReserved`).
  case reservedTechnician
  /// The number has exactly three digits after its only separator, and nothing in the file shows whether that is a decimal
  /// separator.
  case ambiguousNumber
  /// A volume had two possible meanings; only one was plausible and was used, in US gallons.
  case decidedVolume(Double)
  /// A volume is below the app's minimum, in US gallons, but is used.
  case smallVolume(least: Double)
  /// A volume is too small for any pool and is ignored; the minimum is in US gallons.
  case tinyVolume(least: Double)
  /// The fee is not per month, for example per visit, and is ignored.
  case feeNotMonthly
  /// The row names several days; the first one is used, because a pool has one.
  case severalWeekdays(Weekday)
  /// The value contains other words besides the name of one day.
  case weekdayAmongWords(Weekday)
  /// The row's frequency has no date on its day; the pool gets this day of the frequency.
  case weekdayOfRule(Weekday)
  /// The row has no day; a new pool gets Monday.
  case noDay
  /// The row has more cells than the header.
  case moreCells
  /// The row's values are added to the pool of an earlier row.
  case repeats(row: Int)
  /// The row's values are added to the pool of an earlier row, except these columns, in which the rows differ.
  case contradicts(row: Int, columns: [String])
  /// The row has the customer and address of an earlier row but another body of water, which becomes a separate pool.
  case anotherBody(row: Int)
  /// An existing pool with this street and no town is assumed to be the row's, and gets the full address.
  case completesAddress
  /// The frequency is not weekly, and unknown or without its weekdays. The pool keeps its dates, a new one is served every
  /// week; the frequency is stored in the notes.
  case otherFrequency
  /// The pool moves to another weekday, but the row has no frequency: the pool keeps this rule of dates, without that weekday.
  case ruleStays(String)
  /// The frequency is read as this rule of dates.
  case frequency(String)
  /// The status of the customer is unknown; the row is imported.
  case unknownStatus
}

/// A warning about a customers file as a whole. `Localizer.words(of:)` has the text in each language.
package enum CSVWarning: Hashable, Sendable {
  /// The headings of columns that are ignored.
  case unusedColumns([String])
  /// The number of new pools that get Monday, because the file has no column of days.
  case noDayColumn(Int)
  /// The number of rows with an inactive customer, which are skipped.
  case inactiveRows(Int)
  /// The heading of the volumes has no unit; the team's litres are assumed.
  case volumesInLitres
  /// The headings are those of poolflow's own export, so volumes are in gallons.
  case volumesInGallons
  /// Commas are decimal separators, and points separate thousands.
  case decimalComma
  /// Fees are in the file's currency (an ISO 4217 code), which is not the team's.
  case otherCurrency(String, team: Currency)
  /// Days are numbers, with 1 for Sunday.
  case numericDays
}

/// A warning about an archive that can still be imported. `Localizer.words(of:)` has the text in each language.
package enum ArchiveWarning: Hashable, Sendable {
  /// Equipment without an existing pool is ignored: the first number out of the second.
  case equipmentOfNoPool(Int, of: Int)
  /// A pool has several customer profiles; the last one is used.
  case profileTwice(PoolID)
  /// A profile belongs to no pool in the archive.
  case profileOfNoPool(PoolID)
  /// The coordinates of a pool are not a location on Earth.
  case impossibleCoordinates(PoolID)
  /// The profile's `tech:` tag has a reserved name (`Technician.isReserved`).
  case reservedTechnician(PoolID)
  /// The photo of a visit is missing.
  case photoMissing(ServiceEventID)
  /// Visits dated in the future, which are imported; the day of the last one is in UTC.
  case futureVisits(Int, last: CivilDate)
  /// The manifest's number of records differs from the number found.
  case countDiffers(name: String, claimed: Int, found: Int)
  /// A photo belongs to no visit and is ignored.
  case photoOfNoVisit(name: String)
  /// A file does not belong to the archive format and is ignored.
  case foreign(name: String)
  /// A field contains control characters, which are removed.
  case controlCharacters(file: String, record: Int, field: String)
  /// The archive does not have free chlorine and salt: this number of visits keep their present readings.
  case sanitiserKept(Int)
  /// This number of pools have another weekday in the archive, but keep their rules of dates.
  case rulesStay(Int)
  /// The number of further warnings that are not listed.
  case more(Int)
}
