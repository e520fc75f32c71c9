import FlowModel
import FlowSettings
import Testing

@testable import FlowPost

/// A message counts as accepted only if the service's own reply says so, not by the status code alone.
struct ServiceAnswerTests {
  private static let login = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>…</body></html>"

  private static func verdict(_ kind: PostSettings.Kind, _ status: Int, _ answer: String) -> SendVerdict {
    .judge(TransferResult(exit: 0, status: status, wasSent: true, answer: answer), kind: kind, at: noon)
  }

  @Test func `each service's own reply counts as acceptance`() {
    let table: [(PostSettings.Kind, Int, String)] = [
      (.ntfy, 200, #"{"id":"sPs71M8A2T","time":1643935928,"expires":1643936928,"event":"message","topic":"t"}"# + "\n"),
      (.telegram, 200, #"{"ok":true,"result":{"message_id":7,"text":"ünï"}}"#),
      (.matrix, 200, #"{"event_id":"$YUwRidLecu:example.com"}"#), (.slack, 200, "ok"), (.slack, 200, #"{"ok":true}"#),
      (.slack, 200, #"{"success":true}"#), (.teams, 202, ""), (.teams, 200, "1"), (.teams, 200, ""),
      (.webhook, 200, ""), (.webhook, 204, ""), (.webhook, 202, "Accepted"), (.webhook, 200, #"{"status":"ok"}"#),
      (.webhook, 200, "<?xml version=\"1.0\"?><Response/>"),
    ]
    for (kind, status, answer) in table {
      #expect(Self.verdict(kind, status, answer) == .delivered, "\(kind) \(answer)")
    }
  }

  @Test(arguments: [PostSettings.Kind.ntfy, .telegram, .matrix, .slack, .teams, .webhook])
  func `a login page is a channel failure at any status`(kind: PostSettings.Kind) {
    for page in [
      Self.login, "<html>Sign in</html>", " \u{FEFF}\n<HTML lang=\"en\">", "<!-- proxy --><html>", "<!doctype html><p>",
    ] {
      for status in [200, 201, 202, 203] {
        guard case .broken(let why) = Self.verdict(kind, status, page) else {
          Issue.record("\(kind) \(status): \(Self.verdict(kind, status, page))")
          continue
        }
        #expect(why.contains("a web page, such as a login or a proxy, answered") && !why.contains("Sign in"))
      }
    }
    // A webhook's receiver may phrase a refusal freely.
    for status in [400, 404, 413, 422] where kind != .webhook {
      guard case .broken = Self.verdict(kind, status, Self.login) else {
        Issue.record("\(kind) \(status)")
        continue
      }
    }
  }

  @Test func `a reply that is not the service's own leaves the outcome unknown`() {
    for kind in [PostSettings.Kind.ntfy, .telegram, .matrix, .slack] {
      for answer in ["", "{}", "[]", "null", #"{"status":"ok"}"#, #"{"id":""}"#, #"{"id":7}"#, "Accepted", "OK!", "{"] {
        guard case .unknown(_, .channel) = Self.verdict(kind, 200, answer) else {
          Issue.record("\(kind) \(answer): \(Self.verdict(kind, 200, answer))")
          continue
        }
      }
    }
    guard case .unknown(_, .channel) = Self.verdict(.teams, 200, "Webhook message delivery failed") else {
      Issue.record("a connector of Teams says its errors with 200")
      return
    }
    guard case .rateLimited = Self.verdict(.teams, 200, "Microsoft Teams endpoint returned HTTP error 429") else {
      Issue.record("a connector of Teams says 429 with 200")
      return
    }
  }

  @Test func `for Telegram the reply's content counts, not the status`() {
    #expect(
      Self.verdict(.telegram, 200, #"{"ok":false,"error_code":401,"description":"Unauthorized"}"#)
        == .broken("the server refused the credential (401)"))
    #expect(
      Self.verdict(.telegram, 200, #"{"ok":false,"error_code":429,"parameters":{"retry_after":7}}"#)
        == .rateLimited("the server wants fewer (429)", after: .seconds(7)))
    guard case .unknown(_, .channel) = Self.verdict(.telegram, 200, #"{"ok":false}"#) else {
      Issue.record("it names no code")
      return
    }
  }

  @Test func `a failure reported by the service itself is retried, others are unknown`() {
    let table: [(PostSettings.Kind, Int, String, Bool)] = [
      (.slack, 500, "rollup_error", true), (.slack, 500, "", false), (.slack, 502, Self.login, false),
      (.telegram, 500, #"{"ok":false,"error_code":500}"#, true), (.telegram, 504, "", false),
      (.matrix, 500, #"{"errcode":"M_UNKNOWN"}"#, true), (.matrix, 502, Self.login, false),
      (.ntfy, 507, "", true), (.ntfy, 500, #"{"code":50001,"http":500,"error":"internal server error"}"#, true),
      (.ntfy, 504, "", false), (.teams, 502, "", false), (.webhook, 500, "", false), (.webhook, 501, "", true),
    ]
    for (kind, status, answer, isLater) in table {
      let verdict = Self.verdict(kind, status, answer)
      switch verdict {
      case .later: #expect(isLater, "\(kind) \(status)")
      case .unknown(_, .message): #expect(!isLater, "\(kind) \(status)")
      default: Issue.record("\(kind) \(status): \(verdict)")
      }
    }
  }
}
