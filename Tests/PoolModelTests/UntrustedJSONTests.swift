import PoolModel
import Testing

struct UntrustedJSONTests {
  @Test(arguments: [
    (#"{"a":1,"a":2}"#, "a"),
    (#"{"a":{"b":[0,{"c":1,"d":{},"c":2}]}}"#, "a.b.1.c"),
    (#"{"a":1,"\u0061":2}"#, "a"),
    (#"{"\u0061\u0062":1,"ab":2}"#, "ab"),
    (#"{"\ud83d\ude00":1,"😀":2}"#, "😀"),
    ("{\"e\u{301}\":1,\"\u{E9}\":2}", "e\u{301}"),
    (#"{"":1,"":2}"#, ""),
    (#"{"a\"b":1,"a\"b":2}"#, "a\"b"),
    (#"[[{"k":0}],{"k":{"k":1},"k":2}]"#, "1.k"),
    (#"{"a\\":1,"a\\":2}"#, #"a\"#),
    (#"{"line\nfeed":1, "line\u000Afeed" :2}"#, "line\nfeed"),
  ])
  func `a duplicate key is found at any depth and in any notation`(text: String, path: String) {
    // The error names the later key as it is written; both are the same text.
    #expect(UntrustedJSON.fault(in: Array(text.utf8)) == .repeatedKey(path: path))
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"a":{"a":{"a":1}}}"#, #"[{"a":1},{"a":1}]"#, #"{"a":"a","b":"a"}"#, #"{"a":["a","a"],"b":1}"#,
    #"{"a":"\"a\":1,\"a\":2"}"#, #"{"A":1,"a":2}"#, #""a""#, #"{"a":1"#, #"{"a"#, #"{"\"#, #"{"\u00"#, "}}]]{[",
    #"{"a\\":"a\\","a":1}"#, #"{"a":{},"b":{},"c":[],"d":1}"#,
  ])
  func `equal keys in different objects and equal values are no duplicates`(text: String) {
    #expect(UntrustedJSON.fault(in: Array(text.utf8)) == nil)
  }

  @Test func `nesting as deep as a frame's length is checked without recursion`() {
    let deep = Array(repeating: UInt8(ascii: "["), count: 200_000) + Array(#"{"a":1,"a":2}"#.utf8)
    #expect(UntrustedJSON.fault(in: deep)?.path.hasSuffix(".0.a") == true)
  }

  /// Read as integers, the first two numbers crash the decoder.
  @Test(arguments: [
    "9007199254740993" + String(repeating: "0", count: 150) + "e-150",
    "0." + String(repeating: "0", count: 200) + "9007199254740993e216", String(repeating: "9", count: 65),
    "-" + String(repeating: "1", count: 1_000_000), "1" + String(repeating: "e", count: 64),
  ])
  func `an overlong number is refused before decoding`(number: String) {
    for (text, path) in [("{\"a\":[0,\(number)]}", "a.1"), (number, ""), ("{\"a\":\(number)", "a")] {
      #expect(UntrustedJSON.fault(in: Array(text.utf8)) == .longNumber(path: path))
      #expect(throws: UntrustedJSON.Fault.longNumber(path: path)) {
        try UntrustedJSON.decode([String: [Int]].self, from: Array(text.utf8))
      }
    }
    #expect(UntrustedJSON.fault(in: Array("{\"a\":\"\(number)\"}".utf8)) == nil, "a text may say it")
  }

  @Test func `a number of the maximum length is read`() throws {
    let number = "0." + String(repeating: "0", count: 57) + "1e57"
    #expect(number.utf8.count == 63 && UntrustedJSON.fault(in: Array("[\(number)]".utf8)) == nil)
    #expect(try UntrustedJSON.decode([Double].self, from: Array("[\(number),-12.5e+2,0]".utf8)) == [0.1, -1_250, 0])
  }

  @Test func `a character with thousands of combining marks is refused at once`() {
    func marks(_ count: Int) -> String { "a" + String(repeating: "\u{301}", count: count) }
    for text in [
      "{\"\(marks(1_000))\":1}", "{\"k\":\"\(marks(25_000))\"}", "[[\"\(marks(200_000))\"]]",
      "[\"a" + String(repeating: "\\u0301\\u0327", count: 100_000) + "\"]",
      "{\"m" + String(repeating: "\u{327}", count: 600) + String(repeating: "\\u0301", count: 600) + "\":1}",
    ] {
      guard case .endlessMarks = UntrustedJSON.fault(in: Array(text.utf8)) else {
        Issue.record("not refused: \(text.unicodeScalars.count) characters and marks")
        continue
      }
    }
    for text in [
      "{\"\(marks(999))\":\"\(marks(24_999))\"}", "[\"" + String(repeating: marks(30), count: 1_000) + "\"]",
      "[\"Việt Nam, हिन्दी, ภาษาไทย, עִבְרִית\"]", "[\"\\u202e\\ud83d\\ude00\"]",
    ] { #expect(UntrustedJSON.fault(in: Array(text.utf8)) == nil) }
  }
}
