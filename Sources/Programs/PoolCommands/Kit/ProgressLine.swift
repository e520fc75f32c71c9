internal import Glibc
internal import PoolModel
internal import PoolPlatform
internal import Synchronization

/// One line at the bottom of a terminal for what takes longer than a second. It is written anew as the work goes on, and
/// gone when it ends; where nobody watches standard error, or a program reads the answer, there is none.
///
/// Used from the one thread of `pfctl`.
final class ProgressLine {
  private let label: String
  private let console: Console
  private var began = ContinuousClock.now
  private var shownAt: ContinuousClock.Instant?

  /// - Parameter label: what is done, such as `putting 10,000 stops in order`.
  init(_ label: String, _ console: Console) {
    self.label = shortened(visible(label), to: 40)
    self.console = console
  }

  /// How much is done of how much.
  ///
  /// - Parameter counted: what both numbers count, such as `pools`; bytes without it.
  func advance(to count: Int, of total: Int, counted: String? = nil) {
    guard isDue else { return }
    let rate = Int(Double(count) / (began.duration(to: .now) / .seconds(1)))
    let speed = counted.map { "\(Wording.grouped(rate)) \($0)" } ?? sizeText(rate)
    show("\(Self.text(label, done: count, of: total))  \(speed)/s")
  }

  /// For work that does not say how far it is: how long it has taken.
  func tick() {
    guard isDue else { return }
    show("\(label), \(Wording.duration(seconds: began.duration(to: .now) / .seconds(1))) …")
  }

  /// What somebody else says of the work, such as the daemon.
  func say(_ work: String, done: Int, of total: Int) {
    guard isDue else { return }
    show(Self.text(visible(work), done: done, of: total))
  }

  /// Takes the line away. What follows has a second of its own before it is told of.
  func end() {
    if shownAt != nil { console.progress("") }
    shownAt = nil
    began = .now
  }

  /// Ten times a second is as often as anybody looks.
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
    guard total > 0 else { return work + (done > 0 ? ", \(Wording.grouped(done)) done …" : " …") }
    let share = min(1, Double(done) / Double(total))
    let filled = Int(share * 20)
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
    return "\(work)  [\(bar)]  \(Int(share * 100)) %"
  }
}

extension Console {
  /// Does `work`, which asks nobody and computes for seconds; a terminal sees meanwhile how long it has taken.
  func watching<Result: Sendable>(_ label: String, _ work: @escaping @Sendable () -> Result) -> Result {
    guard showsProgress else { return work() }
    let answer = Answer<Result>()
    do {
      try SystemThread.start { answer.put(work()) }
    } catch {
      // Without another thread there is the work all the same, and nobody to tell of it.
      return work()
    }
    let line = ProgressLine(label, self)
    defer { line.end() }
    while true {
      if let result = answer.taken { return result }
      line.tick()
      poll(nil, 0, 20)
    }
  }
}

/// What one thread leaves for another.
private final class Answer<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)

  func put(_ result: Value) { value.withLock { $0 = result } }

  var taken: Value? { value.withLock { $0 } }
}
