import Foundation

// Ratios against a named baseline of the same run, as medians; never part of the tests.
let wanted = Array(CommandLine.arguments.dropFirst())
let benches: [(name: String, run: () -> Void)] = [
  ("road", benchRoad),
  ("calendar", benchCalendar),
]
if let unknown = wanted.first(where: { name in !benches.contains { $0.name == name } }) {
  print("poolflow-bench: no bench is called '\(unknown)'; there are \(benches.map(\.name).joined(separator: ", "))")
  exit(64)
}
for bench in benches where wanted.isEmpty || wanted.contains(bench.name) { bench.run() }
