import PoolControl
import FlowControl
import FlowModel
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// The team setting `default-volume`, through the built programs.
  @Suite struct DefaultVolumeTests {
    private func gallons(_ one: OneTeam, _ customer: String) throws -> Double {
      let pools = try one.query(PoolsCall.List.Reply.self, "pool", "list").pools
      return try #require(pools.first { $0.customer == customer }).volumeGallons
    }

    private func bring(_ text: String, _ one: OneTeam) throws {
      try one.daemon.scratch.write("list.csv", text.utf8)
      _ = try one.ask("import", one.daemon.scratch.path + "/list.csv")
    }

    @Test(arguments: [
      ("America/Phoenix", "20000", 20_000, "20,000 gal"), ("America/Phoenix", "20000gal", 20_000, "20,000 gal"),
      ("Europe/Berlin", "50000", 13_209, "50,000 L"), ("Europe/Berlin", "50m3", 13_209, "50,000 L"),
      ("Europe/Berlin", "15000gal", 15_000, "56,781 L"), ("America/Phoenix", "56781L", 15_000, "15,000 gal"),
    ])
    func `a new pool gets the team's default volume, typed or imported`(
      zone: String, typed: String, expected: Int, shown: String
    ) throws {
      let one = try OneTeam("usual", zone: zone)
      try one.daemon.change("team", "set", "usual", "default-volume=\(typed)")
      let team = try one.daemon.ask("team", "show", "usual").output
      #expect(team.split(separator: "\n").contains { $0.hasPrefix("default-volume") && $0.hasSuffix(shown) }, "\(team)")
      _ = try one.ask("pool", "add", "Typed", "1 Elm St")
      try bring("customer_name,address,pool_volume\nListed,2 Elm St,\nOwn,3 Elm St,9000gal\n", one)
      #expect(Int(try gallons(one, "Typed").rounded()) == expected)
      #expect(Int(try gallons(one, "Listed").rounded()) == expected)
      #expect(Int(try gallons(one, "Own").rounded()) == 9_000)
    }

    @Test func `an explicit volume overrides the default; auto removes the default`() throws {
      let one = try OneTeam("usual", zone: "Europe/Berlin")
      try one.daemon.change("team", "set", "usual", "default-volume=60000")
      _ = try one.ask("pool", "add", "Named", "1 Elm St", "--volume", "40000")
      _ = try one.ask("pool", "add", "Abroad", "2 Elm St", "--region", "US")
      #expect(Int(try gallons(one, "Named").rounded()) == 10_567)
      #expect(try gallons(one, "Abroad") == 15_000)
      try one.daemon.change("team", "set", "usual", "default-volume=auto")
      _ = try one.ask("pool", "add", "Later", "3 Elm St")
      #expect(try gallons(one, "Later") == 13_209)
      #expect(try one.daemon.ask("team", "show", "usual").output.contains(/default-volume +auto/))
    }

    @Test func `an imported pool without a volume gets its country's usual one`() throws {
      let one = try OneTeam("usual", zone: "Europe/Berlin")
      try bring("customer_name,address\nListed,2 Elm St\n", one)
      #expect(try gallons(one, "Listed") == 13_209)
    }

    @Test func `a default volume is read in the units set by the same command`() throws {
      let one = try OneTeam("usual", zone: "America/Phoenix")
      try one.daemon.change("team", "set", "usual", "default-volume=50000", "units=metric")
      let settings = try one.daemon.query(TeamsCall.Show.Reply.self, "team", "show", "usual").team.settings
      #expect(settings.defaultVolumeText == "50,000 L" && settings.defaultVolumeGallons?.rounded() == 13_209)
    }

    @Test(arguments: [
      ("0", "Minimum 1,000 gal"), ("500", "Minimum 1,000 gal"), ("300000", "Maximum 200,000 gal"),
      ("many", "Enter a valid number"), ("-15000", "Minimum 1,000 gal"), ("nan", "Enter a valid number"),
      ("", "Enter pool volume"), ("1000L", "Minimum 3,785 L"),
    ])
    func `an impossible default volume is refused; the old one stays`(typed: String, why: String) throws {
      let one = try OneTeam("usual", zone: "America/Phoenix")
      try one.daemon.change("team", "set", "usual", "default-volume=20000")
      let refused = try one.daemon.ask("team", "set", "usual", "default-volume=\(typed)")
      #expect(
        refused.code != 0 && refused.errors.contains("default-volume") && refused.errors.contains(why), "\(refused)")
      #expect(try one.daemon.ask("team", "show", "usual").output.contains("20,000 gal"))
    }
  }
}
