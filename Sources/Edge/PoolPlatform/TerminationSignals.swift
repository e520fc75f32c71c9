import Dispatch
import Glibc

/// SIGTERM, SIGINT and SIGHUP as values. Made once, before anything else starts, so that none is missed.
package final class TerminationSignals: Sendable {
  package enum Signal: Sendable { case terminate, reload }

  package let events: AsyncStream<Signal>
  // A dispatch source may be cancelled from any thread; nothing else is done with them after init.
  private nonisolated(unsafe) let sources: [any DispatchSourceSignal]

  package init() {
    let (stream, continuation) = AsyncStream<Signal>.makeStream(bufferingPolicy: .bufferingNewest(4))
    events = stream
    // A reader that went away is an error of that write, not the end of the daemon.
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "org.poolflow.signals")
    var made: [any DispatchSourceSignal] = []
    for (number, meaning) in [(SIGTERM, Signal.terminate), (SIGINT, .terminate), (SIGHUP, .reload)] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { continuation.yield(meaning) }
      source.activate()
      made.append(source)
    }
    sources = made
  }

  deinit {
    for source in sources { source.cancel() }
  }
}
