import PoolControl
import FlowControl
import FlowModel
import FlowStore
import Foundation
import PoolModel
import PoolRouting
import PoolStore
import Testing
import TradeStores

extension Programs {
  /// A team's routes through the built programs, on the demo's Monday.
  @Suite struct RouteTests {
    /// Monday 07:00 in Phoenix.
    private static let monday = "2026-03-02T14:00:10Z"

    private func daemon() throws -> Daemon { try Daemon(at: Self.monday).start(environment: ["TZ": "UTC"]) }

    private func show(_ daemon: Daemon, day: String = "Mon") throws -> [RouteView] {
      try daemon.query(RoutesCall.Show.Reply.self, "route", "show", "--team", "desert-blue", "--day", day).routes
    }

    private func order(_ route: RouteView) -> [String] { route.stops.map(\.id) }

    @Test func `route-precompute optimises every day once and skips unchanged days`() throws {
      let daemon = try daemon()
      #expect(try show(daemon).allSatisfy { !$0.fresh && $0.bestMinutes == nil })
      let first = try daemon.query(SchedulerCall.Run.Reply.self, "run", "route-precompute", "--wait").run
      #expect(first.outcome == .done && !first.detail.contains("the routes of 0 days"), "\(first.detail)")
      for route in try show(daemon, day: "all") {
        #expect(route.fresh && route.provider == "haversine")
        #expect(route.stops.compactMap(\.bestPlace).sorted() == Array(1...route.stops.count))
        #expect((route.bestMinutes ?? .infinity) <= route.minutes + 1e-9)
      }
      let again = try daemon.query(SchedulerCall.Run.Reply.self, "run", "route-precompute", "--wait").run
      #expect(again.detail.hasPrefix("optimised the routes of 0 days"), "\(again.detail)")
      try daemon.change("team", "set", "desert-blue", "objective=distance")
      #expect(try show(daemon).allSatisfy { !$0.fresh })
    }

    @Test func `applying the best order and moving a stop can be undone`() throws {
      let daemon = try daemon()
      let before = try show(daemon)
      let applied = try daemon.query(
        RoutesCall.Apply.Reply.self, "route", "apply", "--team", "desert-blue", "--day", "Mon"
      ).routes
      #expect(applied.map { $0.minutes }.reduce(0, +) < before.map { $0.minutes }.reduce(0, +))
      #expect(applied.allSatisfy { $0.stops.allSatisfy { $0.bestPlace == $0.place } })
      try daemon.change("route", "undo", "--team", "desert-blue", "--day", "Mon")
      #expect(try show(daemon).map(order) == before.map(order))
      let twice = try daemon.ask("route", "undo", "--team", "desert-blue", "--day", "Mon")
      #expect(twice.code == 65 && twice.errors.contains("undone already"))
      let stop = try #require(before.first?.stops.last)
      try daemon.change("route", "move", "--team", "desert-blue", stop.id, "--place", "2")
      #expect(try show(daemon).first?.stops[1].id == stop.id)
      try daemon.change("route", "undo", "--team", "desert-blue", "--day", "Mon")
      #expect(try show(daemon).map(order) == before.map(order))
    }

    @Test func `a pinned stop keeps its position in the best order`() throws {
      let daemon = try daemon()
      let stop = try #require(try show(daemon).first?.stops.last)
      let place = stop.place - 1
      try daemon.change("route", "pin", "--team", "desert-blue", stop.id, "--place", "\(place)")
      let best = try daemon.query(
        RoutesCall.Optimise.Reply.self, "route", "optimise", "--team", "desert-blue", "--day", "Mon"
      ).routes
      let pinned = try #require(best.flatMap(\.stops).first { $0.id == stop.id })
      #expect(pinned.pin == place && pinned.bestPlace == place)
      try daemon.change("route", "pin", "--team", "desert-blue", stop.id)
      #expect(try show(daemon).flatMap(\.stops).first { $0.id == stop.id }?.pin == nil)
    }

