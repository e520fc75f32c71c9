import FlowCalendar
package import FlowModel
package import FlowNotices
package import FlowWork

/// The hives of a team that are due for inspection: the content of the notice, and its page.
package struct HivesDue: PagedDigest, NoticeDetails {
  package static let identifier = "poolflow.notification.hivesDue"

  package let hives: [String]
  package let team: String

  /// - Parameter date: hives whose next inspection is on this local date or before are due.
  package init(_ hives: [Hive], of team: String, on date: CivilDate) {
    self.hives = hives.filter { $0.inspection <= date }.map(\.name)
    self.team = team
  }

  /// Reads the data of a notice; nil for the notice of another kind.
  package init?(_ notice: Notice) {
    guard notice.identifier == Self.identifier,
      let read = try? UntrustedJSON.decode(HivesDue.self, from: Array(notice.dataJSON.utf8))
    else { return nil }
    self = read
  }

  package var document: Document {
    Document(
      language: Language.english.rawValue, title: "Inspections · \(team)",
      blocks: [hives.isEmpty ? .paragraph(.init("No hive is due.")) : .list(hives.map { .init($0) })], footer: [""])
  }
  package var page: [UInt8] { Array(document.html.utf8) }

  package func document(access: [String: AccessData]) -> Document { document }

  package func members(_ json: inout JSONText) {
    json.member("hives", hives)
    json.member("team", team)
  }

  var notice: NoticeDraft {
    var json = JSONText()
    json.object(self)
    return NoticeDraft(
      identifier: Self.identifier, title: "Inspections", body: countText(hives.count, "hive") + " due", lines: hives,
      dataJSON: String(decoding: json.bytes, as: UTF8.self), kept: self)
  }
}

/// The facts of a team that decide about its inspections.
package struct HiveFacts: DecisionFacts {
  package let team: Team
  package let hives: [Hive]
  package var changesSeen: Int?

  package init(team: Team, hives: [Hive]) { (self.team, self.hives) = (team, hives) }

  package var decision: RunDecision {
    { run, zone in
      let moment = JobDecision.moment(of: run, team: team, zone: zone)
      let due = HivesDue(hives, of: team.name, on: moment.date)
      let reason = InspectionDecision().silence(team) ?? (due.hives.isEmpty ? .noHiveDue : nil)
      return JobDecision.outcome(
        of: run, team: team, at: moment, reason.map { .suppressed($0) } ?? .notice(due.notice),
        expires: InspectionDecision().expiry(run.slot, team), account: HiveInputs(self, reason == nil ? due : nil))
    }
  }
}

/// The facts of a decision, for `pfctl why` and the run's record.
private struct HiveInputs: DecisionExplanation {
  let words: String
  let changesSeen: Int?
  let digest: (any PagedDigest)?
  var record: (any TradeRecord)? { nil }

  init(_ facts: HiveFacts, _ due: HivesDue?) {
    (words, changesSeen, digest) = (countText(facts.hives.count, "hive"), facts.changesSeen, due)
  }
}

/// When inspections are announced, and why not.
private struct InspectionDecision: TeamDecision {
  let suppressionReasons: [SuppressionReason] = [.notificationsOff, .disabled, .noHiveDue]
  let wants: Set<Person.Subscription> = []
  let rule: @Sendable (Team, Zone) -> JobRule = { _, _ in .calendar("*-*-* 07:00:00") }
  let expiry: @Sendable (Timestamp, Team) -> Timestamp? = { slot, _ in slot.advanced(by: .hours(16)) }
  let closedDays: JobTiming.ClosedDays? = nil
  let closure: @Sendable (DaysOff, CivilDate) -> DayOff? = { _, _ in nil }

  func silence(_ team: Team) -> SuppressionReason? {
    if !team.settings.notificationsEnabled { return .notificationsOff }
    return team.settings.disabledJobs.contains(JobKind.hiveInspection.rawValue) ? .disabled : nil
  }
}

extension SuppressionReason {
  fileprivate static let noHiveDue = SuppressionReason("no-hive-due", "no hive is due for inspection")
}

extension JobKind {
  /// The hives that are due for inspection.
  package static let hiveInspection = JobKind(
    "hive-inspection", severity: .notice, catchUp: .latest(within: .hours(5)), attemptRules: .notice,
    work: .decision(InspectionDecision()))
}

extension JobCatalogue {
  /// The job kinds of apiaries, and the server's backup.
  package static let apiaries = JobCatalogue(ofTeam: [.hiveInspection], ofServer: [.backup])
}
