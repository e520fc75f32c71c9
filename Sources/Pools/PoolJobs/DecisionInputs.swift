import FlowCalendar
import FlowModel
package import FlowNotices
package import FlowWork
package import PoolDigests
import PoolModel

/// Inputs of a decision, and the routes that its notice showed; `why` explains decisions from these.
package struct DecisionInputs: DecisionExplanation {
  let scenario: NoticeScenario
  private let moment: DigestMoment
  package let facts: TeamFacts
  /// Routes shown in the notice, to which later notices compare their own.
  private let routes: [SentRoute]
  package let digest: (any PagedDigest)?
  package let personal: [PersonalDecision]

  /// - Parameter digest: the route digest of the notice; nil if it has none.
  package init(
    scenario: NoticeScenario, moment: DigestMoment, facts: TeamFacts, routes: [SentRoute],
    digest: MorningDigest? = nil, personal: [PersonalDecision] = []
  ) {
    self.scenario = scenario
    self.moment = moment
    self.facts = facts
    self.routes = routes
    self.digest = digest
    self.personal = personal
  }

  /// Local date of the decision.
  private var date: CivilDate { moment.date }

  /// The doses of the route whose amount by the app's rule differs from the carbonate equilibrium's, by number of the stop.
  private var doseTexts: [String] {
    guard let digest = digest as? MorningDigest else { return [] }
    var team = facts.team
    team.language = .english
    return digest.doseTexts(Localizer(team))
  }

  /// The number of recurring works that the route's stops list as due; nil for none.
  private var workText: String? {
    guard let digest = digest as? MorningDigest else { return nil }
    var due = 0
    for section in digest.sections {
      for stop in section.stops { due += stop.attention.count { $0.kind == .workDue } }
    }
    return due > 0 ? "\(due) recurring \(due == 1 ? "work" : "works") due" : nil
  }

  package var changesSeen: Int? { facts.changesSeen }
  package var record: (any TradeRecord)? { routes.isEmpty ? nil : SentRoutes(routes) }

  /// Summary for `why`: `Mon 2026-03-02: 2 pools; 1 of 7 chemicals low; notifications on, morning summary on`. It contains
  /// counts and switches; the only names are those of technicians who got no personal notice.
  package var words: String {
    var parts: [String] = []
    for days in scenario.facts.listedDays {
      let date = date.adding(days: days)
      let count = facts.stops(on: date).count
      parts.append(
        "\(date.weekday.abbreviation) \(date): \(count) \(count == 1 ? "pool" : "pools")" + facts.changedText(on: date))
    }
    if let off = facts.daysOff.closure(on: date) { parts.append("closed" + (off.note.isEmpty ? "" : " (\(off.note))")) }
    let counts = scenario.countsText(facts)
    if !counts.isEmpty { parts.append(counts) }
    let figures = scenario.figuresText(facts, moment)
    if !figures.isEmpty { parts.append(figures) }
    if let workText { parts.append(workText) }
    parts += doseTexts
    let notifications = "notifications \(NoticeScenario.onOff(facts.team.settings.notificationsEnabled))"
    let switches = scenario.switchesText(facts)
    parts.append(switches.isEmpty ? notifications : "\(notifications), \(switches)")
    parts += PersonalDecision.words(of: personal, ("technician", "technicians"))
    return parts.joined(separator: "; ")
  }
}

extension TeamFacts {
  /// The changed stops of a date: `, 2 moved here, 1 moved away, 1 skipped, 3 with another technician`; empty for none.
  fileprivate func changedText(on date: CivilDate) -> String {
    guard !services.isWeekly else { return "" }
    let changed = stops(on: date).compactMap(\.changed)
    let here = changed.count { $0.origin != date }
    let counts = [
      (here, "moved here"), (services.pools.count { services[$0]?.movedStop(from: date) != nil }, "moved away"),
      (services.pools.count { services[$0]?.skippedStop(on: date) != nil }, "skipped"),
      (changed.count - here, "with another technician"),
    ]
    return counts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
  }
}
