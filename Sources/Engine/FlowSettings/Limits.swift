import FlowModel

extension Limits {
  /// The time limits that a setting may choose.
  static let sinkTimeoutRange: ClosedRange<Duration> = .seconds(1) ... .seconds(300)
  /// The default of `DueWithin=`: how long a due message may wait before its channel is reported as failed. A morning at
  /// 06:30 is read at 06:35; two minutes cover the first four attempts of the retry ladder, which outlast the restart of a
  /// mail server, and leave the operator three.
  static let postDueWithin: Duration = .minutes(2)
  static let postDueWithinRange: ClosedRange<Duration> = .seconds(1) ... .hours(1)
  /// The time limit of one attempt: enough for a slow relay, short compared with a morning.
  static let postTimeout: Duration = .seconds(30)
  /// The time that a mail server may take to confirm a mail after its last byte; RFC 5321 §4.5.3.2.6 asks clients to wait ten
  /// minutes.
  static let postAnswerTimeout: Duration = .minutes(10)
  static let postAnswerTimeoutRange: ClosedRange<Duration> = .seconds(1) ... .minutes(30)
  /// The default of `FallbackAfter=`: how long a channel may try before its fallback starts.
  static let postFallbackAfter: Duration = .minutes(10)
  static let postFallbackAfterRange: ClosedRange<Duration> = .seconds(1) ... .hours(12)
  /// The oldest PostgreSQL release whose statements, pipelines and connection failures are tested.
  static let oldestPostgresVersion = 14
}
