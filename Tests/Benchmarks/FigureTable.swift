import FlowPlatform
import Foundation
import Glibc

/// Runs benchmarks, each in a process of its own, and prints one Markdown table of all their figures.
///
/// A row is printed and flushed as soon as the benchmark prints its line, so an interrupted run leaves all earlier rows.
struct FigureTable {
  let benches: [String]

  /// - Returns: false if a benchmark failed or a promise was broken.
  func run() throws -> Bool {
    row("bench", "figure", "median (spread)", "baseline or bound", "kept/BROKEN")
    row("---", "---", "--:", "---", "---")
    let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().path
    var isGood = true
    for bench in benches { isGood = try rows(of: bench, own) && isGood }
    return isGood
  }

  private func rows(of bench: String, _ program: String) throws -> Bool {
    var isGood = true
    var count = 0
    var reason: String?
    let ending = try lines(of: bench, program) { line in
      if let figure = FigureLine(line) {
        count += 1
        isGood = isGood && figure.verdict != .broken
        row(bench, figure.name, figure.text, figure.bound, figure.verdict?.rawValue ?? "")
      } else if line.hasPrefix("  ") {
        complain("a line of '\(bench)' has no figure: \(line)")
      } else if let failure = line.range(of: ": failed, ") {
        reason = reason ?? String(line[failure.upperBound...])
      }
    }
    if ending == .exit(0), count > 0 { return isGood }
    let text = reason ?? (ending == .exit(0) ? "it printed no figure" : "it ended with \(ending)")
    row(bench, "failed: \(text)", "", "", FigureLine.Verdict.broken.rawValue)
    return false
  }

  /// Calls `take` with each line while the benchmark runs.
  private func lines(
    of bench: String, _ program: String, _ take: (Substring) -> Void
  ) throws -> ChildProgram.Ending {
    let (reading, writing) = try ChildProgram.pipe()
    let output = FileHandle(fileDescriptor: reading, closeOnDealloc: true)
    let started = Result {
      try ChildProgram(
        program, [bench], environment: ProcessInfo.processInfo.environment,
        [0: .reading("/dev/null"), 1: .descriptor(writing)])
    }
    // Without it the pipe would not end with the benchmark.
    close(writing)
    let child = try started.get()
    var rest = Data()
    while case let data = output.availableData, !data.isEmpty {
      rest += data
      while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        take(Substring(decoding: rest[..<end], as: UTF8.self))
        rest = Data(rest[rest.index(after: end)...])
      }
    }
    if !rest.isEmpty { take(Substring(decoding: rest, as: UTF8.self)) }
    return child.end()
  }

  private func row(_ cells: String...) {
    let escaped = cells.map {
      $0.replacingOccurrences(of: "|", with: "\\|").replacingOccurrences(of: "*", with: "\\*")
    }
    print("| " + escaped.joined(separator: " | ") + " |")
    fflush(nil)
  }

  private func complain(_ text: String) {
    FileHandle.standardError.write(Data("poolflow-bench: \(text)\n".utf8))
  }
}
