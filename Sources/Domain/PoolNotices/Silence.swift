/// Why nothing was said. The code goes into the ledger, the sentence to whoever asks why.
package struct Silence: Hashable, Sendable {
  /// Stable for ever.
  package let code: String
  package let sentence: String
  /// What would end it, in the words of `pfctl`, with `{team}` and `{job}` in their places; nil where nothing needs to.
  package let remedy: Remedy?

  package struct Remedy: Hashable, Sendable {
    package let command: String
    package let effect: String

    package init(_ command: String, _ effect: String) {
      self.command = command
      self.effect = effect
    }
  }

  package init(_ code: String, _ sentence: String, remedy: Remedy? = nil) {
    self.code = code
    self.sentence = sentence
    self.remedy = remedy
  }
}

// Of every team's notices, whatever its trade.
extension Silence {
  package static let notificationsOff = Silence(
    "notifications-off", "the team's notifications are switched off",
    remedy: Remedy("pfctl team set {team} notifications=on", "lets the team's notices out"))
  package static let disabled = Silence(
    "disabled", "the team has switched this notice off",
    remedy: Remedy("pfctl team set {team} {job}=on", "switches this notice on"))
  package static let notOnTrial = Silence(
    "not-on-trial", "the team is not on a trial", remedy: Remedy("pfctl team show {team}", "shows the plan"))
  package static let alreadyPast = Silence(
    "already-past", "the reminder's instant had passed when the trial was set",
    remedy: Remedy("pfctl team show {team}", "shows the plan"))
}

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
