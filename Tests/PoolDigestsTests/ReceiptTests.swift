import FlowModel
import FlowNotices
import Testing

/// A receipt as a file that any program may have written.
struct ReceiptTests {
  private static let key = String(repeating: "0f", count: 16)
  private static let at = Timestamp(milliseconds: 1_795_435_200_123)

  private func receipt(_ words: String = "refused: no such mailbox (550)", code: Int? = 550) -> Receipt {
    Receipt(
      notice: "20260302T140000Z-morning-summary-1-0a1b2c3d-t12", delivery: Self.key, recipient: "t12", channel: "mail",
      kind: "smtp", outcome: .refused, words: words, code: code, tries: 2, at: Self.at)
  }

  @Test func `a receipt is read back as written, and its file name depends on its content`() throws {
    for original in [receipt(), receipt("", code: nil), receipt("\"é\\ 🏊\"")] {
      #expect(try Receipt(original.bytes) == original)
      #expect(original.bytes.count <= Limits.receiptBytes)
    }
    // Any server's answer: the written receipt can be read.
    for long in ["e", "é", "🏊", "👨‍👩‍👧‍👦", "e" + String(repeating: "\u{301}", count: 40)] {
      let words = Receipt.truncated(String(repeating: long, count: 400))
      let kept = words.utf8.count
      #expect(try Receipt(receipt(words).bytes).words == words && kept > Limits.receiptTextBytes - long.utf8.count)
    }
    let name = Receipt.fileName(of: Self.key, sum: String(repeating: "ab", count: 32))
    #expect(name == "\(Self.key).abababababababab.json" && Receipt.isFileName(name))
    #expect(
      ![".x.json.new", "x", ".json", String(repeating: "x", count: 70) + ".json"].contains(where: Receipt.isFileName))
  }

  @Test(arguments: [
    ("", "no receipt"), ("{}", "no receipt"), ("[1]", "no receipt"), ("\u{0}", "no receipt"),
    (#""key":"#, #""key":"a","key":"#), (#""tries":2"#, #""tries":-1"#), (#""tries":2"#, #""tries":2.5"#),
    (#""tries":2"#, #""tries":"2""#), (#""code":550"#, #""code":5500"#), ("refused\"", "eaten\""), ("mail", "ma il"),
    ("mail", "../mail"), ("smtp", ""), (#""t12""#, #""o3""#), (#""t12""#, #""t0""#),
    (#""t12""#, #""maria@example.com""#),
    ("20260302T140000Z-morning", "../../etc"), ("0f0f", "0F0F"), ("0f0f", "0f"), ("no such", "no\\u001b[2J"),
    ("no such", "no\\nsuch"), ("2026-11-23", "2026-13-23"), (#""at":"#, #""on":"#),
    ("no such", String(repeating: "x", count: 400)), ("no such", String(repeating: "x", count: 5_000)),
  ])
  func `an invalid receipt file is refused without being quoted`(part: String, other: String) {
    var text = String(decoding: receipt().bytes, as: UTF8.self)
    if other == "no receipt" { text = part } else { text = text.replacing(part, with: other, maxReplacements: 1) }
    let fault = #expect(throws: Receipt.Fault.self, "\(text)") { try Receipt(Array(text.utf8)) }
    #expect(fault?.description.contains("example.com") == false)
  }
}
