package import FlowModel

extension Zone {
  /// The instant `days` calendar days after `instant` at the same local time; milliseconds are kept.
  ///
  /// A local time that a clock change skips or repeats resolves by the standard policy (`LocalResolution.standard`). Example:
  /// in New York, 7 days after 2026-03-05 08:00 EST is 2026-03-12 08:00 EDT, 167 hours later.
  package func sameTime(_ days: Int, daysAfter instant: Timestamp) -> Timestamp {
    let local = local(at: instant)
    return resolve(LocalDateTime(date: local.date.adding(days: days), time: local.time)).standard
      .advanced(by: .milliseconds(instant.millisecondOfSecond))
  }
}
