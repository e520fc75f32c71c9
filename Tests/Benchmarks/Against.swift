import FlowPlatform
import Foundation

/// Runs benchmarks of this program and of another build alternately, and prints the ratio of each figure.
///
/// Both builds run under the same machine load, so a ratio is reliable where an absolute time is not. Their printed output is
/// parsed, so an older build needs no option for it.
struct Against {
  let other: String
  let benches: [String]
  /// The number of pairs of runs. A single run varies; the median of five is stable.
  var rounds = 5

  /// One line of a benchmark: the name and the number.
  struct Figure: Equatable {
    let name: String
    let value: Double
  }

  func run() throws {
    let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    for bench in benches {
      var ratios: [String: [Double]] = [:]
      var names: [String] = []
      for _ in 0..<rounds {
        let ours = try Self.figures(of: own, bench)
        let theirs = Dictionary(try Self.figures(of: other, bench).map { ($0.name, $0.value) }) { first, _ in first }
        for figure in ours {
          guard let their = theirs[figure.name], their > 0, figure.value > 0 else { continue }
          if ratios[figure.name] == nil { names.append(figure.name) }
          ratios[figure.name, default: []].append(figure.value / their)
        }
      }
      print("\(bench): this build's figures divided by the other's, \(rounds) pairs")
      guard !names.isEmpty else { throw BenchFailure(description: "'\(bench)' has no figure that both builds print") }
      for name in names {
        let sorted = (ratios[name] ?? []).sorted()
        let range = String(format: "%.2f to %.2f", sorted[0], sorted[sorted.count - 1])
        print("  \(name): \(String(format: "%.2f", sorted[sorted.count / 2]))  (\(range))")
      }
      fflush(nil)
    }
  }

  /// The output of `program` for `bench`.
  private static func figures(of program: String, _ bench: String) throws -> [Figure] {
    let output = FileManager.default.temporaryDirectory.appending(path: "poolflow-bench-\(UUID().uuidString).txt")
    defer { try? FileManager.default.removeItem(at: output) }
    let child = try ChildProgram(
      program, [bench], environment: ProcessInfo.processInfo.environment, [1: .writing(output.path)])
    guard child.end() == .exit(0) else { throw BenchFailure(description: "'\(program) \(bench)' failed") }
    return try String(contentsOf: output, encoding: .utf8).split(separator: "\n").compactMap { figure(in: $0) }
  }

  /// The figure of a line of this build or of an older one.
  static func figure(in line: Substring) -> Figure? {
    if let figure = FigureLine(line) { return figure.median.map { Figure(name: figure.name, value: $0) } }
    return FigureLine.older(line).map { Figure(name: $0.name, value: $0.median) }
  }
}
