import FlowCalendar
import FlowControl
import FlowModel
import FlowWork

/// New schedule values of one job kind of a team, parsed from text.
struct TimingChange: Sendable {
  private let kind: JobKind
  private let team: Team
  private let zone: Zone
  private let now: Timestamp

  init(of kind: JobKind, team: Team, zone: Zone, now: Timestamp) {
    self.kind = kind
    self.team = team
    self.zone = zone
    self.now = now
  }

  /// Parses a key; a refusal suggests the nearest valid one.
  static func key(_ text: String) throws(ControlError) -> JobTiming.Key {
    if let key = JobTiming.Key(rawValue: text) { return key }
    let known = JobTiming.Key.allCases.map(\.rawValue)
    throw ControlError.badValue(
      field: "key", value: text,
      why: Suggestion.nearest(to: text, among: known).map { "this value does not exist; did you mean '\($0)'?" }
        ?? "there are \(known.joined(separator: ", "))")
  }

  /// The timing with these changes applied.
  ///
  /// - Throws: `ControlError` that names the value; no change is made then.
  func applied(_ changes: [JobChangeView], to own: JobTiming) throws(ControlError) -> JobTiming {
    var timing = own
    var seen: Set<JobTiming.Key> = []
    for change in changes {
      let key = try Self.key(change.key)
      guard seen.insert(key).inserted else {
        throw ControlError.badValue(field: key.rawValue, value: change.value, why: "it is given twice")
      }
      guard key != .rule else { continue }
      try refuseFixedKey(key, change.value)
      guard timing.set(key, change.value) else {
        throw ControlError.badValue(field: key.rawValue, value: change.value, why: key.expected)
      }
    }
    // The rule comes last: the policy for clock changes, by which it is checked, may be set in the same call.
    for change in changes where change.key == JobTiming.Key.rule.rawValue {
      timing.rule = try rule(change.value, policy: timing.policy)
    }
    return timing
  }

  /// Refuses keys that the job kind does not have: a job due at a fixed instant has neither a rule nor a catch-up time.
  private func refuseFixedKey(_ key: JobTiming.Key, _ value: String) throws(ControlError) {
    if let command = kind.ruleCommand, key == .rule {
      throw ControlError.badValue(
        field: key.rawValue, value: value,
        why: "a reminder has its own rule; `\(command) --team \(team.name) rule=…` changes it"
      )
    }
    if key == .closed, kind.decision?.closedDays == nil {
      throw ControlError.badValue(
        field: key.rawValue, value: value, why: "\(kind.rawValue) does not depend on closed days")
    }
    guard kind.catchUp == .untilDeadline, key != .jitter else { return }
    throw ControlError.badValue(
      field: key.rawValue, value: value,
      why: "\(kind.rawValue) depends only on the end of the team's trial; `pfctl team plan` sets that")
  }

  private func rule(_ text: String, policy: DaylightPolicy) throws(ControlError) -> String {
    try refuseFixedKey(.rule, text)
    do throws(RuleRefusal) {
      return try CalendarRule(ofJob: text, in: zone, now: now, policy: policy).expression.description
    } catch {
      throw ControlError.badValue(
        field: "rule", value: text,
        why: "\(error); `pfctl calendar` tests a rule, `pfctl help calendar` explains how to write one")
    }
  }
}

/// When a job is due, and which setting, team or kind decides each value; for `pfctl job show`.
struct TimingExplanation {
  let words: String
  let settings: [JobSettingView]
  let notes: [String]

  /// Explains the effective plan of one job kind.
  ///
  /// - Parameters:
  ///   - plan: the effective plan after all choices.
  ///   - own: the team's choices.
  ///   - defaults: the settings' defaults for this kind.
  init(of plan: JobPlan, team: Team, zone: Zone, own: JobTiming, defaults: JobTiming, now: Timestamp) {
    let kind = plan.kind
    var plain = team
    plain.settings = TeamSettings()
    let isTeamsTime = kind.rule(for: team, zone: zone) != kind.rule(for: plain, zone: zone)
    var notes: [String] = []
    let ruleText: String
    switch plan.rule {
    case .calendar(let text):
      let expression = try? CalendarExpression(text)
      ruleText = expression?.description ?? text
      words = expression?.inWords ?? text
      if let expression {
        notes = expression.warnings(in: zone, after: now, policy: plan.timing.policy).map(\.description)
      }
      if own.rule != nil, isTeamsTime {
        notes.append(
          "the team's own time, morning-time \(team.settings.morningTime), has no effect while the job has a rule of "
            + "its own; `pfctl job reset \(kind.rawValue) rule --team \(team.name)` removes that rule")
      }
    case .once(let instant):
      ruleText = "once"
      words = "once, \(zone.dateText(at: instant))"
    case .never:
      ruleText = "never"
      words = "never by itself"
    }
    self.notes = notes
    let kinds = Self.own(kind, team: team, now: now)
    settings = JobTiming.Key.allCases.map { key in
      if key == .rule {
        let origin: OriginView = own.rule != nil || isTeamsTime ? .team : plan.timing.rule != nil ? .settings : .kind
        return JobSettingView(key: key.rawValue, value: ruleText, origin: origin)
      }
      if let value = own[key] { return JobSettingView(key: key.rawValue, value: value, origin: .team) }
      if let value = defaults[key] { return JobSettingView(key: key.rawValue, value: value, origin: .settings) }
      return JobSettingView(key: key.rawValue, value: kinds[key] ?? "", origin: .kind)
    }
  }

  /// The values that the job kind has by default.
  private static func own(_ kind: JobKind, team: Team, now: Timestamp) -> [JobTiming.Key: String] {
    let expiry = kind.decision?.expiry(now, team)
    let isFixed = kind.catchUp == .untilDeadline
    return [
      .catchUp: kind.catchUp.text, .gap: DaylightPolicy.standard.gap.rawValue,
      .fold: DaylightPolicy.standard.fold.rawValue, .jitter: Duration.zero.shortText,
      .closed: kind.decision?.closedDays?.rawValue ?? "",
      .expires: isFixed ? "at its end" : expiry.map { $0.since(now).shortText } ?? "",
    ]
  }
}
