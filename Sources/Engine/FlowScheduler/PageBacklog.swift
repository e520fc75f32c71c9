/// The committed notices whose pages no sink has rendered yet, as far as they are kept in memory.
///
/// The only way in which delivery slows down deciding. It does not bound memory: a full backlog drops further digests. It keeps
/// pages cheap: while deciding is ahead of rendering, on a morning that thousands of teams share, each dropped digest has to be
/// parsed from the stored text, which costs more than rendering it. The runner therefore asks between two batches; the time that
/// it waits is bounded, so an unhealthy sink delays no run for long.
///
/// Measured with `poolflow-bench herd-mornings`, 2,000 teams, three pairs in turn: without the wait the last event is durable after
/// 1.7 to 1.9 times as long (5.6 instead of 3.0 s at best), for 1.3 to 1.7 times the processor time. One owner of prefetching and
/// page-making would need the same wait, and the scheduler would have to know pages.
package protocol PageBacklog: Sendable {
  /// Waits until there is space for the pages of another batch, or for a bounded time. Returns early if cancelled.
  func waitForSpace() async
}
