import StableControl
import Testing

extension Programs.ExampleTests {
  /// Creates the stable of the examples, with two weather files.
  ///
  /// - Returns: names in the examples that exist already or are unknown, and the names to use instead.
  func makeBarn(_ daemon: Daemon) throws -> [(example: String, name: String)] {
    let barn = ["--team", "willow-barn"]
    try daemon.change("team", "add", "willow-barn", "--zone", "America/Phoenix", "--trade", "stable")
    for horse in ["Juniper", "Clover"] {
      #expect(try daemon.ask(["horse", "add", horse, "--added", "2026-02-01"] + barn).code == 0)
      #expect(try daemon.ask(["feed", "set", horse, "--am-grain", "oats", "--pm-grain", "hay"] + barn).code == 0)
    }
    #expect(try daemon.ask(["care", "log", "Clover", "dental", "--date", "2026-02-20"] + barn).code == 0)
    try daemon.scratch.write("horses.csv", "horse,owner\nJuniper,Ada Field\n".utf8)
    let hours = (0..<48).map { hour in "2026-03-0\(2 + hour / 24)T\(hour % 24 < 10 ? "0" : "")\(hour % 24):00" }
    try daemon.scratch.write(
      "forecast.csv", ("time,air_c\n" + hours.map { "\($0):00Z,4" }.joined(separator: "\n") + "\n").utf8)
    let units = #""hourly_units":{"time":"iso8601","temperature_2m":"°C"}"#
    let times = hours.map { "\"\($0)\"" }.joined(separator: ",")
    let air = hours.map { _ in "4" }.joined(separator: ",")
    try daemon.scratch.write(
      "forecast.json",
      """
      {"latitude":33.4,"longitude":-112,"utc_offset_seconds":0,\(units),\
      "hourly":{"time":[\(times)],"temperature_2m":[\(air)]}}
      """.utf8)
    let events = try daemon.query(CareCall.List.Reply.self, "care", "list", "--team", "willow-barn").events
    return [("horse add Juniper", "horse add Pepper"), ("3f2a", try #require(events.first).id)]
  }
}
