/// Why nothing was said. The code goes into the ledger, the sentence to whoever asks why.
package enum Silence: String, Sendable, CaseIterable {
  case notificationsOff = "notifications-off"
  case disabled
  case noStopsToday = "no-stops-today"
  case noStopsTomorrow = "no-stops-tomorrow"
  case stockFine = "stock-fine"
  case morningSummaryEnabled = "morning-summary-enabled"
  case notOnTrial = "not-on-trial"
  case alreadyPast = "already-past"

  package var sentence: String {
    switch self {
    case .notificationsOff: "the team's notifications are switched off"
    case .disabled: "the team has switched this notice off"
    case .noStopsToday: "no pool is scheduled today"
    case .noStopsTomorrow: "no pool is scheduled tomorrow"
    case .stockFine: "no chemical is below its threshold"
    case .morningSummaryEnabled:
      "the morning summary is enabled and carries the low stock instead: at most one operational notice a day"
    case .notOnTrial: "the team is not on a trial"
    case .alreadyPast: "the reminder's instant had passed when the trial was set"
    }
  }
}

/// What a scenario decides: words for people, or a reason for silence.
package enum Decision: Sendable {
  case speak(NoticeDraft)
  case silent(Silence)
}

/// The words of a notice, before it has a run to belong to.
package struct NoticeDraft: Hashable, Sendable {
  package let identifier: String
  package let title: String
  package let body: String
  package let lines: [String]
  package let dataJSON: String

  package init(identifier: String, title: String, body: String, lines: [String] = [], dataJSON: String = "") {
    self.identifier = identifier
    self.title = title
    self.body = body
    self.lines = lines
    self.dataJSON = dataJSON
  }
}
