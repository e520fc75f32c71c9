package import PoolCalendar
import PoolModel

/// When a job is due and how, as somebody chose it; nil where nobody did.
///
/// A team's own choice stands over what the settings say of the kind for all teams, and that over the kind's own.
package struct JobTiming: Hashable, Sendable {
  /// A calendar expression in normal form, in the team's zone.
  package var rule: String?
  package var catchUp: CatchUp?
  /// What becomes of a clock time that does not exist, and of one that comes twice.
  package var gap: DaylightPolicy.Gap?
  package var fold: DaylightPolicy.Fold?
  package var jitter: Duration?
  /// How long after its slot a notice is still worth reading.
  package var expiry: Duration?
  package var closed: ClosedDays?

  package init() {}

  /// What the job makes of its team's closed days.
  package enum ClosedDays: String, Sendable, CaseIterable {
    /// Nobody works then.
    case observe
    /// They are days like any other.
    case ignore
  }

  package static let unchosen = JobTiming()

  package var isEmpty: Bool { self == .unchosen }

  package var policy: DaylightPolicy { DaylightPolicy(gap: gap ?? .after, fold: fold ?? .first) }

  /// This choice, with `other` where it makes none.
  package func over(_ other: JobTiming) -> JobTiming {
    var timing = self
    timing.rule = rule ?? other.rule
    timing.catchUp = catchUp ?? other.catchUp
    timing.gap = gap ?? other.gap
    timing.fold = fold ?? other.fold
    timing.jitter = jitter ?? other.jitter
    timing.expiry = expiry ?? other.expiry
    timing.closed = closed ?? other.closed
    return timing
  }
}

// MARK: Words

extension JobTiming {
  /// What may be chosen, in the words of `pfctl job set`.
  package enum Key: String, Sendable, CaseIterable {
    case rule
    case catchUp = "catch-up"
    case gap = "dst-gap"
    case fold = "dst-fold"
    case jitter
    case expires
    case closed

    /// `[Job NAME]` calls it so.
    package var settingsName: String {
      switch self {
      case .rule: "Rule"
      case .catchUp: "CatchUp"
      case .gap: "DaylightGap"
      case .fold: "DaylightFold"
      case .jitter: "Jitter"
      case .expires: "Expires"
      case .closed: "Closed"
      }
    }

    /// What it takes, for refusals.
    package var expected: String {
      switch self {
      case .rule: "it is a calendar expression such as 'Fri 16:00', or 'cron: 0 16 * * 5'"
      case .catchUp: "it is 'latest 5h', 'all 10' (at most \(Limits.slotsPerCatchUp)) or 'none'"
      case .gap: "it is after or skip: what becomes of a clock time that does not exist"
      case .fold: "it is first, second or both: what becomes of a clock time that comes twice"
      case .jitter: "it is a time from 0 to \(Limits.longestSpread.inWords), such as 90s or 10min"
      case .expires: "it is a time from 1min to \(Limits.longestExpiry.inWords), such as 5h or 2d"
      case .closed: "it is observe or ignore: what the job makes of the team's closed days"
      }
    }
  }

  /// The chosen value of a key, as it is written; nil where there is none.
  package subscript(key: Key) -> String? {
    switch key {
    case .rule: rule
    case .catchUp: catchUp?.text
    case .gap: gap?.rawValue
    case .fold: fold?.rawValue
    case .jitter: jitter?.shortText
    case .expires: expiry?.shortText
    case .closed: closed?.rawValue
    }
  }

  /// Chooses a value; `rule` as it is, unread.
  ///
  /// - Returns: false where the text is no value of this key; nothing is changed then.
  package mutating func set(_ key: Key, _ text: String) -> Bool {
    switch key {
    case .rule: rule = text
    case .catchUp:
      guard let read = CatchUp(text: text) else { return false }
      catchUp = read
    case .gap:
      guard let read = DaylightPolicy.Gap(rawValue: text) else { return false }
      gap = read
    case .fold:
      guard let read = DaylightPolicy.Fold(rawValue: text) else { return false }
      fold = read
    case .jitter:
      guard let read = Duration(shortText: text), read <= Limits.longestSpread else { return false }
      jitter = read
    case .expires:
      guard let read = Duration(shortText: text), (.minutes(1)...Limits.longestExpiry).contains(read) else {
        return false
      }
      expiry = read
    case .closed:
      guard let read = ClosedDays(rawValue: text) else { return false }
      closed = read
    }
    return true
  }

  package mutating func clear(_ key: Key) {
    switch key {
    case .rule: rule = nil
    case .catchUp: catchUp = nil
    case .gap: gap = nil
    case .fold: fold = nil
    case .jitter: jitter = nil
    case .expires: expiry = nil
    case .closed: closed = nil
    }
  }

  /// All but the rule in one line, `catch-up=none; jitter=10min`: what the ledger keeps of a job. Empty for none.
  package var optionsText: String {
    Key.allCases.filter { $0 != .rule }.compactMap { key in self[key].map { "\(key.rawValue)=\($0)" } }
      .joined(separator: "; ")
  }

  /// Reads `optionsText`; nil for what it never writes.
  package init?(optionsText text: String) {
    self.init()
    guard !text.isEmpty else { return }
    for part in text.split(separator: ";") {
      let pair = trimmingSpaces(part).split(separator: "=", maxSplits: 1)
      guard pair.count == 2, let key = Key(rawValue: String(pair[0])), key != .rule, set(key, String(pair[1])) else {
        return nil
      }
    }
  }
}

extension CatchUp {
  /// `latest 5h`, `all 10`, `none`; `until its end` cannot be chosen.
  package var text: String {
    switch self {
    case .latest(let window): "latest \(window.shortText)"
    case .untilDeadline: "until its end"
    case .all(let limit): "all \(limit)"
    case .none: "none"
    }
  }

  init?(text: String) {
    let words = text.split(separator: " ")
    switch (words.first, words.count) {
    case ("none", 1): self = .none
    case ("latest", 2):
      guard let window = Duration(shortText: words[1]), window > .zero, window <= Limits.longestExpiry else {
        return nil
      }
      self = .latest(within: window)
    case ("all", 2):
      guard let limit = Int(words[1]), (1...Limits.slotsPerCatchUp).contains(limit) else { return nil }
      self = .all(limit: limit)
    default: return nil
    }
  }
}

// MARK: Which rule holds

extension JobKind {
  /// Whether somebody may choose when it is due: what goes by an instant of its own, such as the end of a trial, or by a
  /// setting of its own has no calendar.
  package func takesRule(_ own: JobRule) -> Bool {
    if case .calendar = own { true } else { false }
  }
}

extension JobPlan {
  /// The plan with what a team chose itself.
  package func chosen(_ own: JobTiming) -> JobPlan {
    let timing = own.over(timing)
    guard kind.takesRule(rule), let text = timing.rule else {
      return JobPlan(kind: kind, rule: rule, timing: timing, settled: settled)
    }
    return JobPlan(kind: kind, rule: .calendar(text), timing: timing, settled: settled)
  }
}
