/// The committed notices whose pages no sink has rendered yet, as far as they are kept in memory.
///
/// The only way in which delivery slows down deciding. It does not bound memory: a full backlog drops further digests. It keeps
/// pages cheap: while deciding is ahead of rendering, on a morning that thousands of teams share, each dropped digest has to be
/// parsed from the stored text, which costs more than rendering it. The runner therefore asks between two batches; the time that
/// it waits is bounded, so an unhealthy sink delays no run for long.
package protocol PageBacklog: Sendable {
  /// Waits until there is space for the pages of another batch, or for a bounded time. Returns early if cancelled.
  func waitForSpace() async
}
