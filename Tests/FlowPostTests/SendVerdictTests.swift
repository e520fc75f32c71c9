import FlowModel
import FlowNotices
import FlowSettings
import Testing

@testable import FlowPost

struct SendVerdictTests {
  private enum Kind { case delivered, refused, noSuchAddress, broken, later, everybodysLater, unknown, moved }

  private static func kind(_ verdict: SendVerdict) -> Kind {
    switch verdict {
    case .delivered: .delivered
    case .refused: .refused
    case .noSuchAddress: .noSuchAddress
    case .broken: .broken
    case .singledOut: .refused
    case .later(_, _, let affectsWholeServer): affectsWholeServer ? .everybodysLater : .later
    case .rateLimited: .everybodysLater
    case .unknown: .unknown
    case .moved: .moved
    }
  }

  @Test func `a moved group is tried once under its new number, at once`() throws {
    let answer = #"{"ok":false,"parameters":{"migrate_to_chat_id": -1005}}"#
    let verdict = SendVerdict.judge(
      TransferResult(exit: 0, status: 400, wasSent: true, answer: answer), kind: .telegram, at: noon)
    #expect(verdict == .moved(to: "-1005"))
    let event = try event()
    var delivery = Delivery(
      event: event, recipient: "t12", channel: "chat", kind: "telegram", address: "-100", quiet: nil, takenAt: noon)
    (delivery.tries, delivery.isUnderWay) = (1, true)
    delivery.applyOutcome(verdict, at: noon, jitter: 1)
    #expect(delivery.end == nil && delivery.notBefore == noon.milliseconds && !delivery.isUnderWay)
    var brought = delivery
    brought.applyOutcome(.delivered, at: noon, jitter: 1)
    #expect(brought.receipt.words.contains("a new number") && brought.receipt.words.contains("`pfctl technician set`"))
    #expect(!brought.receipt.words.contains("100"))
    delivery.applyOutcome(verdict, at: noon, jitter: 1)
    #expect(delivery.end == .refused && !delivery.receipt.words.contains("1005"))
  }

  @Test func `moved groups are known by all their names, in limited number`() {
    var moves = ChatIDChanges()
    moves.add("-1", to: "-2")
    moves.add("-2", to: "-3")
    #expect(moves["-1"] == "-3" && moves["-2"] == "-3" && moves["-3"] == nil)
    // A later answer replaces the name.
    moves.add("-1", to: "-4")
    #expect(moves["-1"] == "-4" && moves["-2"] == "-4")
    for number in 10...(ChatIDChanges.limit + 20) { moves.add("-\(number)", to: "-9\(number)") }
    #expect(moves["-1"] == nil && moves["-\(ChatIDChanges.limit + 20)"] != nil)
  }

