import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// `Fallback`: a second channel delivers what the first one does not.
  @Suite(.requires(.python3, .curl)) struct PostFallbackTests {
    private static let channels = """
      [Channel mail]
      Type = smtp
      Server = smtp://MAIL
      From = routes@example.com
      Fallback = push
      FallbackAfter = AFTER
      [Channel push]
      Type = ntfy
      Server = http://WEB/ok
      To = office
      Detail = stops
      """

    @Test func `a refused or late message goes to the fallback; others do not`() throws {
      let post = try PostCase()
      try post.settings(Self.channels.replacing("AFTER", with: "10min"), timeout: 30)
      try post.put("fine", to: [("mail", "fine@example.com"), ("ntfy", "fine")])
      try post.put("gone", to: [("ntfy", "gone"), ("mail", "rcpt5@example.com")])
      try post.put("others", to: [("mail", "other-rcpt5@example.com")])
      try post.start()
      _ = try post.receipts(6)
      try post.stop()
      // The mail server defers this address forever (4xx): neither delivered nor refused.
      try post.settings(Self.channels.replacing("AFTER", with: "1s"), timeout: 30)
      try post.put("late", to: [("mail", "end4@example.com"), ("ntfy", "late")])
      try post.start()
      let receipts = Dictionary(grouping: try post.receipts(8), by: \.event).mapValues { all in
        Dictionary(uniqueKeysWithValues: all.map { ($0.channel, $0) })
      }
      try eventually("an empty work folder", { Files.names(in: post.state + "/work").isEmpty })
      try post.stop()
      #expect(receipts["fine"]?.mapValues(\.verdict) == ["mail": "delivered", "push": "replaced"])
      #expect(receipts["gone"]?.mapValues(\.verdict) == ["mail": "refused", "push": "delivered"])
      #expect(receipts["gone"]?["push"]?.words == "accepted by ntfy, instead of [Channel mail]")
      #expect(receipts["late"]?.mapValues(\.verdict) == ["mail": "replaced", "push": "delivered"])
      #expect(receipts["late"]?["mail"]?.words.hasPrefix("[Channel push] delivered it instead") == true)
      #expect(receipts["others"]?.mapValues(\.verdict) == ["mail": "refused", "push": "delivered"])
      let topics = try post.requests().compactMap {
        try JSONSerialization.jsonObject(with: $0.bytes) as? [String: Any]
      }
      #expect(Set(topics.compactMap { $0["topic"] as? String }) == ["gone", "late", "office"] && topics.count == 3)
      let office = try #require(topics.first { $0["topic"] as? String == "office" })
      #expect((office["title"] as? String)?.hasPrefix("No se ha podido avisar a María: ") == true)
      // The recipient's own message lists the stops; the office's does not.
      let own = try #require(topics.first { $0["topic"] as? String == "gone" }?["message"] as? String)
      let told = try #require(office["message"] as? String)
      #expect(own.contains("1. ") && !told.contains("1. ") && told.count < own.count)
      #expect(try post.mails().map(\.to).filter { $0.contains("fine@") }.count == 1)
      // Only the two refused deliveries are dead letters, not the replaced ones.
      #expect(Files.names(in: post.state + "/dead").count == 2)
    }

    @Test func `poolflow-post killed at any file call delivers by exactly one channel`() throws {
      let post = try PostCase()
      try post.settings(Self.channels.replacing("AFTER", with: "10min"), timeout: 30)
      func put(_ id: String) throws {
        try post.put("fine\(id)", to: [("mail", "fine\(id)@example.com"), ("ntfy", "fine\(id)")])
        try post.put("gone\(id)", to: [("mail", "rcpt5-\(id)@example.com"), ("ntfy", "gone\(id)")])
      }
      func isDone(_ id: String) -> Bool {
        let done = Files.names(in: post.state + "/done")
        return done.contains("fine\(id)") && done.contains("gone\(id)") && Files.names(in: post.state + "/work").isEmpty
      }
      try put("0")
      try post.start(environment: try post.faults.environment(killAt: nil))
      try eventually("the end of both", { isDone("0") })
      try post.stop()
      let calls = post.faults.count
      let isSlow = ProcessInfo.processInfo.environment["POOLFLOW_SLOW"] != nil
      var kills = 0
      for number in stride(from: 1, through: calls, by: isSlow ? 1 : max(1, calls / 16)) {
        let id = "x\(number)"
        try put(id)
        try post.start(environment: try post.faults.environment(killAt: number))
        try eventually("an end", { post.program?.wait(by: Deadline(.zero)) != nil || isDone(id) })
        kills += post.program?.ending == .signal(SIGKILL) ? 1 : 0
        try post.kill()
        try post.start()
        try eventually("the end of both after a kill at \(number)", { isDone(id) })
        try post.kill()
        let receipts = try post.receipts().filter { $0.event.hasSuffix(id) }
        #expect(receipts.count == 4, "killed at \(number): \(receipts.map(\.words))")
        let topics = try post.requests().filter {
          $0.text.contains("\"gone\(id)\"") || $0.text.contains("\"fine\(id)\"")
        }
        #expect(topics.allSatisfy { $0.text.contains("\"gone\(id)\"") }, "killed at \(number): both ways")
        // A repeat has the same idempotency key, by which ntfy replaces the first message, and is marked as a repeat.
        let keys = try topics.map {
          (try JSONSerialization.jsonObject(with: $0.bytes) as? [String: Any])?["sequence_id"] as? String
        }
        #expect((1...2).contains(topics.count) && Set(keys).count == 1, "killed at \(number)")
        #expect(topics.dropFirst().allSatisfy { $0.text.contains("(repetido)") }, "killed at \(number)")
      }
      #expect(calls > 40 && kills > 10, "\(calls) calls, \(kills) kills")
    }
  }
}
