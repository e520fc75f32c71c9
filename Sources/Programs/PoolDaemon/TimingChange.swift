import PoolWork
import PoolCalendar
import PoolControl
import PoolJobs
import PoolModel

/// What somebody typed to choose when a job is due, read for one kind and one team.
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

  static func key(_ text: String) throws(ControlError) -> JobTiming.Key {
    if let key = JobTiming.Key(rawValue: text) { return key }
    let known = JobTiming.Key.allCases.map(\.rawValue)
    throw ControlError.badValue(
      field: "key", value: text,
      why: Suggestion.nearest(to: text, among: known).map { "there is no such value; did you mean '\($0)'?" }
        ?? "there are \(known.joined(separator: ", "))")
  }

  /// - Throws: `ControlError` that names the value; then none is taken.
  func applied(_ changes: [JobChangeView], to own: JobTiming) throws(ControlError) -> JobTiming {
    var timing = own
    var seen: Set<JobTiming.Key> = []
    for change in changes {
      let key = try Self.key(change.key)
      guard seen.insert(key).inserted else {
        throw ControlError.badValue(field: key.rawValue, value: change.value, why: "it is given twice")
      }
      guard key != .rule else { continue }
      try refuseWhereFixed(key, change.value)
      guard timing.set(key, change.value) else {
        throw ControlError.badValue(field: key.rawValue, value: change.value, why: key.expected)
      }
    }
    // The rule last: what becomes of it when clocks change may be chosen beside it.
    for change in changes where change.key == JobTiming.Key.rule.rawValue {
      timing.rule = try rule(change.value, policy: timing.policy)
    }
    return timing
  }

  /// A job that goes by an instant of its own has neither a rule nor a time to catch up.
  private func refuseWhereFixed(_ key: JobTiming.Key, _ value: String) throws(ControlError) {
    if let reminder = kind.reminderName, key == .rule {
      throw ControlError.badValue(
        field: key.rawValue, value: value,
        why: "a reminder has its rule of itself; `pfctl reminder set \(reminder) --team \(team.name) rule=…` changes it"
      )
    }
    if key == .closed, kind.decision?.closedDays == nil {
      throw ControlError.badValue(
        field: key.rawValue, value: value, why: "\(kind.rawValue) is the same on every day, closed or not")
    }
    guard kind.catchUp == .untilDeadline, key != .jitter else { return }
    throw ControlError.badValue(
      field: key.rawValue, value: value,
      why: "\(kind.rawValue) goes by the end of the team's trial and nothing else; `pfctl team plan` sets that")
  }

  private func rule(_ text: String, policy: DaylightPolicy) throws(ControlError) -> String {
    try refuseWhereFixed(.rule, text)
    do throws(RuleRefusal) {
      return try CalendarRule(ofJob: text, in: zone, now: now, policy: policy).expression.description
    } catch {
      throw ControlError.badValue(
        field: "rule", value: text,
        why: "\(error); `pfctl calendar` tries a rule, `pfctl help calendar` has the language")
    }
  }
}

/// When and how a job is due, and who said so: what `pfctl job show` tells.
struct TimingAccount {
  let words: String
  let settings: [JobSettingView]
  let notes: [String]

  /// - Parameters:
  ///   - plan: what holds, all choices considered.
  ///   - own: what the team chose.
  ///   - defaults: what the settings say of the kind.
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
          "the team's own time, morning-time \(team.settings.morningTime), does not hold while the job has a rule of "
            + "its own; `pfctl job reset \(kind.rawValue) rule --team \(team.name)` gives it back")
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

  /// What the kind does of itself.
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