  @Test func `every HTTP status has its verdict`() {
    let forbidden = #"{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}"#
    let table: [(Int, PostSettings.Kind, String, Kind)] = [
      (200, .slack, "ok", .delivered), (202, .teams, "", .delivered), (204, .webhook, "", .delivered),
      (301, .webhook, "", .broken), (302, .ntfy, "", .broken), (400, .webhook, "", .refused),
      (400, .slack, "invalid_token", .broken), (400, .slack, "invalid_blocks", .refused),
      (400, .telegram, #"{"description":"Bad Request: chat not found"}"#, .noSuchAddress),
      (400, .telegram, #"{"parameters":{"migrate_to_chat_id":-1005}}"#, .moved),
      (400, .telegram, #"{"parameters":{"migrate_to_chat_id":"x"}}"#, .noSuchAddress),
      (400, .ntfy, #"{"parameters":{"migrate_to_chat_id":-1005}}"#, .refused),
      (400, .telegram, #"{"description":"Bad Request: can't parse entities"}"#, .refused),
      (401, .matrix, "", .broken), (401, .telegram, "", .broken), (403, .webhook, "", .broken),
      (403, .telegram, forbidden, .noSuchAddress), (403, .telegram, "", .broken),
      (403, .ntfy, #"{"code":40301,"http":403,"error":"forbidden"}"#, .broken), (404, .slack, "no_service", .broken),
      (403, .matrix, #"{"errcode":"M_FORBIDDEN"}"#, .noSuchAddress), (403, .matrix, "", .broken),
      (404, .matrix, #"{"errcode":"M_NOT_FOUND"}"#, .noSuchAddress),
      (404, .matrix, #"{"errcode":"M_UNRECOGNIZED"}"#, .broken), (402, .webhook, "", .broken),
      (409, .webhook, "", .broken), (426, .webhook, "", .broken), (405, .webhook, "", .broken),
      (408, .webhook, "", .later), (410, .slack, "channel_is_archived", .broken), (413, .ntfy, "", .refused),
      (415, .webhook, "", .refused), (422, .webhook, "", .refused), (425, .webhook, "", .later),
      (429, .ntfy, "", .everybodysLater), (500, .slack, "rollup_error", .later), (502, .webhook, "", .unknown),
      (503, .webhook, "", .everybodysLater), (507, .ntfy, "", .later), (100, .webhook, "", .everybodysLater),
    ]
    for (status, channel, answer, expected) in table {
      let result = TransferResult(exit: 0, status: status, wasSent: true, answer: answer)
      #expect(Self.kind(.judge(result, kind: channel, at: noon)) == expected, "\(status) \(channel)")
    }
  }

  @Test func `every curl exit without a mail server's reply has its verdict`() {
    let table: [(Int?, Kind)] = [
      (0, .delivered), (7, .everybodysLater), (6, .everybodysLater), (67, .broken), (64, .broken), (2, .broken),
      (26, .broken), (28, .everybodysLater), (56, .everybodysLater), (nil, .everybodysLater),
    ]
    for (exit, expected) in table {
      let result = TransferResult(exit: exit, wasSent: true)
      #expect(Self.kind(.judge(result, kind: .smtp, at: noon)) == expected, "\(String(describing: exit))")
    }
  }

  @Test func `a sent message without a reply is unknown, an unsent one is retried`() {
    for exit in [18, 28, 52, 55, 56, 92] {
      let sent = TransferResult(exit: exit, status: exit == 18 ? 200 : 0, wasSent: true)
      #expect(Self.kind(.judge(sent, kind: .slack, at: noon)) == .unknown, "\(exit)")
      let unsent = TransferResult(exit: exit, wasSent: false)
      #expect(Self.kind(.judge(unsent, kind: .slack, at: noon)) == .everybodysLater, "\(exit)")
    }
    for exit in [1, 2, 3, 26, 35, 60, 67, 77] {
      #expect(Self.kind(.judge(TransferResult(exit: exit), kind: .webhook, at: noon)) == .broken, "\(exit)")
    }
    // A reply that was cut after enough bytes; and a body that curl could not read and sent empty.
    let long = TransferResult(exit: 23, status: 200, wasSent: true)
    #expect(SendVerdict.judge(long, kind: .webhook, at: noon) == .delivered)
    let empty = TransferResult(exit: 0, status: 200, wasSent: true, isWhole: false)
    #expect(Self.kind(.judge(empty, kind: .webhook, at: noon)) == .everybodysLater)
  }

  @Test func `every sendmail exit has its verdict, by the quoted code if present`() {
    let table: [(Int?, Int, Kind)] = [
      (0, 0, .delivered), (64, 0, .broken), (65, 0, .refused), (65, 550, .noSuchAddress), (65, 554, .broken),
      (67, 0, .noSuchAddress), (68, 0, .everybodysLater), (69, 0, .everybodysLater), (69, 451, .later),
      (69, 552, .refused), (69, 554, .refused), (70, 0, .everybodysLater), (71, 0, .everybodysLater),
      (74, 0, .everybodysLater), (75, 0, .everybodysLater), (76, 0, .unknown), (77, 0, .broken), (78, 0, .broken),
      (126, 0, .broken), (127, 0, .broken), (nil, 0, .unknown),
    ]
    for (exit, code, expected) in table {
      let dialogue = code == 0 ? MailDialogue() : MailDialogue(exit == 69 ? .end : .recipient, MailReply(code))
      let verdict = SendVerdict.judge(
        TransferResult(exit: exit, status: code, dialogue: dialogue), kind: .sendmail, at: noon)
      #expect(Self.kind(verdict) == expected, "\(String(describing: exit)) \(code)")
    }
  }

  @Test func `an at-most-once message is not sent again after an ambiguous reply`() {
    for (status, expected) in [
      (500, Kind.unknown), (502, .unknown), (504, .unknown), (503, .everybodysLater), (429, .everybodysLater),
    ] {
      let result = TransferResult(exit: 0, status: status, wasSent: true)
      #expect(Self.kind(.judge(result, kind: .webhook, at: noon, isOnce: true)) == expected, "\(status)")
    }
    let hung = TransferResult(exit: nil, isHung: true)
    #expect(Self.kind(.judge(hung, kind: .sendmail, at: noon, isOnce: true)) == .unknown)
  }

  @Test func `a retry-after is read as seconds, as a date and from the reply`() {
    #expect(RetryAfter.read("120", answer: "", .webhook, noon) == .seconds(120))
    #expect(RetryAfter.read("Mon, 23 Nov 2026 12:02:00 GMT", answer: "", .webhook, noon) == .seconds(120))
    #expect(RetryAfter.read("Mon, 23 Nov 2026 11:00:00 GMT", answer: "", .webhook, noon) == .zero)
    #expect(RetryAfter.read("soon", answer: "", .webhook, noon) == nil)
    #expect(RetryAfter.read(nil, answer: #"{"parameters":{"retry_after": 7}}"#, .telegram, noon) == .seconds(7))
    #expect(RetryAfter.read(nil, answer: #"{"retry_after_ms":2500}"#, .matrix, noon) == .milliseconds(2_500))
    #expect(RetryAfter.read("99999999999", answer: "", .webhook, noon) == .hours(24))
  }
}
