import PoolModel
import Testing

struct RepeatedKeyTests {
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
  func `a key that its object says twice is found, at whatever depth and however it is written`(
    text: String, path: String
  ) {
    // The later one is named, in its own letters; they are the same text.
    #expect(RepeatedKey.path(in: Array(text.utf8)) == path)
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"a":{"a":{"a":1}}}"#, #"[{"a":1},{"a":1}]"#, #"{"a":"a","b":"a"}"#, #"{"a":["a","a"],"b":1}"#,
    #"{"a":"\"a\":1,\"a\":2"}"#, #"{"A":1,"a":2}"#, #""a""#, #"{"a":1"#, #"{"a"#, #"{"\"#, #"{"\u00"#, "}}]]{[",
    #"{"a\\":"a\\","a":1}"#, #"{"a":{},"b":{},"c":[],"d":1}"#,
  ])
  func `equal keys of different objects, equal values and bytes that are no JSON are no repetition`(text: String) {
    #expect(RepeatedKey.path(in: Array(text.utf8)) == nil)
  }

  @Test func `nesting as deep as a frame is long is followed without a stack`() {
    let deep = Array(repeating: UInt8(ascii: "["), count: 200_000) + Array(#"{"a":1,"a":2}"#.utf8)
    #expect(RepeatedKey.path(in: deep)?.hasSuffix(".0.a") == true)
  }
}
