package import PoolNotices

// Of routes and stock.
extension Silence {
  package static let noStopsToday = Silence(
    "no-stops-today", "no pool is scheduled today",
    remedy: Remedy("pfctl pool list --team {team}", "shows which pool has which day"))
  package static let noStopsTomorrow = Silence(
    "no-stops-tomorrow", "no pool is scheduled tomorrow",
    remedy: Remedy("pfctl pool list --team {team}", "shows which pool has which day"))
  package static let stockFine = Silence("stock-fine", "no chemical is below its threshold")
  package static let morningSummaryEnabled = Silence(
    "morning-summary-enabled",
    "the morning summary is enabled and carries the low stock instead: at most one operational notice a day",
    remedy: Remedy("pfctl why morning-summary --team {team}", "the notice that speaks in its place"))
}
