import FlowControl
import FlowModel
import FlowPlatform
import FlowStore
import Foundation
import Testing
import TradeStores

extension Programs {
  /// Personal notices, from a technician's address to the event in a sensitive sink's folder.
  @Suite struct PeopleTests {
    /// The events of a folder by recipient key; events without a recipient have an empty key.
    private func events(in folder: String) throws -> [String: [String: Any]] {
      var events: [String: [String: Any]] = [:]
      for name in Files.names(in: folder) where name.hasSuffix(".json") {
        let object = try JSONSerialization.jsonObject(with: Data(try Files.bytes("\(folder)/\(name)")))
        let event = try #require(object as? [String: Any])
        let data = try #require(event["data"] as? [String: Any])
        events[(data["recipient"] as? [String: Any])?["key"] as? String ?? ""] = event
      }
      return events
    }

    /// A daemon with a sensitive sink, in which each pool of the day has a unique gate code.
    private func stand() throws -> (daemon: Daemon, pools: [String]) {
      let daemon = try Daemon(at: "2026-03-02T20:00:00Z")
      try daemon.scratch.write(
        "poolflow.conf",
        "[Sink drop]\nType = file-drop\n[Sink crew]\nType = file-drop\nSensitive = yes\n[Sink line]\nType = stdout\n"
          .utf8)
      let connection = try Connection(path: daemon.state + "/poolflow.db", mode: .readWrite)
      let pools = try connection.rows("SELECT pool_id FROM pools WHERE service_day = 2 ORDER BY route_order, pool_id") {
        row throws(StoreError) in row.text(0)
      }
      for (number, pool) in pools.enumerated() {
        try connection.run(
          """
          INSERT INTO customer_profiles (team_id, pool_id, contact_name, contact_phone, contact_email, gate_access,
            arrival_window, tags) VALUES ((SELECT team_id FROM pools WHERE pool_id = ?1), ?1, 'Ann', '', '', ?2, '', '')
          ON CONFLICT (team_id, pool_id) DO UPDATE SET gate_access = ?2
          """, .text(pool), .text("gatecode\(number)x"))
      }
      try daemon.start()
      return (daemon, pools)
    }

