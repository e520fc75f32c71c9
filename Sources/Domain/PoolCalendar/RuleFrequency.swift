package import PoolModel

extension CalendarExpression {
  /// How many clock times a day of the rule has, 1 to 86,400.
  package var timesOfDay: Int {
    parts.hour.mask(.hour).nonzeroBitCount * parts.minute.mask(.minute).nonzeroBitCount
      * parts.second.mask(.second).nonzeroBitCount
  }
}

/// Why a rule that can be read may not be a job's.
package enum RuleRefusal: Error, Hashable, CustomStringConvertible {
  case unreadable(CalendarError)
  case unreadableCron(CronError)
  /// A line of cron without its mark.
  case unmarkedCron(CronLine)
  case zoned(String)
  case neverComes
  case isOver(last: Occurrence)
  case tooOften(Int)

  package var description: String {
    switch self {
    case .unreadable(let error): "\(error)"
    case .unreadableCron(let error): "\(error)"
    case .unmarkedCron(let line): "it is a line of cron; write it behind cron:, or as '\(line.rule)'"
    case .zoned(let zone): "a job's rule goes by its team's clocks; leave the zone '\(zone)' out"
    case .neverComes: "no date ever fits this rule"
    case .isOver(let last): "this rule never comes again; the last time was \(last.nominal.date) \(last.nominal.time)"
    case .tooOften(let times):
      "it falls \(times) times a day, and a job may fall \(Limits.slotsPerDay) times; name minutes and leave the seconds out"
    }
  }
}

extension CalendarExpression {
  /// An expression as people write it: in our language, or as a line of cron behind `cron:`.
  ///
  /// - Throws: `RuleRefusal` for what cannot be read.
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

  /// An expression that somebody sets for a job.
  ///
  /// - Throws: `RuleRefusal` for what cannot be read, names a zone, has no date that exists or comes more than
  ///   `Limits.slotsPerDay` times a day. What was once and never comes again is no mistake of what is written.
  package init(ofJob text: String) throws(RuleRefusal) {
    try self.init(written: text)
    if let zoneName { throw .zoned(zoneName) }
    guard timesOfDay <= Limits.slotsPerDay else { throw .tooOften(timesOfDay) }
    guard CalendarRule(self, zone: .utc).next(after: Timestamp(seconds: -1)) != nil else { throw .neverComes }
  }
}

extension CalendarRule {
  /// A rule that somebody sets for a job, from now on.
  ///
  /// - Throws: `RuleRefusal` for what the expression cannot be, and for what never comes.
  package init(
    ofJob text: String, in zone: Zone, now: Timestamp, policy: DaylightPolicy = .standard
  ) throws(RuleRefusal) {
    self.init(try CalendarExpression(ofJob: text), zone: zone, policy: policy)
    guard next(after: now) == nil else { return }
    throw previous(before: now.advanced(by: .seconds(1))).map { .isOver(last: $0) } ?? .neverComes
  }
}
