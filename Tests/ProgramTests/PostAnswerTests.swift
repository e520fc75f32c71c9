import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// poolflow-post and curl against every answer documented for the channels' services.
  @Suite(.requires(.python3, .curl)) struct PostAnswerTests {
    private enum End { case delivered, refused, noSuchAddress, broken, waits, unknown }

    /// A documented answer of a service and the delivery's expected outcome.
    private struct Row {
      let name: String
      let kind: String
      let answers: [[String: Any]]
      let end: End
      var tries = 1
      var stops = false

      init(
        _ name: String, _ kind: String, _ code: Int, _ body: String = "", _ end: End, headers: [String: String] = [:]
      ) {
        let answer: [String: Any] = ["code": code, "body": body, "headers": headers]
        (self.name, self.kind, self.end) = (name, kind, end)
        // A refusal that should be retried is followed by a success.
        answers = end == .delivered && code != 200 && code != 202 ? [answer, ["code": 200]] : [answer]
        tries = end == .refused || answers.count == 2 ? 2 : 1
      }

      init(_ name: String, _ kind: String, ending: String, _ end: End) {
        (self.name, self.kind, self.end, answers) = (name, kind, end, [["end": ending]])
        stops = end == .unknown
      }

      var isNamed: Bool { ["slack", "teams", "webhook"].contains(kind) }
      var address: String {
        isNamed ? name : ["ntfy": "topic", "telegram": "-100", "matrix": "!room:host"][kind] ?? ""
      }
      var section: String {
        let place = isNamed ? "" : "Server = http://WEB/say/\(name)\nTo = \(address)\n"
        return "[Channel \(name)]\nType = \(kind)\nCredential = \(name)\nTeams = desert-blue\n\(place)"
          + (stops ? "Unknown = stop\n" : "")
      }
    }

    /// Every documented answer with its expected outcome. Sources: ntfy, publishing and server errors; Telegram, Bot API;
    /// Slack, incoming webhooks; Teams, workflows; Matrix, client-server API.
    private static var rows: [Row] {
      var rows = [
        Row("n400", "ntfy", 400, #"{"code":40001,"http":400,"error":"invalid request"}"#, .refused),
        Row("n401", "ntfy", 401, #"{"code":40101,"http":401,"error":"unauthorized"}"#, .broken),
        Row("n403", "ntfy", 403, #"{"code":40301,"http":403,"error":"forbidden"}"#, .broken),
        Row("n413", "ntfy", 413, #"{"code":41301,"http":413}"#, .refused),
        Row("n429", "ntfy", 429, #"{"code":42908,"http":429,"error":"limit reached: daily quota"}"#, .waits),
        Row("n507", "ntfy", 507, "", .waits),
        Row("tmarkup", "telegram", 400, #"{"ok":false,"description":"Bad Request: can't parse entities"}"#, .delivered),
        Row("tlong", "telegram", 400, #"{"ok":false,"description":"Bad Request: message is too long"}"#, .refused),
        Row("t401", "telegram", 401, #"{"ok":false,"description":"Unauthorized"}"#, .broken),
        Row(
          "tblock", "telegram", 403, #"{"ok":false,"description":"Forbidden: bot was blocked by the user"}"#,
          .noSuchAddress),
        Row("tchat", "telegram", 400, #"{"ok":false,"description":"Bad Request: chat not found"}"#, .noSuchAddress),
        Row("tmoved", "telegram", 400, #"{"ok":false,"parameters":{"migrate_to_chat_id":-1005}}"#, .delivered),
        Row("tnowhere", "telegram", 400, #"{"ok":false,"parameters":{"migrate_to_chat_id":"x"}}"#, .noSuchAddress),
        Row("t429", "telegram", 429, #"{"ok":false,"parameters":{"retry_after":2}}"#, .delivered),
        Row("spayload", "slack", 400, "invalid_payload", .refused),
        Row("sblocks", "slack", 400, "invalid_blocks", .delivered),
        Row("stoken", "slack", 400, "invalid_token", .broken),
        Row("s403", "slack", 403, "action_prohibited", .broken), Row("s404", "slack", 404, "no_service", .broken),
      ]
      rows += [
        Row("s410", "slack", 410, "channel_is_archived", .broken),
        Row("s429", "slack", 429, "rate_limited", .delivered, headers: ["Retry-After": "2"]),
        Row("s500", "slack", 500, "rollup_error", .waits), Row("c202", "teams", 202, "", .delivered),
        Row("c400", "teams", 400, "", .refused), Row("c401", "teams", 401, "", .broken),
        Row("c404", "teams", 404, "", .broken),
        Row("c429", "teams", 429, "", .delivered, headers: ["Retry-After": "in 3 s"]),
        Row("m400", "matrix", 400, #"{"errcode":"M_BAD_JSON"}"#, .refused),
        Row("m401", "matrix", 401, #"{"errcode":"M_UNKNOWN_TOKEN"}"#, .broken),
        Row("m403", "matrix", 403, #"{"errcode":"M_FORBIDDEN"}"#, .noSuchAddress),
        Row("m413", "matrix", 413, #"{"errcode":"M_TOO_LARGE"}"#, .refused),
        Row("m429", "matrix", 429, #"{"errcode":"M_LIMIT_EXCEEDED","retry_after_ms":1500}"#, .delivered),
      ]
      rows += [
        Row("w301", "webhook", 301, "", .broken, headers: ["Location": "/ok"]),
        Row("w405", "webhook", 405, "", .broken),
        Row("w408", "webhook", 408, "", .waits), Row("w415", "webhook", 415, "", .refused),
        Row("w422", "webhook", 422, "", .refused), Row("w502", "webhook", 502, "", .waits),
        Row("w503", "webhook", 503, "", .delivered, headers: ["Retry-After": "1"]),
        Row("wempty", "webhook", ending: "empty", .waits), Row("wrst", "webhook", ending: "rst", .waits),
        // A channel with `Unknown = stop`, for example SMS: the service has no idempotency key, so no repeat is sent.
        Row("oempty", "webhook", ending: "empty", .unknown), Row("orst", "webhook", ending: "rst", .unknown),
        Row("ochat", "slack", ending: "empty", .unknown),
      ]
      return rows
    }

    @Test func `every documented answer of a service leads to its outcome, over curl`() throws {
      let post = try PostCase()
      let rows = Self.rows
      let hidden = "[Channel plain]\nType = webhook\nCredential = plain\nTeams = desert-blue\n"
      try post.settings(
        rows.map(\.section).joined() + hidden,
        credentials: Dictionary(
          uniqueKeysWithValues: rows.map { ($0.name, $0.isNamed ? "http://WEB/say/\($0.name)" : "token-\($0.name)") }
            // An https URL of a server without TLS.
            + [("plain", "https://WEB/ok")]), timeout: 30)
      try post.scratch.write(
        "seen/answers.json",
        try JSONSerialization.data(withJSONObject: Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.answers) }))
      )
      try post.put("team", to: nil)
      try post.start()
      let ending = rows.count { $0.end != .broken && $0.end != .waits }
      let receipts = Dictionary(
        uniqueKeysWithValues: try post.receipts(ending).map { ($0.channel, $0) })
      func isBroken(_ name: String) -> Bool { post.log.contains("[Channel \(name)] is broken: ") }
      try eventually(
        "all that is broken", { rows.allSatisfy { $0.end != .broken || isBroken($0.name) } && isBroken("plain") })
      try eventually("all that waits was tried") {
        let paths = try post.requests().map(\.path)
        return rows.allSatisfy { row in paths.contains { $0.split(separator: "/").dropFirst().first == row.name[...] } }
      }
      try post.stop()
      for row in rows {
        let receipt = receipts[row.name]
        #expect(isBroken(row.name) == (row.end == .broken), "\(row.name)")
        switch row.end {
        case .delivered: #expect(receipt?.verdict == "delivered", "\(row.name)")
        case .refused, .noSuchAddress: #expect(receipt?.verdict == "refused", "\(row.name)")
        case .unknown: #expect(receipt?.verdict == "unknown", "\(row.name)")
        case .broken, .waits: #expect(receipt == nil, "\(row.name)")
        }
        #expect(receipt == nil || receipt?.tries == row.tries, "\(row.name): \(receipt?.tries ?? 0)")
      }
      #expect(post.log.contains("[Channel plain] is broken: no encrypted connection can be made (curl 35)"))
      let requests = try post.requests()
      for name in ["oempty", "orst", "ochat", "w301"] {
        #expect(requests.count { $0.path.hasPrefix("/say/\(name)") } == 1, "\(name)")
      }
      // Answers of servers are not logged, because they may quote the message.
      for word in ["rollup_error", "token-", "Forbidden:", "/say/"] { #expect(!post.log.contains(word), "\(word)") }
    }

    @Test func `a Telegram group's new id is used and survives a kill`() throws {
      let post = try PostCase()
      try post.settings(
        "[Channel chat]\nType = telegram\nCredential = chat\nTeams = desert-blue\nServer = http://WEB/say/grown\nTo = -100777\n",
        credentials: ["chat": "token"], timeout: 30)
      let answers: [[String: Any]] = [
        ["code": 400, "body": #"{"ok":false,"parameters":{"migrate_to_chat_id":-100888}}"#], ["code": 502],
        ["code": 200],
      ]
      try post.scratch.write("seen/answers.json", try JSONSerialization.data(withJSONObject: ["grown": answers]))
      func chats() throws -> [String] {
        try post.requests().map { request in
          let body = try JSONSerialization.jsonObject(with: Data(request.text.utf8)) as? [String: Any]
          return "\(body?["chat_id"] ?? "")"
        }
      }
      try post.put("first", to: nil)
      try post.start()
      try eventually("the new number was tried", { try chats().count == 2 })
      try eventually("it waits", { try Files.text(post.state + "/channels.json").contains(#""waiting":1"#) })
      try post.kill()
      try post.start()
      #expect(try post.receipts(1).map(\.verdict) == ["delivered"])
      try post.put("second", to: nil)
      let receipts = try post.receipts(2)
      #expect(receipts.map(\.verdict) == ["delivered", "delivered"])
      #expect(receipts.allSatisfy { $0.words.contains("the group has a new number") }, "\(receipts.map(\.words))")
      #expect(try chats() == ["-100777", "-100888", "-100888", "-100888"])
      let file = try FileManager.default.attributesOfItem(atPath: post.state + "/moves.json")
      #expect((file[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      let told = post.log + receipts.map(\.words).joined()
      #expect(!told.contains("100777") && !told.contains("100888"), "\(told)")
      try post.stop()
    }
  }
}
