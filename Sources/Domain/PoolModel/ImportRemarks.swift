/// Why a row of a customers file, or one value of it, does not count. The words are a language's: `Speech.words(of:)`.
package enum RowFault: Hashable, Sendable {
  case empty
  /// The row is left out for it, or this value alone.
  case tooLong(TextRule, leavesOutRow: Bool)
  /// With what is known already.
  case tooLongTogether(TextRule)
  case controlCharacters
  case noFee
  case noVolume
  case noWeekday
  /// What a latitude or a longitude may be.
  case noDegrees(ClosedRange<Double>)
  /// What any other number may be.
  case noNumber(ClosedRange<Double>)
  /// A known pool has other readings than the row: they come from visits.
  case readingsStay
  /// No pool has this customer and address, and a list of profiles makes none.
  case noSuchPool
  /// `Technician.isReserved`.
  case reservedTechnician
  /// Exactly three digits behind the only mark, and nothing in the file says which mark is the decimal one.
  case ambiguousNumber
  /// Of two meanings of a volume the only usual one was taken, in US gallons.
  case decidedVolume(Double)
  /// A volume is taken though it is below the app's least, in US gallons.
  case smallVolume(least: Double)
  /// A volume is left out because no pool is so small, in US gallons.
  case tinyVolume(least: Double)
  /// The fee is for a visit or something else that is no month, and is left out.
  case feeNotMonthly
  /// The first of several days is used, as a pool has one.
  case severalWeekdays(Weekday)
  /// Other words beside the name of one day.
  case weekdayAmongWords(Weekday)
  /// A new pool is put on Monday.
  case noDay
  case moreCells
  /// The row is added to the pool of an earlier row.
  case repeats(row: Int)
  /// The same, without these columns, which the earlier row has otherwise.
  case contradicts(row: Int, columns: [String])
  /// The same customer and address with another body of water, which is a pool of its own.
  case anotherBody(row: Int)
  /// A known pool with this street and no town is taken for the row's, and gets the whole address.
  case completesAddress
  /// Pools are visited every week; the frequency is kept in the notes.
  case otherFrequency
  /// The row is taken.
  case unknownStatus
}

/// What an import says about a customers file as a whole. The words are a language's: `Speech.words(of:)`.
package enum CSVRemark: Hashable, Sendable {
  /// Their headings.
  case unusedColumns([String])
  /// So many new pools are put on Monday.
  case noDayColumn(Int)
  case inactiveRows(Int)
  /// The heading of the volumes names no unit, and the team's is used.
  case volumesInLitres
  /// The headings are those of our own export, whose volumes are gallons.
  case volumesInGallons
  /// Points are read as marks of thousands.
  case decimalComma
  /// Fees are in the file's money, by its ISO 4217 code, which is not the team's.
  case otherCurrency(String, team: Currency)
  /// Days are numbers, of which 1 is Sunday.
  case numericDays
}

/// What is doubtful in an archive that can be used all the same. The words are a language's: `Speech.words(of:)`.
package enum ArchiveRemark: Hashable, Sendable {
  /// Equipment of pools that are not there is left out: so many of so many.
  case equipmentOfNoPool(Int, of: Int)
  case profileTwice(PoolID)
  case profileOfNoPool(PoolID)
  case impossiblePlace(PoolID)
  /// The profile's tag names a technician as nobody can be called: `Technician.isReserved`.
  case reservedTechnician(PoolID)
  case photoMissing(ServiceEventID)
  /// So many visits are dated later than now, the last of them on this day, UTC: they are kept.
  case visitsAhead(Int, last: CivilDate)
  case countDiffers(name: String, claimed: Int, found: Int)
  case photoOfNoVisit(name: String)
  case foreign(name: String)
  case controlCharacters(file: String, record: Int, field: String)
  /// So many more than are told.
  case more(Int)
}
