import Foundation

// Ratios against a named baseline of the same run, as medians; never part of the tests.
let wanted = Array(CommandLine.arguments.dropFirst())
let benches: [(name: String, run: () -> Void)] = [
  ("road", benchRoad),
  ("calendar", benchCalendar),
  ("routes", benchRoutes),
  ("control", benchControl),
  ("delivery", benchDelivery),
  ("lsi", benchWater),
  ("refresh", benchRefresh),
  ("digests", benchDigests),
  ("scheduler-morning", { benchScheduler { try await $0.sharedMorning() } }),
  ("scheduler-start", { benchScheduler { try await $0.start() } }),
  ("scheduler-year", { benchScheduler { try await $0.year() } }),
  ("scheduler-lateness", { benchScheduler { try await $0.lateness() } }),
]
// What a bench starts itself, in a process of its own.
if wanted == ["memory-of-delivery"] {
  benchDeliveryMemory()
  exit(0)
}
/// `scheduler` means all whose names begin with it.
func isWanted(_ bench: String, by word: String) -> Bool { bench == word || bench.hasPrefix(word + "-") }

if let unknown = wanted.first(where: { word in !benches.contains { isWanted($0.name, by: word) } }) {
  print("poolflow-bench: no bench is called '\(unknown)'; there are \(benches.map(\.name).joined(separator: ", "))")
  exit(64)
}
for bench in benches where wanted.isEmpty || wanted.contains(where: { isWanted(bench.name, by: $0) }) { bench.run() }
