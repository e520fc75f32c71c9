package import FlowCalendar
import FlowModel

extension Limits {
  /// The longest expiry or catch-up window that users may choose.
  static let longestExpiry: Duration = .hours(31 * 24)
}

/// The chosen schedule and options of a job; a nil member means that nothing was chosen.
///
/// A team's own choice wins over the settings for all teams, and the settings win over the kind's default.
package struct JobTiming: Hashable, Sendable {
  /// A calendar expression in normal form, in the team's zone.
  package var rule: String?
  package var catchUp: CatchUp?
  /// The treatment of a local time that a clock change skips.
  package var gap: DaylightPolicy.Gap?
  /// The treatment of a local time that a clock change repeats.
  package var fold: DaylightPolicy.Fold?
  package var jitter: Duration?
  /// The time after its slot for which a notice is still useful.
  package var expiry: Duration?
  package var closed: ClosedDays?

  package init() {}

  /// The job's treatment of its team's closed days.
  package enum ClosedDays: String, Sendable, CaseIterable {
    /// A slot on a closed day sends nothing.
    case observe
    /// A closed day is treated like any other day.
    case ignore
  }

  package static let unchosen = JobTiming()

  package var isEmpty: Bool { self == .unchosen }

  package var policy: DaylightPolicy { DaylightPolicy(gap: gap ?? .after, fold: fold ?? .first) }

  /// This choice, with the members of `other` where this one has nil.
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
  /// The options, named as in `pfctl job set`.
  package enum Key: String, Sendable, CaseIterable {
    case rule
    case catchUp = "catch-up"
    case gap = "dst-gap"
    case fold = "dst-fold"
    case jitter
    case expires
    case closed

    /// The option's name in a `[Job NAME]` section of the settings.
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

    /// The accepted values, for error messages.
    package var expected: String {
      switch self {
      case .rule: "it must be a calendar expression such as 'Fri 16:00', or 'cron: 0 16 * * 5'"
      case .catchUp: "it must be 'latest 5h', 'all 10' (at most \(Limits.slotsPerCatchUp)) or 'none'"
      case .gap: "it must be after or skip: what to do with a clock time that does not exist"
      case .fold: "it must be first, second or both: what to do with a clock time that comes twice"
      case .jitter: "it must be a time from 0 to \(Limits.longestJitter.inWords), such as 90s or 10min"
      case .expires: "it must be a time from 1min to \(Limits.longestExpiry.inWords), such as 5h or 2d"
      case .closed: "it must be observe or ignore: whether the job skips the team's closed days"
      }
    }
  }

  /// The chosen value of an option in the form that `set` reads; nil if nothing is chosen.
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

  /// Sets an option from text; a `rule` is stored without being parsed.
  ///
  /// - Returns: false, with nothing changed, if the text is not valid for this option.
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
      guard let read = Duration(shortText: text), read <= Limits.longestJitter else { return false }
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

  /// Removes the choice of an option.
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

  /// All options except the rule in one line, as the ledger stores them: `catch-up=none; jitter=10min`. Empty if nothing is
  /// chosen.
  package var optionsText: String {
    Key.allCases.filter { $0 != .rule }.compactMap { key in self[key].map { "\(key.rawValue)=\($0)" } }
      .joined(separator: "; ")
  }

  /// Parses `optionsText`; nil if the text is not in that format.
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
  /// `latest 5h`, `all 10` or `none`. `until its end` is shown only; it cannot be chosen.
  package var text: String {
    switch self {
    case .latest(let window): "latest \(window.shortText)"
    case .untilDeadline: "until its end"
    case .all(let limit): "all \(limit)"
    case .none: "none"
    }
  }

  /// Parses a policy as written in `pfctl job set`; nil for `until its end` and for any other text.
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

// MARK: The effective rule

extension JobKind {
  /// Whether users may choose the kind's schedule. Jobs that are due at one given instant, such as the end of a trial, or at
  /// a time from a setting of their own have no calendar rule to replace.
  ///
  /// - Parameter own: the rule that the job has by itself.
  package func allowsCustomRule(_ own: JobRule) -> Bool {
    if case .calendar = own { true } else { false }
  }
}

extension JobPlan {
  /// The plan with the team's own choice merged in.
  package func chosen(_ own: JobTiming) -> JobPlan {
    let timing = own.over(timing)
    guard kind.allowsCustomRule(rule), let text = timing.rule else {
      return JobPlan(kind: kind, rule: rule, timing: timing, settled: settled)
    }
    return JobPlan(kind: kind, rule: .calendar(text), timing: timing, settled: settled)
  }
}
