package import FlowModel

/// Bounds of pool service.
extension Limits {
  /// Photos and bytes up to which an archive is imported in one pass.
  package static let onePassPhotos = 32
  package static let onePassBytes = 8 << 20
  /// Maximum customers listed whose pools a restore or a reset removes; the rest is counted.
  package static let lostPoolCustomersListed = 10
  /// Maximum stops optimised at once: twice the largest day ever measured, in half a minute.
  package static let routeStops = 20_000
  /// Maximum stops of a table of legs: 2,000 are four million numbers, 32 MB.
  package static let routeMatrixStops = 2_000
  /// The limit that a caller may set for a covering technician's working minutes.
  package static let coverMinutes = 30...1_440
  /// The minutes that a caller may allow after an arrival window.
  package static let coverLateMinutes = 0...1_440
  /// Maximum bytes of a file of stops or legs: a table of 2,000 stops with eight characters a number.
  package static let routeFileBytes = 64 << 20
  /// Maximum locations in a team's table of measured travel times: 250,000 numbers, a megabyte in the store.
  package static let routeTableLocations = 500
  /// Maximum pairs in each of the two generations of the travel-time cache, 72 bytes each; 1,000 teams' days of 12 stops are
  /// two million.
  package static let cachedTravelTimes = 2_500_000
  /// The largest multiple of the default search budget that one route search may use.
  package static let maxRouteEffort = 1_000
  /// The newest visits used for a week's or a month's figures: two months of ten thousand pools.
  package static let visitsPerPeriod = 100_000
  /// The pH scale of water.
  package static let pH: ClosedRange<Double> = 0...14
  /// From freezing to a temperature that no plaster, liner or bather withstands.
  package static let waterTempF: ClosedRange<Double> = 32...140
  /// Twice the range of any test kit, for hardness and alkalinity.
  package static let hardnessPPM: ClosedRange<Double> = 0...5_000
  /// Ten times the range of test kits.
  package static let cyanuricAcidPPM: ClosedRange<Double> = 0...1_000
  /// Twice the highest dose of a shock treatment: 40 ppm (CDC, Model Aquatic Health Code, 2023, 6.5.3.2.1).
  package static let freeChlorinePPM: ClosedRange<Double> = 0...100
  /// For comparison: sea water has 35,000.
  package static let saltPPM: ClosedRange<Double> = 0...50_000
  /// For comparison: sea water has 35,000.
  package static let dissolvedSolidsPPM: ClosedRange<Double> = 0...50_000
  /// Up to a tank car; a larger dose or stock is a typing error.
  package static let quantityOz: ClosedRange<Double> = 0...5_000_000
  /// The price of an ounce of a chemical.
  package static let costPerOz: ClosedRange<Double> = 0...1_000
  /// The largest pool known has 66 million.
  package static let volumeGallons: ClosedRange<Double> = 0...100_000_000
  /// The price of a month of service.
  package static let monthlyFee: ClosedRange<Double> = 0...1_000_000
  /// The largest age, in calendar days, of a visit that is typed in; an older date is a typing error.
  package static let visitAgeDays = 3_653
  /// Pools read in one block of the refresh: about 5 ms of the store's time, the longest that other queries wait.
  package static let refreshBlockPools = 4_096
  /// Maximum stops listed first on a page because they need attention; with more, the list would not stand out.
  package static let attentionStopsListed = 6
  /// Maximum missed service days listed on the office's published page; a team on holiday missed all of them.
  package static let missedDaysOnPage = 20
  /// Maximum bytes of a pool's service rule: a pattern with an end and ten exceptions.
  package static let serviceRuleBytes = 200
  /// Maximum pauses of one pool that are not over; holidays of every year are one pause.
  package static let pausesPerPool = 50
  /// The air temperature of a warning of frost, in °C: from deep frost to a cold night.
  package static let freezeWarning: ClosedRange<Double> = -30...10
  /// The rain of a hint, in mm in a working day: from drizzle to a flood.
  package static let rainHint: ClosedRange<Double> = 0.5...203.2
  /// Maximum recurring works of one pool, and of the words of one `visit log --done`.
  package static let worksPerPool = 50
  /// The largest distance in days, ten years, of the first date of recurring work from today; a date beyond it is a typing
  /// error.
  package static let workDateDays = 3_653
  /// Maximum lines about work that was done in a monthly report; the rest is counted.
  package static let workListed = 50
  /// Maximum lines about changes above a changed route; more would push the first stop off a phone's first screen.
  package static let routeChangesShown = 4
  /// Minutes between two notices that today's route has changed.
  package static let changeNoticeMinutes = 15
  /// Days for which changed dates of service and earlier rules are kept: the month report of two years ago still has them.
  package static let serviceChangesRetentionDays = 800
  /// Pages of one commit of the refresh when they are scattered over the file: half a MB on disk.
  package static let refreshCommitPages = 128
  /// Pools of one commit of the refresh when they are adjacent, as after an import: about 5 ms of writing.
  package static let refreshCommitRows = 512
  /// WAL pages at which the refresh runs a checkpoint itself. SQLite would wait for 1,000 pages and then block every query
  /// for all of them at once.
  package static let refreshCheckpointPages = 256
  /// Days searched backwards for the previous route of the same weekday; after a two-month break a comparison is pointless.
  package static let previousRouteDays = 62
  /// Maximum lines about changed water in one digest; `pfctl health` lists all.
  package static let waterChangesListed = 20
  /// The time for which changes of water balance are kept, for the weekly digest and a look back over a month.
  package static let waterChangesRetention: Duration = .hours(31 * 24)
}

/// The ranges of typed water readings, amounts, prices and volumes.
extension NumberRule {
  package static let pH = NumberRule(Limits.pH)
  package static let waterTempF = NumberRule(Limits.waterTempF, unit: " °F")
  package static let hardness = NumberRule(Limits.hardnessPPM, unit: " ppm")
  package static let cyanuricAcid = NumberRule(Limits.cyanuricAcidPPM, unit: " ppm")
  package static let freeChlorine = NumberRule(Limits.freeChlorinePPM, unit: " ppm")
  package static let salt = NumberRule(Limits.saltPPM, unit: " ppm")
  package static let dissolvedSolids = NumberRule(Limits.dissolvedSolidsPPM, unit: " ppm")
  package static let quantity = NumberRule(Limits.quantityOz, unit: " oz")
  package static let costPerOz = NumberRule(Limits.costPerOz, unit: " an ounce")
  package static let monthlyFee = NumberRule(Limits.monthlyFee)
  package static let volume = NumberRule(Limits.volumeGallons, unit: " gallons")
  package static let concentration = NumberRule(0...100, unit: " percent")
}