    @Test func `progress counts today's visits, and a complete route is an event`() throws {
      let daemon = try daemon()
      let progress = {
        try daemon.query(RoutesCall.Progress.Reply.self, "route", "progress", "--team", "desert-blue").progress
      }
      let day = try #require(try progress().first)
      #expect(day.serviced == 0 && !day.complete && day.missing.count == day.stops)
      let stops = try #require(try show(daemon).first { $0.technician == day.technician }?.stops)
      for stop in stops {
        try daemon.change("visit", "log", stop.id, "--team", "desert-blue", "--ph", "7.5", "--dose", "none")
      }
      #expect(try progress().first?.complete == true)
      let news = try daemon.ask("events", "--team", "desert-blue")
      #expect(news.output.contains("complete: \(stops.count) stops"), "\(news.output)")
    }

    @Test func `measured times replace the estimate where they are known`() throws {
      let daemon = try daemon()
      let stops = try #require(try show(daemon).first?.stops).filter { $0.latitude != nil }
      func row(_ from: RouteStopView, _ to: RouteStopView, _ minutes: Double) -> String {
        "\(from.latitude ?? 0),\(from.longitude ?? 0),\(to.latitude ?? 0),\(to.longitude ?? 0),\(minutes)"
      }
      let rows = [row(stops[0], stops[1], 90), row(stops[1], stops[0], 80)]
      try daemon.scratch.write("times.csv", (["a,b,c,d,e"] + rows).joined(separator: "\n").utf8)
      let path = "\(daemon.scratch.path)/times.csv"
      let taken = try daemon.query(
        RoutesCall.ImportTable.Reply.self, "route", "matrix", "import", path, "--team", "desert-blue")
      #expect(taken.places == 2 && taken.known == 2)
      #expect(try show(daemon).first?.provider == "table+haversine")
      let locations = stops.prefix(2).map { "{\"location\":[\($0.longitude ?? 0),\($0.latitude ?? 0)]}" }
        .joined(separator: ",")
      let osrm =
        "{\"code\":\"Ok\",\"durations\":[[0,null],[600,0]],\"sources\":[\(locations)],\"destinations\":[\(locations)]}"
      try daemon.scratch.write("table.json", osrm.utf8)
      let known = try daemon.query(
        RoutesCall.ImportTable.Reply.self, "route", "matrix", "import", "\(daemon.scratch.path)/table.json", "--team",
        "desert-blue")
      #expect(known.places == 2 && known.known == 1 && known.pairs == 2)
      try daemon.change("route", "matrix", "remove", "--team", "desert-blue", "--yes")
      #expect(try show(daemon).first?.provider == "haversine")
    }

    @Test func `a route across the antimeridian is cut in GeoJSON and whole in GPX`() throws {
      let daemon = try Daemon(at: "2026-03-02T00:00:00Z").start()
      try daemon.change("team", "add", "taveuni", "--zone", "Pacific/Fiji")
      let places = [
        ("A One", -16.80, 179.98), ("B Two", -16.81, -179.98), ("C Three", -16.82, 179.95), ("D Four", -16.83, -179.95),
      ]
      let rows = places.map { "\($0.0),\($0.0) St,Mon,\($0.1),\($0.2)\n" }.joined()
      try daemon.scratch.write("customers.csv", "Customer,Address,Day,Latitude,Longitude\n\(rows)".utf8)
      try daemon.change("import", daemon.scratch.path + "/customers.csv", "--team", "taveuni")
      let day = ["route", "export", "--team", "taveuni", "--day", "Mon"]
      let geo = try daemon.ask(day).output
      let whole = try #require(try JSONSerialization.jsonObject(with: Data(geo.utf8)) as? [String: Any])
      let way = try #require((whole["features"] as? [[String: Any]])?.last?["geometry"] as? [String: Any])
      #expect(way["type"] as? String == "MultiLineString")
      let parts = try #require(way["coordinates"] as? [[[Double]]])
      #expect(
        parts.allSatisfy { part in zip(part, part.dropFirst()).allSatisfy { abs($0[0] - $1[0]) < 1 } }, "\(parts)")
      #expect(parts.dropLast().allSatisfy { abs($0.last?[0] ?? 0) == 180 })
      let gpx = try daemon.ask(day + ["--format", "gpx"]).output
      #expect(gpx.split(separator: "<rtept").count == 5 && !gpx.contains("180.0"))
    }

