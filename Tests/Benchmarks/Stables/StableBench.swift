import StableControl
import FlowControl
import FlowModel
import Foundation

/// Measures the feed board of a large barn over the control socket: 200 horses with schedules and marks.
///
/// Needs the release build of the daemon in the same folder.
func benchStable() {
  do {
    try StableBench().run()
  } catch {
    benchFailed("stable", error)
  }
}

private struct StableBench {
  private static let horses = 200
  private static let team = "willow-barn"

  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-bench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func run() throws {
    print("stable: \(Self.horses) horses over the socket")
    defer {
      // A leftover temporary folder does no harm.
      try? FileManager.default.removeItem(at: folder)
    }
    let daemon = try BenchDaemon(folder: folder)
    defer { daemon.stop() }
    let caller = try BenchCaller(folder.appendingPathComponent("state/control.sock").path)
    let team = Self.team
    _ = try caller.ask(TeamsCall.Add(name: team, zone: "America/Phoenix", trade: "stable"))
    for number in 1...Self.horses {
      _ = try caller.ask(HorsesCall.Add(team: team, name: "Horse \(number)", changes: []))
    }
    let meals = [
      ("am-grain", "2 qt oats"), ("am-supplements", "MSM; Biotin; Magnesium"), ("am-medications", "Previcoxx 57 mg"),
      ("pm-grain", "hay cubes, soaked"), ("pm-supplements", "Joint support"),
    ].map { SettingChangeView(key: $0.0, value: $0.1) }
    _ = try caller.ask(FeedCall.SaveTemplate(team: team, name: "All", changes: meals))
    _ = try caller.ask(FeedCall.ApplyTemplate(team: team, template: "All", horses: [], all: true))
    _ = try caller.ask(FeedCall.Mark(team: team, slot: .am, by: "Ann"))
    figureLine("the board, ms", try times(101) { _ = try caller.ask(FeedCall.Board(team: team)) }, .reference(10))
    figureLine(
      "all marked and taken back, ms",
      try times(21) {
        _ = try caller.ask(FeedCall.Mark(team: team, slot: .pm))
        _ = try caller.ask(FeedCall.Undo(team: team))
      })
    figureLine(
      "one marked and taken back, ms",
      try times(21) {
        _ = try caller.ask(FeedCall.Mark(team: team, horse: "Horse 77", slot: .pm))
        _ = try caller.ask(FeedCall.Undo(team: team))
      })
    figureLine("what each wears, ms", try times(21) { _ = try caller.ask(WeatherCall.Blankets(team: team)) })
  }

  private func times(_ count: Int, _ body: () throws -> Void) throws -> [Double] {
    try (0..<count).map { _ in try milliseconds(body) }
  }
}
