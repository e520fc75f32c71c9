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
