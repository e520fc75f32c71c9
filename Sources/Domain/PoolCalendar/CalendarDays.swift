package import PoolModel

extension Zone {
  /// The instant `days` calendar days after `instant` at the same local time, the standard policy at clock changes;
  /// milliseconds are kept.
  ///
  /// Example: in New York, 7 days after 2026-03-05 08:00 EST is 2026-03-12 08:00 EDT, 167 hours later.
  package func sameTime(_ days: Int, daysAfter instant: Timestamp) -> Timestamp {
    let local = local(at: instant)
    return resolve(LocalDateTime(date: local.date.adding(days: days), time: local.time)).standard
      .advanced(by: .milliseconds(instant.millisecondOfSecond))
  }
}