    @Test func `days are exported as GeoJSON, GPX, VROOM JSON, map and picture`() throws {
      let daemon = try daemon()
      try daemon.change("route", "optimise", "--team", "desert-blue", "--day", "Mon")
      let route = try #require(try show(daemon).first)
      func export(_ words: String...) throws -> String {
        let answer = try Pfctl.run(
          ["route", "export", "--team", "desert-blue", "--day", "Mon", "--technician", route.technician] + words + [
            "--socket", daemon.socket,
          ], in: daemon.scratch)
        #expect(answer.code == 0, "\(answer.errors)")
        return answer.output
      }
      let located = route.stops.count { $0.latitude != nil }
      let geo = try #require(try JSONSerialization.jsonObject(with: Data(try export().utf8)) as? [String: Any])
      #expect((geo["features"] as? [Any])?.count == located + 1)
      let gpx = try export("--format", "gpx", "--order", "best")
      #expect(gpx.split(separator: "<rtept").count == located + 1)
      let vroom = try #require(
        try JSONSerialization.jsonObject(with: Data(try export("--format", "vroom").utf8)) as? [String: Any])
      #expect((vroom["jobs"] as? [Any])?.count == located && (vroom["vehicles"] as? [Any])?.count == 1)
      let file = daemon.scratch.path + "/monday.gpx"
      let written = try #require(
        try JSONSerialization.jsonObject(
          with: Data(try export("--format", "gpx", "--order", "best", "--output", file, "--json").utf8))
          as? [String: Any])
      #expect(written["schema"] as? String == "pfctl.route-export/1" && written["file"] as? String == file)
      #expect(written["bytes"] as? Int == gpx.utf8.count && written["stops"] as? Int == located)
      #expect(try Files.text(file) == gpx)
      let day = ["--team", "desert-blue", "--day", "Mon", "--technician", route.technician, "--socket", daemon.socket]
      let map = try Pfctl.run(["route", "show", "--map"] + day, in: daemon.scratch)
      #expect(map.code == 0 && map.output.contains("·"))
      let drawn = try Pfctl.run(
        ["route", "show", "--format", "svg", "--output", "\(daemon.scratch.path)/day.svg"] + day, in: daemon.scratch)
      #expect(drawn.code == 0 && drawn.errors.contains("written to"), "\(drawn)")
      let picture = try String(contentsOfFile: "\(daemon.scratch.path)/day.svg", encoding: .utf8)
      #expect(picture.split(separator: "<circle").count == located + 1 && picture.hasSuffix("</svg>\n"))
    }

    /// The app's routes of the demo, from `demo-expected.json`.
    private struct Expected: Decodable {
      struct Day: Decodable {
        let stops: Int
        let unresolved: Int
        let current: Double
        let optimized: Double
        let saved: Double
        let orderedPoolIDs: [String]
      }

      /// Expected routes by weekday and objective, such as `2/balanced`.
      let routes: [String: Day]
    }

    @Test func `each weekday of the demo is ordered like the app, for every objective`() async throws {
      let daemon = try daemon()
      try daemon.stop()
      let store = try Store(reading: "\(daemon.state)/poolflow.db")
      let team = try await store.team(named: "desert-blue")
      let days = Dictionary(grouping: try await store.routeStops(of: team.id), by: \.day)
      let file = Checkout.root + "/config/demo/demo-expected.json"
      let expected = try JSONDecoder().decode(Expected.self, from: Data(contentsOf: URL(filePath: file))).routes
      #expect(!expected.isEmpty)
      for (name, wanted) in expected {
        let parts = name.split(separator: "/")
        let day = try #require(Int(parts[0]).flatMap { Weekday(rawValue: $0) })
        let objective: TravelObjective =
          parts[1] == "balanced" ? .balanced : parts[1] == "minDriveDistance" ? .distance : .time
        let stops = (days[day] ?? []).map {
          DayRoute.Stop(id: $0.poolID, latitude: $0.latitude, longitude: $0.longitude, routeOrder: $0.routeOrder)
        }
        let app = try DayRoute.optimise(stops, objective: objective, algorithm: .reference)
        #expect(stops.count == wanted.stops && app.unresolved.count == wanted.unresolved, "\(name)")
        #expect(app.ordered.map(\.description) == wanted.orderedPoolIDs, "\(name)")
        #expect(
          abs(app.figures.minutes - wanted.current) < 1e-6 && abs(app.bestFigures.minutes - wanted.optimized) < 1e-6)
        #expect(abs(app.figures.minutesSaved(by: app.bestFigures) - wanted.saved) < 1e-6, "\(name)")
        let best = try DayRoute.optimise(stops, objective: objective, algorithm: .strong)
        if objective == .time { #expect(best.bestFigures.minutes <= app.bestFigures.minutes + 1e-9, "\(name)") }
      }
    }

    @Test func `every invalid input gets one sentence and changes nothing`() throws {
      let daemon = try daemon()
      let before = try show(daemon, day: "all").map(order)
      let stop = try #require(try show(daemon).first?.stops.last)
      try daemon.scratch.write("bad.csv", "1,2,3,4,-5\n".utf8)
      try daemon.scratch.write("nan.csv", "1,2,3,4,nan\n".utf8)
      try daemon.scratch.write("short.csv", "1,2,3\n".utf8)
      try daemon.scratch.write("far.csv", "91,2,3,4,5\n".utf8)
      try daemon.scratch.write("no.json", "{\"code\":\"NoTable\",\"message\":\"none\"}".utf8)
      try daemon.scratch.write("twice.json", "{\"code\":\"Ok\",\"durations\":[[0]],\"code\":\"Ok\"}".utf8)
      try daemon.scratch.write("half.json", "{\"code\":\"Ok\"".utf8)
      func matrix(_ name: String) -> [String] {
        ["route", "matrix", "import", "\(daemon.scratch.path)/\(name)", "--team", "desert-blue"]
      }
      let bad: [([String], String)] = [
        (["route", "show", "--team", "desert-bleu"], "did you mean"),
        (["route", "show", "--team", "desert-blue", "--day", "Xyz"], "weekday"),
        (["route", "show", "--team", "desert-blue", "--technician", "Unknown"], "no technician"),
        (["route", "move", "--team", "desert-blue", stop.id, "--place", "999"], "positions of this day are 1 to"),
        (["route", "move", "--team", "desert-blue", stop.id], "--place"),
        (["route", "move", "--team", "desert-blue", "Unknown", "--place", "2"], "no pool"),
        (
          ["route", "pin", "--team", "desert-blue", stop.id, "--place", "1"],
          "the first stop of the day cannot be moved"
        ),
        (["route", "pin", "--team", "desert-blue", stop.id, "--place", "0"], "--place"),
        (["route", "export", "--team", "desert-blue", "--format", "kml"], "geojson, gpx or vroom"),
        (["route", "export", "--team", "desert-blue", "--json=file"], "--json=FIELD needs --output"),
        (["route", "export", "--team", "desert-blue", "--day", "Mon", "--order", "best"], "route optimise"),
        (["route", "undo", "--team", "desert-blue", "--day", "Tue"], "the order of these days was not changed here"),
        (matrix("bad.csv"), "0 or more"), (matrix("nan.csv"), "line 1"), (matrix("short.csv"), "line 1 is not"),
        (matrix("far.csv"), "latitude is -90 to 90"), (matrix("no.json"), "NoTable"),
        (matrix("twice.json"), "it has the key 'code' twice"),
        (matrix("half.json"), "is not an answer of an OSRM table request"),
        (matrix("missing.json"), "No such file"), (["route", "matrix", "remove", "--team", "desert-blue"], "--yes"),
      ]
      for (words, part) in bad {
        let answer = try Pfctl.run(words + ["--socket", daemon.socket], in: daemon.scratch)
        #expect(answer.code != 0 && answer.errors.contains(part), "\(words): \(answer.errors)")
      }
      #expect(try show(daemon, day: "all").map(order) == before)
      try daemon.settings("[Daemon]\nPlanLimits = on\n")
      try daemon.change("reload")
      try daemon.change("team", "plan", "desert-blue", "free")
      for words in [["optimise"], ["compare"], ["apply"]] {
        let answer = try Pfctl.run(
          ["route"] + words + ["--team", "desert-blue", "--day", "Mon", "--socket", daemon.socket], in: daemon.scratch)
        #expect(
          answer.code == 65 && answer.errors.contains("run: pfctl team plan desert-blue trial"), "\(answer.errors)")
      }
      let night = try daemon.query(SchedulerCall.Run.Reply.self, "run", "route-precompute", "--wait").run
      #expect(night.detail.contains("on the free plan"))
    }
  }
}
