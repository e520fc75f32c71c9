/// A suppression reason: why a run sent no notice. The ledger stores the code; `pfctl why` shows the sentence.
package struct SuppressionReason: Hashable, Sendable {
  /// The stored identifier of the reason; it never changes.
  package let code: String
  package let sentence: String
  /// The command that lets the notice out, and its effect; nil if there is nothing to change.
  package let remedy: Remedy?

  /// A `pfctl` command in which `{team}` and `{job}` are replaced by names, with its effect as a sentence without a subject.
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

// Reasons that any trade may have.
extension SuppressionReason {
  package static let notificationsOff = SuppressionReason(
    "notifications-off", "the team's notifications are switched off",
    remedy: Remedy("pfctl team set {team} notifications=on", "lets the team's notices out"))
  package static let disabled = SuppressionReason(
    "disabled", "the team has switched this notice off",
    remedy: Remedy("pfctl team set {team} {job}=on", "switches this notice on"))
  package static let notOnTrial = SuppressionReason(
    "not-on-trial", "the team is not on a trial", remedy: Remedy("pfctl team show {team}", "shows the plan"))
  package static let alreadyPast = SuppressionReason(
    "already-past", "the time of the reminder had passed when the trial was set",
    remedy: Remedy("pfctl team show {team}", "shows the plan"))
}
