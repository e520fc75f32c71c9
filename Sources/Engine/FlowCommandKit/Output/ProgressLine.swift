internal import FlowModel
internal import FlowPlatform
internal import Glibc
internal import Synchronization

/// A progress line at the bottom of a terminal for work of more than a second, updated in place and removed at the end. Nothing
/// is shown if standard error is not a terminal or a program reads the answer.
///
/// Used only from the main thread of `pfctl`.
package final class ProgressLine {
  private let label: String
  private let console: Console
  private var began = ContinuousClock.now
  private var shownAt: ContinuousClock.Instant?

  /// - Parameter label: the work, such as `putting 10,000 stops in order`.
  package init(_ label: String, _ console: Console) {
    self.label = shortened(visible(label), to: 40)
    self.console = console
  }

  /// Shows the progress.
  ///
  /// - Parameter unit: the unit of both numbers, such as `runs`; bytes if nil.
  package func advance(to count: Int, of total: Int, unit: String? = nil) {
    guard isDue else { return }
    let rate = Int(Double(count) / (began.duration(to: .now) / .seconds(1)))
    let speed = unit.map { "\(TextFormat.grouped(rate)) \($0)" } ?? sizeText(rate)
    show("\(Self.text(label, done: count, of: total))  \(speed)/s")
  }

  /// Shows the elapsed time, for work of unknown length.
  package func tick() {
    guard isDue else { return }
    show("\(label), \(TextFormat.duration(seconds: began.duration(to: .now) / .seconds(1))) …")
  }

  /// Shows progress that was reported by the daemon.
  package func report(_ work: String, done: Int, of total: Int) {
    guard isDue else { return }
    show(Self.text(visible(work), done: done, of: total))
  }

  /// Removes the line. The next piece of work appears again only after a second.
  package func end() {
    if shownAt != nil { console.progress("") }
    shownAt = nil
    began = .now
  }

  /// Limits updates to ten a second.
  private var isDue: Bool {
    let now = ContinuousClock.now
    guard console.showsProgress, began.duration(to: now) > .seconds(1) else { return false }
    return shownAt.map { $0.duration(to: now) >= .milliseconds(100) } ?? true
  }

  private func show(_ text: String) {
    shownAt = .now
    console.progress(shortened(text, to: console.notesWidth - 1))
  }

  private static func text(_ work: String, done: Int, of total: Int) -> String {
    guard total > 0 else { return work + (done > 0 ? ", \(TextFormat.grouped(done)) done …" : " …") }
    let fraction = min(1, Double(done) / Double(total))
    let filled = Int(fraction * 20)
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
    return "\(work)  [\(bar)]  \(Int(fraction * 100)) %"
  }
}

extension Console {
  /// Runs `work`, a computation without I/O that takes seconds, on another thread; a terminal shows the elapsed time.
  package func showingProgress<Result: Sendable>(_ label: String, _ work: @escaping @Sendable () -> Result) -> Result {
    guard showsProgress else { return work() }
    let box = ResultBox<Result>()
    do {
      try SystemThread.start { box.put(work()) }
    } catch {
      // If no thread can be started, run the work here without progress.
      return work()
    }
    let line = ProgressLine(label, self)
    defer { line.end() }
    while true {
      if let result = box.stored { return result }
      line.tick()
      poll(nil, 0, 20)
    }
  }
}

/// A value passed from one thread to another.
private final class ResultBox<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func put(_ result: Value) { value.withLock { $0 = result } }

  var stored: Value? { value.withLock { $0 } }
}
