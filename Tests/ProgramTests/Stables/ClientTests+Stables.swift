extension Programs.ClientTests {
  /// Produces one event of every kind that a stable gets.
  func tellBarn(_ daemon: Daemon) throws {
    try daemon.change("team", "add", "hill", "--zone", "UTC", "--trade", "stable")
    try daemon.change("horse", "add", "Juniper", "--team", "hill", "--clipped", "yes", "--added", "2026-02-01")
    try daemon.change(
      "feed", "set", "Juniper", "--team", "hill", "--am-grain", "oats", "--pm-grain", "hay", "--am-medications",
      "pill")
    try daemon.change(
      "care", "log", "Juniper", "farrier", "--team", "hill", "--date", "2026-02-20", "--due", "2026-03-03", "--cost",
      "120.50")
    let hours = (0..<36).map { hour in
      let day = 2 + hour / 24
      return "2026-03-0\(day)T\(hour % 24 < 10 ? "0" : "")\(hour % 24):00:00Z,-2,10,0.4"
    }
    let forecast = try daemon.scratch.write(
      "forecast.csv", ("time,air_c,wind_kmh,rain_mm\n" + hours.joined(separator: "\n")).utf8)
    try daemon.change("weather", "import", forecast, "--team", "hill")
    for job in ["barn-digest", "barn-week", "feed-am", "feed-pm", "blanket"] {
      try daemon.change("run", job, "--team", "hill", "--at", "2026-03-02")
    }
    // The barn's digest includes care that is due; with the digest off, `care-due` reports it.
    try daemon.change("team", "set", "hill", "barn-digest=off")
    try daemon.change("run", "care-due", "--team", "hill", "--at", "2026-03-02")
  }
}
