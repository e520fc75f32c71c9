import PoolControl
import FlowControl
import FlowModel
import Foundation
import Testing

extension Programs {
  /// The specification's six user journeys, with the built programs from input to notice.
  @Suite struct JourneyTests {
    private let team = "desert-blue"

    /// A daemon with `PlanLimits = on`.
    private func daemon(empty: Bool = false) throws -> Daemon {
      let daemon = try Daemon(at: "2026-03-02T12:00:00Z", empty: empty)
      try daemon.settings("[Daemon]\nPlanLimits = on\n")
      return try daemon.start()
    }

    /// Monday's digest with `words` as options, with wrapped lines joined.
    private func morning(_ daemon: Daemon, _ words: String...) throws -> String {
      let answer = try Pfctl.run(
        ["digest", "--team", team, "--at", "2026-03-02", "--socket", daemon.socket] + words, in: daemon.scratch)
      #expect(answer.code == 0, "\(answer.errors)")
      return answer.output.replacing(/\n +/, with: " ").replacing(/[\u{A0}\u{202F}]/, with: " ")
    }

    private func visits(_ daemon: Daemon, _ pool: String) throws -> [VisitLineView] {
      try daemon.query(FieldCall.ListVisits.Reply.self, "visit", "list", pool, "--team", team, "--limit", "100").visits
    }

    private func stock(_ daemon: Daemon) throws -> [String: Double] {
      let items = try daemon.query(FieldCall.ListStock.Reply.self, "inventory", "list", "--team", team).items
      return Dictionary(uniqueKeysWithValues: items.map { ($0.name, $0.stock) })
    }

    @Test func `1: a new team adds its first customer, imports others, gets a digest`()
      throws
    {
      let daemon = try daemon(empty: true)
      try daemon.change("team", "add", team, "--zone", "America/Phoenix")
      // Name, address and day are enough; the other values are the region's defaults.
      try daemon.change("pool", "add", "Nora Quill", "12 N Date St, Mesa, AZ", "--team", team, "--day", "mon")
      let first = try daemon.query(PoolsCall.Show.Reply.self, "pool", "show", "Nora Quill", "--team", team).details
      #expect(first.pool.volumeGallons == 15_000 && first.readings == nil && first.units == .imperial)
      #expect(try morning(daemon).contains("1 stop · 8:00"))
      // A list of another program, first with --dry-run; the free plan allows five pools.
      let list = "\(daemon.scratch.path)/list.csv"
      try Files.text(Checkout.customers).write(toFile: list, atomically: true, encoding: .utf8)
      try daemon.change("team", "plan", team, "free")
      let refused = try daemon.ask("import", list, "--team", team)
      #expect(refused.code != 0 && refused.errors.contains("free plan"), "\(refused.errors)")
      try daemon.change("team", "plan", team, "trial")
      let told = try daemon.query(ImportCall.Apply.Reply.self, "import", list, "--team", team, "--dry-run").report
      #expect(try told.creates == DemoStore.customers() && told.dryRun)
      #expect(try daemon.query(PoolsCall.List.Reply.self, "pool", "list", "--team", team).pools.count == 1)
      let taken = try daemon.query(ImportCall.Apply.Reply.self, "import", list, "--team", team).report
      #expect(taken.creates == told.creates && taken.after.pools == told.creates + 1)
      let page = try morning(daemon)
      for stops in try DemoStore.route(day: 2).values {
        #expect(page.contains("\(stops.count) stops · 8:00"))
      }
      #expect(page.contains("1 stop · 8:00"))
      #expect(page.contains("Nora Quill") && page.contains("Steve Baird"))
    }

    @Test func `2: a day's route is shown in order, then serviced to completion`() throws {
      let daemon = try daemon()
      let route = try DemoStore.route(day: 2)
      let mine = try #require(route["maria"]).count
      let page = try morning(daemon, "--technician", "maria", "--format", "html")
      let pools = try daemon.query(
        PoolsCall.List.Reply.self, "pool", "list", "--team", team, "--day", "mon"
      ).pools.filter { $0.technician == "maria" }
      #expect(pools.count == mine)
      // Each pool in the route's order, with a link for directions; one link leads along the whole route.
      var rest = page[...]
      for pool in pools {
        let place = try #require(rest.range(of: pool.customer), "\(pool.customer)")
        rest = rest[place.upperBound...]
      }
      #expect(page.components(separatedBy: "google.com/maps/dir/").count - 1 == mine + 1)
      // A manual order is used in the next digest.
      try daemon.change("route", "move", "--team", team, pools[0].customer, "--place", "3")
      let moved = try morning(daemon, "--technician", "maria")
      #expect(
        moved.range(of: pools[1].customer)!.lowerBound
          < moved.range(of: pools[0].customer)!.lowerBound
      )
      func progress() throws -> RouteProgressView {
        let reply = try daemon.query(
          RoutesCall.Progress.Reply.self, "route", "progress", "--team", team, "--technician", "maria")
        return try #require(reply.progress.first { $0.day == .Mon })
      }
      for (done, pool) in pools.enumerated() {
        #expect(try progress().serviced == done)
        try daemon.change("visit", "log", pool.id, "--team", team, "--dose", "none")
      }
      #expect(try progress().complete && progress().missing.isEmpty)
      let events = try daemon.ask("events")
      #expect(events.output.contains("route of maria on Mon complete: \(mine) stops"), "\(events.output)")
    }

