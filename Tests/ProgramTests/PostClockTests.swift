import FlowModel
import FlowTestKit
import Foundation
import Testing

extension Programs {
  /// poolflow-post with a wrong clock: no message expires, nothing is deleted, and messages that expired too early are
  /// reopened.
  @Suite(.requires(.python3, .curl)) struct PostClockTests {
    private static let settings =
      "[Channel hook]\nType = webhook\nCredential = hook\n[Channel mail]\nType = smtp\nServer = smtp://MAIL\n"
      + "From = routes@example.com\n"

    private func post() throws -> (PostCase, MovedClock) {
      let post = try PostCase()
      try post.settings(Self.settings, credentials: ["hook": "http://WEB/say/hook"], timeout: 20)
      let now = Timestamp(milliseconds: Int64(Date.now.timeIntervalSince1970 * 1_000))
      return (post, try MovedClock(in: post.scratch, at: now))
    }

    private func answer(_ code: Int, in post: PostCase) throws {
      try post.scratch.write("seen/answers.json", Array(#"{"hook":[{"code":\#(code)}]}"#.utf8))
    }

    private func isTried(_ count: Int, _ post: PostCase) throws {
      try eventually("\(count) tries", { try post.requests().count >= count })
    }

    @Test func `a start with a clock 400 days ahead expires and deletes nothing`()
      throws
    {
      let (post, clock) = try post()
      let told = try post.scratch.folder("drop/receipts")
      let began = clock.now
      try answer(503, in: post)
      try post.put("waits", to: [("webhook", "hook")])
      try post.put("gone", to: [("mail", "rcpt5@example.com")])
      try post.put("done", to: [("mail", "fine@example.com")])
      try post.start(environment: clock.environment)
      _ = try post.receipts(2)
      try isTried(1, post)
      try post.stop()
      func names(_ folder: String) -> [String] {
        Files.names(in: "\(post.state)/\(folder)").filter { !$0.hasPrefix(".") }
      }
      let before = ["receipts", "dead", "done"].map(names)

      clock.step(by: .hours(24 * 400))
      try post.start(environment: clock.environment)
      try eventually("the doubt", { post.log.contains("the clock has jumped by more than a day") })
      #expect(try post.requests().count == 1, "nothing is sent on the first reading")
      clock.step(by: .seconds(61))
      try eventually("the second reading", { post.log.contains("the clock is believed again") })
      // The new file is processed: the loop has done all of its periodic work.
      try post.put("wrong-year", to: [("mail", "other@example.com")], lasting: 500 * 86_400)
      try eventually("another mail", { try post.mails().count == 2 })
      #expect(["receipts", "dead", "done"].map(names).enumerated().allSatisfy { Set($1).isSuperset(of: before[$0]) })
      #expect(Files.exists("\(post.state)/work/waits"))
      try post.stop()
      #expect(try post.receipts().allSatisfy { $0.event != "waits" })
      // The folder also has the sender's report; receipts have names of 54 characters.
      for name in Files.names(in: told) where name.utf8.count == 54 {
        let receipt = try JSONDecoder().decode(Told.self, from: Data(try Files.bytes("\(told)/\(name)")))
        guard receipt.event != "wrong-year" else { continue }
        #expect(try #require(Timestamp(rfc3339: receipt.at)) < began.advanced(by: .hours(1)), "\(receipt)")
      }

      clock.step(by: .zero - .hours(24 * 400) - .seconds(61))
      try answer(200, in: post)
      try post.put("done", to: [("mail", "fine@example.com")])
      try post.start(environment: clock.environment)
      try eventually("the one that waited", { try post.receipts().contains { $0.event == "waits" } })
      #expect(try post.receipts().first { $0.event == "waits" }?.verdict == "delivered")
      try eventually("an empty drop", { Files.names(in: post.drop + "/new").isEmpty })
      try post.stop()
      #expect(try post.mails().count { $0.to.contains("fine@") } == 1, "what was done is not done again")
      #expect(names("dead").count == 1)
    }

    private struct Told: Decodable {
      let event, at: String
    }

    @Test func `messages expired by a clock that was ahead are reopened after its correction`() throws {
      let (post, clock) = try post()
      try answer(503, in: post)
      try post.put("route", to: [("webhook", "hook")], lasting: 7_200)
      try post.start(environment: clock.environment)
      try isTried(1, post)
      clock.step(by: .hours(20))
      try eventually("its end", { try post.receipts().map(\.verdict) == ["expired"] })
      try answer(200, in: post)
      clock.step(by: .zero - .hours(20))
      try eventually("its delivery", { try post.receipts().map(\.verdict) == ["delivered"] })
      #expect(post.log.contains("a wrong clock ended 1 message too early: it is open again"))
      #expect(Files.names(in: post.state + "/dead").isEmpty)
      try post.stop()
      // The same across a restart.
      try answer(503, in: post)
      try post.put("second", to: [("webhook", "hook")], lasting: 7_200)
      clock.step(by: .hours(20))
      try post.start(environment: clock.environment)
      try eventually("its end", { try post.receipts().contains { $0.event == "second" && $0.verdict == "expired" } })
      try post.stop()
      try answer(200, in: post)
      clock.step(by: .zero - .hours(20))
      try post.start(environment: clock.environment)
      try eventually(
        "its delivery", { try post.receipts().contains { $0.event == "second" && $0.verdict == "delivered" } })
      try post.stop()
    }

    /// The clock jumps ahead at each of the next readings of the sender, so also between two readings of one step of its loop.
    @Test func `a message is reopened wherever the clock jumped within a step`() throws {
      let (post, clock) = try post()
      try post.start(environment: clock.environment)
      for reading in 1...4 {
        let event = "route\(reading)"
        let tries = try post.requests().count
        try answer(503, in: post)
        try post.put(event, to: [("webhook", "hook")], lasting: 7_200)
        try isTried(tries + 1, post)
        clock.step(by: .hours(20), atReading: Int64(reading))
        try eventually("its end", { try post.receipts().contains { $0.event == event && $0.verdict == "expired" } })
        try answer(200, in: post)
        clock.step(by: .zero - .hours(20))
        try eventually(
          "its delivery after a jump at reading \(reading)",
          { try post.receipts().contains { $0.event == event && $0.verdict == "delivered" } })
      }
      try post.stop()
    }

    @Test func `with an unset clock nothing is sent until the clock is set`() throws {
      let (post, clock) = try post()
      try answer(200, in: post)
      let right = clock.now
      clock.set(to: try #require(Timestamp(rfc3339: "1970-01-01T00:05:00Z")))
      try post.put("route", to: [("webhook", "hook")])
      try post.start(environment: clock.environment)
      try eventually("the word about it", { post.log.contains("the clock shows a date before 2024 and was never set") })
      #expect(Files.names(in: post.drop + "/new") == ["route.json"])
      clock.set(to: right)
      #expect(try post.receipts(1).map(\.verdict) == ["delivered"])
      try post.stop()
      #expect(post.log.contains("the clock is believed again"))
    }
  }
}
