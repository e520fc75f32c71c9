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
  /// `Technician.isReserved`.
  case reservedTechnician
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
  case countDiffers(name: String, claimed: Int, found: Int)
  case photoOfNoVisit(name: String)
  case foreign(name: String)
  case controlCharacters(file: String, record: Int, field: String)
  /// So many more than are told.
  case more(Int)
}
