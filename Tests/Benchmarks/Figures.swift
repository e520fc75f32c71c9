import Foundation
import Synchronization

/// The promise about a figure.
enum Bound {
  /// For figures that do not depend on the speed of the machine: ratios, shares, memory, wake-ups.
  case atMost(Double)
  case atLeast(Double)
  /// A time on the machine of `benchmarks.md`. A slower machine exceeds it without a defect, so it has no verdict.
  case reference(Double)
  /// The figure of another implementation, measured in the same run.
  case baseline

  /// The text after the median, without a verdict.
  var text: String {
    func limit(_ value: Double) -> String { Int(exactly: value).map { "\($0)" } ?? short(value) }
    return switch self {
    case .atMost(let most): "promised at most \(limit(most))"
    case .atLeast(let least): "promised at least \(limit(least))"
    case .reference(let most): "on the reference machine at most \(limit(most))"
    case .baseline: "baseline"
    }
  }

  /// Nil if this bound has no verdict.
  func isKept(by median: Double) -> Bool? {
    switch self {
    case .atMost(let most): median <= most
    case .atLeast(let least): median >= least
    case .reference, .baseline: nil
    }
  }
}

/// A number with about three digits.
func short(_ figure: Double) -> String {
  switch figure.magnitude {
  case 0: "0"
  case ..<0.001: String(format: "%.1e", figure)
  case ..<1: String(format: "%.3f", figure)
  case ..<10: String(format: "%.2f", figure)
  case ..<1_000: String(format: "%.1f", figure)
  default: String(format: "%.0f", figure)
  }
}

/// Prints the median with its range and its bound, as `FigureLine` parses it.
func figureLine(_ name: String, _ figures: [Double], _ bound: Bound? = nil) {
  let sorted = figures.sorted()
  guard !sorted.isEmpty else { return notMeasured(name, "the benchmark has no value") }
  let median = sorted[sorted.count / 2]
  var fields = ["\(name): \(short(median))"]
  if sorted.count > 1 { fields.append("(\(short(sorted[0])) to \(short(sorted[sorted.count - 1])))") }
  if let bound {
    let verdict = bound.isKept(by: median).map { $0 ? ": kept" : ": BROKEN" } ?? ""
    fields.append(bound.text + verdict)
  }
  print("  " + fields.joined(separator: "  "))
  // Flush, so that a reader of a pipe has the results even if the benchmark is stopped early.
  fflush(nil)
}

/// Prints that a figure is missing, and why.
func notMeasured(_ name: String, _ reason: String) {
  print("  \(name): not measured, \(reason)")
  fflush(nil)
}

/// Each figure divided by the median of a baseline of the same run.
func ratios(_ figures: [Double], to baseline: [Double]) -> [Double] {
  guard !baseline.isEmpty else { return [] }
  let median = baseline.sorted()[baseline.count / 2]
  return figures.map { $0 / median }
}

/// True after a benchmark has failed: the exit code is 1.
private let failed = Mutex(false)

var hasFailed: Bool { failed.withLock { $0 } }

/// Prints why a benchmark stopped. The other benchmarks still run.
func benchFailed(_ bench: String, _ error: any Error) {
  failed.withLock { $0 = true }
  print("\(bench): failed, \(error)")
  fflush(nil)
}
