import PoolControl
import FlowControl
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// The specification's golden cases, through the commands that a user types.
  @Suite struct GoldenCommandTests {
    private typealias Object = [String: Any]

    /// The cases of a golden file with name, input and expected values.
    private func cases(_ area: String) throws -> [(name: String, input: Object, expected: Object)] {
      let bytes = try Files.bytes("\(Checkout.root)/Tests/PoolChemistryTests/Fixtures/\(area).json")
      let file = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? Object)
      return try #require(file["cases"] as? [Object]).map { one in
        (
          try #require(one["name"] as? String), try #require(one["input"] as? Object),
          try #require(one["expected"] as? Object)
        )
      }
    }

    private func number(_ object: Object, _ key: String) throws -> Double {
      try #require((object[key] as? NSNumber)?.doubleValue, "\(key) of \(object)")
    }

    /// The JSON document of a command that needs no daemon.
    private func document(_ words: [String], in scratch: Scratch) throws -> Object {
      let answer = try Pfctl.run(words + ["--json"], in: scratch)
      #expect(answer.code == 0, "\(words): \(answer.errors)")
      return try #require(try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? Object)
    }

    @Test func `pfctl lsi gives every golden index with factors and class`() throws {
      let scratch = try Scratch()
      var asked = 0
      for (name, input, expected) in try cases("lsi") {
        let options = [
          ("--ph", "pH"), ("--temp", "waterTempF"), ("--calcium", "calciumHardness"),
          ("--alkalinity", "totalAlkalinity"),
          ("--cya", "cyanuricAcid"), ("--tds", "totalDissolvedSolids"),
        ]
        let words = try options.filter { input[$0.1] != nil }.flatMap { [$0.0, "\(try number(input, $0.1))"] }
        // The command refuses impossible readings; `WaterBalanceTests` checks those cases against the formula.
        let answer = try Pfctl.run(["lsi"] + words + ["--json"], in: scratch)
        if answer.code == ExitCode.usage, answer.errors.contains("must be between") { continue }
        asked += 1
        let told = try document(["lsi"] + words, in: scratch)
        for (ours, theirs) in [
          ("lsi", "lsiValue"), ("temperature_factor", "temperatureFactor"), ("calcium_factor", "calciumFactor"),
          ("alkalinity_factor", "alkalinityFactor"), ("solids_factor", "tdsFactor"),
          ("adjusted_alkalinity", "adjustedAlkalinity"),
        ] {
          let (got, should) = (try number(told, ours), try number(expected, theirs))
          #expect(abs(got - should) < 1e-9, "\(name), \(ours): \(got), not \(should)")
        }
        let condition = (told["condition"] as? String)?.lowercased().filter(\.isLetter)
        #expect(condition == (expected["status"] as? String)?.lowercased().filter(\.isLetter), "\(name)")
      }
      #expect(asked >= 60, "only \(asked) cases could be typed")
    }

    @Test func `pfctl dose gives every golden advice with amounts and costs`() throws {
      let scratch = try Scratch()
      var asked = 0
      for (name, input, expected) in try cases("dosing") {
        let (lsi, volume) = (try number(input, "lsi"), try number(input, "poolVolumeGallons"))
        // Cases with stock prices need `dose --pool`.
        guard volume > 0, (input["inventory"] as? [Any])?.isEmpty == true else { continue }
        let wanted = lsi < -0.3 ? "corrosive" : lsi > 0.3 ? "scaleForming" : "balanced"
        // The advice depends on the index's class only; find a temperature and solids that give the class.
        for (temperature, solids) in [(78, 1_000), (104, 300), (34, 6_000), (92, 500), (50, 2_000), (64, 1_000)] {
          let answer = try Pfctl.run(
            [
              "dose", "--ph", "\(try number(input, "pH"))", "--alkalinity", "\(try number(input, "totalAlkalinity"))",
              "--calcium", "\(try number(input, "calciumHardness"))", "--temp", "\(temperature)F", "--tds", "\(solids)",
              "--volume", "\(volume)gal", "--json",
            ], in: scratch)
          guard answer.code == 0 else { continue }
          let told = try #require(try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? Object)
          guard told["condition"] as? String == wanted else { continue }
          asked += 1
          func advice(_ object: Object, _ list: String, _ keys: [String]) -> [[String]] {
            ((object[list] as? [Object]) ?? []).map { one in
              keys.map { key in (one[key] as? NSNumber).map { "\($0.doubleValue)" } ?? one[key] as? String ?? "nothing"
              }
            }
          }
          let ours = advice(told, "advice", ["kind", "chemical", "type", "ounces", "cost"])
          let theirs = advice(
            expected, "recommendations", ["kind", "chemicalName", "chemicalType", "quantityOz", "estimatedCost"])
          #expect(ours == theirs, "\(name)")
          break
        }
      }
      #expect(asked >= 30, "only \(asked) cases could be typed")
    }

    @Test func `pool add uses every golden default of a region`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z", empty: true).start()
      try daemon.change("team", "add", "regions", "--zone", "America/Phoenix")
      try daemon.change("team", "plan", "regions", "paid")
      for (name, input, expected) in try cases("regions") {
        guard let region = input["region"] as? String else { continue }
        try daemon.change("pool", "add", "Pool \(region)", "1 Elm St", "--region", region)
        let shown = try daemon.query(PoolsCall.Show.Reply.self, "pool", "show", "Pool \(region)").details
        #expect(shown.pool.volumeGallons == (try number(expected, "poolVolumeGallons")), "\(name)")
        #expect(shown.monthlyFee == (try number(expected, "monthlyServiceFee")), "\(name)")
      }
    }

    @Test func `inventory list marks low stock as in every golden case`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z", empty: true).start()
      try daemon.change("team", "add", "stock", "--zone", "America/Phoenix")
      try daemon.change("inventory", "add", "Acid", "--type", "acid")
      for (name, input, expected) in try cases("inventory") {
        let (stock, threshold) = (try number(input, "currentStockOz"), try number(input, "lowStockThresholdOz"))
        // The command refuses negative amounts.
        guard stock >= 0, threshold >= 0 else { continue }
        try daemon.change("inventory", "set", "Acid", "--stock", "\(stock)oz", "--threshold", "\(threshold)oz")
        let items = try daemon.query(FieldCall.ListStock.Reply.self, "inventory", "list").items
        #expect(items.first { $0.name == "Acid" }?.low == (expected["isLowStock"] as? Bool), "\(name)")
      }
    }

    @Test(arguments: [30, 60, 90]) func `profit is the fees less the chemical costs of the period`(days: Int)
      throws
    {
      let now = try Date("2026-03-02T14:30:00Z", strategy: .iso8601)
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z").start()
      let report = try daemon.query(WaterCall.Profit.Reply.self, "profit", "--days", "\(days)").report
      var costs: [String: Double] = [:]
      for visit in try DemoStore.records("service_events.json") {
        let time = try #require(visit["timestamp"] as? String)
        let at = try Date(time, strategy: .iso8601)
        let age = now.timeIntervalSince(at)
        guard age >= 0, age <= Double(days) * 86_400 else { continue }
        let pool = try #require(visit["poolID"] as? String)
        costs[pool, default: 0] += try number(visit, "totalChemicalCost")
      }
      let pools = try DemoStore.records("pools.json")
      #expect(report.pools.count == pools.count)
      for pool in pools {
        let id = try #require(pool["id"] as? String)
        let told = try #require(report.pools.first { $0.id == id })
        let fee = try number(pool, "monthlyServiceFee")
        #expect(abs(told.profit - (fee - costs[id, default: 0])) < 0.005, "\(told)")
        #expect(told.loser == (fee > 0 && costs[id, default: 0] > 0.3 * fee), "\(told)")
      }
    }

    @Test func `the free plan has five pools and no paid feature`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:30:00Z", empty: true)
      try daemon.settings("[Daemon]\nPlanLimits = on\n")
      try daemon.start()
      try daemon.change("team", "add", "plans", "--zone", "America/Phoenix")
      try daemon.change("team", "plan", "plans", "free")
      for number in 1...5 { try daemon.change("pool", "add", "Pool \(number)", "\(number) Elm St", "--day", "Mon") }
      let paid = [["pool", "add", "Pool 6", "6 Elm St"], ["profit"], ["route", "optimise", "--day", "mon"]]
      for words in paid {
        let refused = try daemon.ask(words)
        #expect(refused.code != 0 && refused.errors.contains("is on the free plan"), "\(words): \(refused)")
      }
      for plan in [["trial"], ["paid"]] {
        #expect(try daemon.ask(["team", "plan", "plans"] + plan).code == 0)
        for words in paid.dropFirst() { #expect(try daemon.ask(words).code == 0, "\(plan): \(words)") }
      }
      try daemon.change("pool", "add", "Pool 6", "6 Elm St")
    }
  }
}
