package import FlowModel

extension CalendarExpression {
  /// Number of clock times per day, 1 to 86,400.
  package var timesOfDay: Int {
    parts.hour.mask(.hour).nonzeroBitCount * parts.minute.mask(.minute).nonzeroBitCount
      * parts.second.mask(.second).nonzeroBitCount
  }
}

/// Reason why a valid rule cannot be used for a job.
package enum RuleRefusal: Error, Hashable, CustomStringConvertible {
  case unreadable(CalendarError)
  case unreadableCron(CronError)
  /// A cron line without the `cron:` prefix.
  case unmarkedCron(CronLine)
  case zoned(String)
  case neverComes
  case isOver(last: Occurrence)
  case tooOften(Int)

  package var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .unreadableCron(let error): "\(error)"
    case .unmarkedCron(let line): "it is a line of cron; write it after cron:, or as '\(line.rule)'"
    case .zoned(let zone): "a job's rule uses its team's time zone; leave the zone '\(zone)' out"
    case .neverComes: "no date matches this rule"
    case .isOver(let last): "this rule has no future date; the last one was \(last.nominal.date) \(last.nominal.time)"
    case .tooOften(let times):
      "it is due \(times) times a day, the limit for a job is \(Limits.slotsPerDay); name minutes and leave the seconds out"
    }
  }
}

extension CalendarExpression {
  /// Parses an expression as users write it: calendar syntax, or a cron line after `cron:`.
  ///
  /// - Throws: `RuleRefusal` if the text cannot be parsed.
  package init(written text: String) throws(RuleRefusal) {
    if text.lowercased().hasPrefix("cron:") {
      do throws(CronError) { self = try CronLine(String(text.dropFirst(5))).rule } catch {
        throw .unreadableCron(error)
      }
    } else {
      do throws(CalendarError) { self = try CalendarExpression(text) } catch {
        throw (try? CronLine(text)).map(RuleRefusal.unmarkedCron) ?? .unreadable(error)
      }
    }
  }

  /// Parses the rule of a job.
  ///
  /// - Throws: `RuleRefusal` if the text cannot be parsed, names a zone, matches no date, or has more than `Limits.slotsPerDay`
  ///   times a day. A rule whose dates are all past is accepted.
  package init(ofJob text: String) throws(RuleRefusal) {
    try self.init(written: text)
    if let zoneName { throw .zoned(zoneName) }
    guard timesOfDay <= Limits.slotsPerDay else { throw .tooOften(timesOfDay) }
    guard CalendarRule(self, zone: .utc).next(after: Timestamp(seconds: -1)) != nil else { throw .neverComes }
  }
}

extension CalendarRule {
  /// Parses a job's new rule, which must have a slot after `now`.
  ///
  /// - Throws: `RuleRefusal` as `CalendarExpression.init(ofJob:)` does, or if no slot is left after `now`.
  package init(
    ofJob text: String, in zone: Zone, now: Timestamp, policy: DaylightPolicy = .standard
  ) throws(RuleRefusal) {
    self.init(try CalendarExpression(ofJob: text), zone: zone, policy: policy)
    guard next(after: now) == nil else { return }
    throw previous(before: now.advanced(by: .seconds(1))).map { .isOver(last: $0) } ?? .neverComes
  }
}