    @Test func `3: a visit is logged with readings, doses and photo, and undone`() throws {
      let daemon = try daemon()
      let before = try stock(daemon)
      let last = try #require(try visits(daemon, "Steve Baird").first)
      let pool = try daemon.ask("pool", "show", "Steve Baird", "--team", team).output
      // Without options nothing was measured or poured.
      let bare = try daemon.query(FieldCall.LogVisit.Reply.self, "visit", "log", "Steve Baird", "--team", team).visit
      #expect(bare.lsi == nil && bare.advice.isEmpty && bare.doses.isEmpty && bare.water == "No readings were taken.")
      try daemon.change("visit", "undo", "Steve Baird", "--team", team)
      let photo = "\(daemon.scratch.path)/proof.jpg"
      try Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 2_000)).write(to: URL(fileURLWithPath: photo))
      let logged = try daemon.query(
        FieldCall.LogVisit.Reply.self, "visit", "log", "Steve Baird", "--team", team, "--ph", "8.3", "--alkalinity",
        "150", "--calcium", "380", "--dose", "all", "--notes", "Brushed tile, filter next week", "--photo", photo
      ).visit
      #expect(logged.condition == .scaleForming && logged.cost > 0)
      for dose in logged.doses {
        let was = try #require(before[dose.chemical])
        #expect(try stock(daemon)[dose.chemical] == max(0, was - dose.ounces))
      }
      let found = try daemon.query(
        FieldCall.ListVisits.Reply.self, "visit", "list", "--team", team, "--search", "filter next"
      ).visits
      #expect(found.map(\.id) == [logged.id] && found[0].photo)
      let report = try daemon.ask("report", "visit", "Steve Baird", "--team", team).output
      #expect(report.contains("8.3") && report.contains("Muriatic Acid"))
      try daemon.change("visit", "undo", "Steve Baird", "--team", team)
      #expect(try stock(daemon) == before)
      #expect(try visits(daemon, "Steve Baird").first?.id == last.id)
      #expect(try daemon.ask("pool", "show", "Steve Baird", "--team", team).output == pool)
    }

    @Test func `4: the calculator, the visit and the morning give the same advice`() throws {
      let daemon = try daemon()
      // The calculator knows no team, so it uses the app's wording.
      try daemon.change("team", "set", team, "dose-units=app")
      let pool = try daemon.query(PoolsCall.Show.Reply.self, "pool", "show", "Steve Baird", "--team", team).details
      let readings = [
        "--ph", "7.0", "--temp", "70F", "--calcium", "180", "--alkalinity", "60", "--cya", "30",
      ]
      let dissolved = ["--tds", "\(pool.readings?.totalDissolvedSolids ?? 1_000)"]
      let index = try Pfctl.run(["lsi"] + readings + dissolved, in: daemon.scratch)
      #expect(index.code == 0 && index.output.contains("corrosive"), "\(index.output)")
      let advice = try Pfctl.run(
        ["dose", "--volume", "\(pool.pool.volumeGallons)"] + readings + dissolved, in: daemon.scratch)
      // For the pool: the same amounts, none of them poured yet.
      let logged = try JSONDecoder().decode(
        FieldCall.LogVisit.Reply.self,
        from: Data(
          try Pfctl.run(
            ["visit", "log", "Steve Baird", "--team", team, "--dose", "none", "--json", "--socket", daemon.socket]
              + readings, in: daemon.scratch
          ).output.utf8)
      ).visit
      #expect(logged.advice.map(\.kind) == [.raisePH, .raiseTA, .raiseCH])
      for dose in logged.advice { #expect(advice.output.contains(dose.text), "\(dose.text): \(advice.output)") }
      let page = try morning(daemon, "--technician", "maria")
      for dose in logged.advice { #expect(page.contains(dose.text), "\(dose.text)") }
      #expect(page.contains("pH 7.0 low") && page.contains("Calcium hardness 180 ppm low"))
    }

    @Test func `5: a better order is proposed, applied and undone on a paid plan`() throws {
      let daemon = try daemon()
      let day = ["--day", "Mon", "--technician", "maria"]
      func run(_ verb: String) throws -> Answer {
        try Pfctl.run(["route", verb, "--team", team] + day + ["--socket", daemon.socket], in: daemon.scratch)
      }
      try daemon.change("team", "plan", team, "free")
      let closed = try run("optimise")
      #expect(closed.code != 0 && closed.errors.contains("route optimisation"), "\(closed.errors)")
      try daemon.change("team", "plan", team, "paid")
      func order() throws -> [String] {
        try daemon.query(PoolsCall.List.Reply.self, "pool", "list", "--team", team, "--day", "mon").pools
          .filter { $0.technician == "maria" }.map(\.customer)
      }
      let before = try order()
      let looked = try run("optimise")
      #expect(looked.output.contains("best") && looked.errors.contains("pfctl route apply"), "\(looked.errors)")
      #expect(try order() == before)
      func proposed() throws -> Bool {
        try morning(daemon).contains("--day Mon --technician maria applies it.")
      }
      #expect(try proposed())
      #expect(try run("apply").code == 0)
      #expect(try order() != before && Set(order()) == Set(before) && order().first == before.first)
      #expect(try !proposed())
      #expect(try run("undo").code == 0)
      #expect(try order() == before)
      // A pool without coordinates keeps its position in the route.
      let lost = try DemoStore.records("pools.json").first { $0["latitude"] as? Double == 0 }
      let name = try #require(lost?["customerName"] as? String)
      let details = try daemon.query(PoolsCall.Show.Reply.self, "pool", "show", name, "--team", team).details
      #expect(details.latitude == nil)
      func place() throws -> Int? {
        let reply = try daemon.query(
          RoutesCall.Show.Reply.self, "route", "show", "--team", team, "--day", "\(details.pool.day)", "--technician",
          details.pool.technician)
        return reply.routes.first?.stops.first { $0.customer == name }?.place
      }
      let stood = try place()
      try daemon.change(
        "route", "apply", "--team", team, "--day", "\(details.pool.day)", "--technician", details.pool.technician)
      #expect(try place() == stood && stood != nil)
    }

    @Test func `6: a customer's pool is shown, corrected and reported`() throws {
      let daemon = try daemon()
      try daemon.change(
        "pool", "set", "Steve Baird", "--team", team, "--contact", "Mrs Baird", "--phone", "480-555-0199", "--gate",
        "Keypad 9912", "--arrival", "after 9", "--tags", "tech:maria,vip")
      let plain = try daemon.ask("pool", "show", "Steve Baird", "--team", team).output
      #expect(plain.contains("Mrs Baird") && !plain.contains("9912") && !plain.contains("0199"))
      let all = try daemon.ask("pool", "show", "Steve Baird", "--team", team, "--reveal").output
      #expect(all.contains("9912") && all.contains("0199") && all.contains("after 9"))
      #expect(try morning(daemon, "--technician", "maria").contains("Wants after 9 AM"))
      let trend = try daemon.query(WaterCall.Trend.Reply.self, "pool", "trend", "Steve Baird", "--team", team)
      #expect(trend.points.count == 15 && trend.points.map(\.at) == trend.points.map(\.at).sorted())
      let usage = try daemon.query(WaterCall.Usage.Reply.self, "pool", "usage", "Steve Baird", "--team", team).usage
      let known = try visits(daemon, "Steve Baird")
      #expect(abs(usage.spent - known.map(\.cost).reduce(0, +)) < 0.01 && usage.top.count <= 5)
      let machine = ["Steve Baird", "Booster", "--team", team]
      try daemon.change(
        "equipment", "add", machine[0], machine[1], machine[2], machine[3], "--type", "pump", "--service", "2026-02-01")
      #expect(try daemon.ask("health", "--team", team).output.contains("Booster"))
      #expect(try morning(daemon, "--technician", "maria").contains("Booster"))
      // Corrected history: the pool's readings are those of its newest visit, not of an older one.
      let newest = try #require(known.first)
      let older = try #require(known.last)
      try daemon.change("visit", "set", newest.id, "--team", team, "--ph", "7.9", "--notes", "meter was off")
      try daemon.change("visit", "set", older.id, "--team", team, "--ph", "6.8")
      let details = try daemon.query(PoolsCall.Show.Reply.self, "pool", "show", "Steve Baird", "--team", team).details
      #expect(details.readings?.ph == 7.9)
      try daemon.change("visit", "remove", older.id, "--team", team, "--yes")
      #expect(try visits(daemon, "Steve Baird").count == known.count - 1)
      let page = try daemon.ask("report", "visit", "Steve Baird", "--team", team, "--format", "html")
      #expect(page.code == 0 && page.output.contains("7.9") && !page.output.contains("9912"))
      let file = "\(daemon.scratch.path)/all.csv"
      try daemon.change("export", "visits", "--team", team, "--output", file)
      #expect(try Files.text(file).contains("meter was off"))
    }
  }
}