    @Test
    func `a technician with an address gets a personal notice with own stops only`()
      throws
    {
      let (daemon, pools) = try stand()
      #expect(pools.count > 2)
      try daemon.change(
        "technician", "add", "zoe", "--team", "desert-blue", "--ntfy", "route-zoe", "--quiet-hours", "22:00-06:00")
      try daemon.change("technician", "add", "yan", "--team", "desert-blue")
      for (number, pool) in pools.enumerated() {
        try daemon.change(
          "pool", "set", pool, "--team", "desert-blue", "--tags", number == 1 ? "tech:yan" : "tech:zoe")
      }
      try daemon.change(
        "technician", "set", "YAN", "--team", "desert-blue", "--mail", "yan@example.com", "--language", "de")
      try daemon.change("technician", "set", "office", "--team", "desert-blue", "--slack", "crew")
      try daemon.change("run", "morning-summary", "--team", "desert-blue")
      try eventually("the crew has three", { try daemon.queue("crew").sent == 3 })
      let folder = daemon.state + "/outbox-crew/new"
      let events = try events(in: folder)
      func key(_ name: String) throws -> String {
        try #require(
          events.first {
            (($0.value["data"] as? [String: Any])?["recipient"] as? [String: Any])?["name"] as? String == name
          }
        ).key
      }
      let (zoeKey, yanKey) = (try key("zoe"), try key("yan"))
      let yan = try #require(events[yanKey])
      let id = try #require(yan["id"] as? String)
      #expect(id.hasSuffix("-\(yanKey)"))
      let recipient = try #require((yan["data"] as? [String: Any])?["recipient"] as? [String: Any])
      #expect(recipient["technician"] as? String == "yan")
      #expect(recipient["language"] as? String == "de" && recipient["quiet"] == nil)
      // Quiet hours are in the team's zone.
      #expect(recipient["zone"] as? String == "America/Phoenix")
      #expect(recipient["addresses"] as? [[String: String]] == [["channel": "mail", "address": "yan@example.com"]])
      #expect(yan["expirytime"] != nil && yan["dataref"] as? String == "\(id).html")
      #expect(Set(events.keys) == ["office", zoeKey, yanKey])
      let office = try #require((events["office"]?["data"] as? [String: Any])?["recipient"] as? [String: Any])
      #expect(
        office["technician"] == nil
          && office["addresses"] as? [[String: String]] == [["channel": "slack", "address": "crew"]])
      // Each person's event, page and calendar have that person's gate codes and no other.
      func files(_ key: String) throws -> String {
        let id = try #require(events[key]?["id"] as? String)
        return try ["json", "html", "ics"].map { try Files.text("\(folder)/\(id).\($0)") }.joined()
      }
      let (his, hers) = (try files(yanKey), try files(zoeKey))
      #expect(his.contains("gatecode1x") && !his.contains("gatecode0x") && !his.contains("gatecode2x"))
      #expect(hers.contains("gatecode0x") && hers.contains("gatecode2x") && !hers.contains("gatecode1x"))
      #expect(!his.contains("route-zoe") && !hers.contains("yan@example.com"))
      #expect(his.contains("BEGIN:VCALENDAR") && his.contains("Route für heute"))
      // Sinks that are not sensitive get the team's notice only.
      try eventually("the others have it", { try daemon.queue("drop").sent == 1 && daemon.queue("line").sent == 1 })
      let plain = try Files.tree(daemon.state + "/outbox").values.map { String(decoding: $0, as: UTF8.self) }.joined()
      #expect(!plain.contains("recipient") && !plain.contains("example.com") && !plain.contains("BEGIN:VCALENDAR"))
      let why = try daemon.ask("why", "morning-summary", "--team", "desert-blue").output
      let flat = why.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(flat.contains("own notices for 2 of 6 technicians; desert-blue: no address"), "\(why)")
      #expect(flat.contains("-\(yanKey) for yan"), "\(why)")
      let listed = try daemon.ask("outbox", "list", "--sink", "crew", "--plain").output
      #expect(listed.contains("\tyan\t-\n"), "\(listed)")
      #expect(try daemon.ask("why", id).output.contains("morning-summary"))
      #expect(try daemon.ask("history", "morning-summary").output.contains("2 notices of technicians' own"))
      #expect(try daemon.ask("outbox", "show", id).output.contains("yan"))
      #expect(try daemon.stop() == .exit(0))
    }

    @Test func `technician test reaches one person and names the accepting sink`() throws {
      let (daemon, _) = try stand()
      try daemon.change("technician", "set", "desert-blue", "--team", "desert-blue", "--telegram", "@mariapools")
      let answer = try daemon.ask("technician", "test", "desert-blue", "--team", "desert-blue")
      #expect(answer.code == 0 && answer.output.hasPrefix("'crew' accepted the test notice "), "\(answer)")
      let events = try events(in: daemon.state + "/outbox-crew/new")
      #expect(Array(events.keys) == ["t1"] && events["t1"]?["expirytime"] != nil)
      #expect(try daemon.queue("drop").sent == 0)
      let test = try daemon.query(OutboxCall.List.Reply.self, "outbox", "list", "--limit", "1").entries
      let id = try #require(test.first?.noticeId)
      #expect(id.contains("-person-test-"))
      let why = try daemon.ask("why", id)
      #expect(why.code == 67 && why.errors.contains("`pfctl outbox show`"), "\(why)")
      // With a single team `--team` is optional.
      let teamless = try daemon.ask("technician", "test", "desert-blue")
      #expect(teamless.code == 0 && teamless.output.hasPrefix("'crew' accepted the test notice "), "\(teamless)")
      let refused = try daemon.ask(
        "technician", "set", "desert-blue", "--team", "desert-blue", "--mail", "maria example")
      #expect(refused.code == 64 && refused.errors.contains("one @") && !refused.errors.contains("maria example"))
      #expect(try daemon.stop() == .exit(0))
    }
  }
}
