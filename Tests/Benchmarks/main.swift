import Foundation

// Benchmarks: median ratios to a named baseline of the same run; never part of the tests.
//
//   poolflow-bench [BENCH ...]                                all benchmarks, or those whose names start with BENCH
//   poolflow-bench all                                        one Markdown table of all figures
//   poolflow-bench --table BENCH ...                          the same table of these benchmarks
//   poolflow-bench --against PROGRAM [--rounds N] BENCH ...   this build and PROGRAM alternately: the ratio of each figure
//
// The exit code is 1 if a benchmark failed; with a table also if a promise is broken.
var wanted = Array(CommandLine.arguments.dropFirst())
var isTable = false
if wanted == ["all"] {
  isTable = true
  wanted = []
} else if let index = wanted.firstIndex(of: "--table") {
  isTable = true
  wanted.remove(at: index)
}

/// Removes `option VALUE` from the arguments and returns the value.
@MainActor func value(of option: String) -> String? {
  guard let index = wanted.firstIndex(of: option) else { return nil }
  guard index + 1 < wanted.count else {
    print("poolflow-bench: \(option) needs a value")
    exit(64)
  }
  defer { wanted.removeSubrange(index...index + 1) }
  return wanted[index + 1]
}
let other = value(of: "--against")
let roundsText = value(of: "--rounds")
let benches: [(name: String, run: () -> Void)] = [
  ("road", benchRoad),
  ("calendar", benchCalendar),
  ("routes", benchRoutes),
  ("cover", benchCover),
  ("control", benchControl),
  ("stable", benchStable),  // Stables
  ("delivery", benchDelivery),
  ("lsi", benchWater),
  ("refresh", benchRefresh),
  ("digests", benchDigests),
  ("backup-snapshot", { benchBackup { try await $0.snapshot() } }),
  ("backup-archives", { benchBackup { try await $0.archives() } }),
  ("backup-customers", { benchBackup { try await $0.customers() } }),
  ("backup-restore", { benchBackup { try await $0.restore() } }),
  ("backup-memory", { benchBackup { try await $0.memory() } }),
  ("herd-mornings", { benchHerd(.mornings) }),
  ("herd-people", { benchHerd(.people) }),
  ("herd-beside", { benchHerd(.beside) }),
  ("herd-barns", { benchHerd(.barns) }),  // Stables
  ("herd-imports", benchHerdImports),
  ("nodes", benchNodes),
  ("herd-without-pages", { benchHerd(.withoutPages) }),
  ("scheduler-morning", { benchScheduler { try await $0.sharedMorning() } }),
  ("scheduler-start", { benchScheduler { try await $0.start() } }),
  ("scheduler-rules", { benchScheduler { try await $0.rules() } }),
  ("scheduler-reminders", { benchScheduler { try await $0.reminders() } }),
  ("scheduler-year", { benchScheduler { try await $0.year() } }),
  ("scheduler-lateness", { benchScheduler { try await $0.lateness() } }),
]
// Benchmarks that another benchmark starts in a process of their own.
if wanted == ["memory-of-delivery"] {
  benchDeliveryMemory()
  exit(0)
}
if wanted == ["memory-of-backup"] {
  let name = ProcessInfo.processInfo.environment["POOLFLOW_BENCH_WORK"] ?? ""
  guard let work = BackupWork(rawValue: name) else { exit(64) }
  benchBackup { bench in
    do { try await bench.memory(of: work) } catch {
      print("backup: \(error)")
      exit(1)
    }
  }
  exit(0)
}
/// `scheduler` selects all benchmarks whose names start with `scheduler-`.
func isWanted(_ bench: String, by word: String) -> Bool { bench == word || bench.hasPrefix(word + "-") }

if let unknown = wanted.first(where: { word in !benches.contains { isWanted($0.name, by: word) } }) {
  print("poolflow-bench: no bench is called '\(unknown)'; there are \(benches.map(\.name).joined(separator: ", "))")
  exit(64)
}
let chosen = benches.filter { bench in wanted.isEmpty || wanted.contains { isWanted(bench.name, by: $0) } }
if let other {
  var against = Against(other: other, benches: chosen.map(\.name))
  if let roundsText {
    guard let rounds = Int(roundsText), (1...100).contains(rounds) else {
      print("poolflow-bench: --rounds takes a number from 1 to 100, not '\(roundsText)'")
      exit(64)
    }
    against.rounds = rounds
  }
  do { try against.run() } catch {
    print("poolflow-bench: \(error)")
    exit(1)
  }
} else if isTable {
  do { exit(try FigureTable(benches: chosen.map(\.name)).run() ? 0 : 1) } catch {
    print("poolflow-bench: \(error)")
    exit(1)
  }
} else {
  for bench in chosen { bench.run() }
  exit(hasFailed ? 1 : 0)
}
