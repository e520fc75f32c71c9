import FlowDelivery
import FlowModel
import FlowNotices
import Foundation
import Testing

struct NoticeEventTests {
  private let event = NoticeEvent(source: "/poolflow/3f9a1c02")

  @Test func `an event is one line of CloudEvents JSON in a fixed order`() throws {
    let notice = sampleNotice(17, expiresAt: slot.advanced(by: .hours(5)))
    let expected =
      #"{"specversion":"1.0","id":"20260302T140000Z-morning-summary-17-f3a91c02","source":"/poolflow/3f9a1c02","#
      + #""type":"org.poolflow.morning-summary","subject":"Desert Blue","time":"2026-03-02T14:00:00Z","#
      + #""datacontenttype":"application/json","expirytime":"2026-03-02T19:00:00Z","data":{"#
      + #""identifier":"poolflow.notification.morningRouteSummary.2","title":"3 stops today","#
      + #""body":"First stop: Alder Court","lines":["1. Alder Court","2. \"The Grove\""],"team":"Desert Blue","#
      + #""job":"morning-summary","severity":"notice","slot":"2026-03-02T14:00:00Z","late_s":2,"#
      + #""details":{"stops":3}}}"#
    #expect(String(decoding: try event.bytes(of: notice), as: UTF8.self) == expected)
    #expect(try event.bytes(of: notice) == event.bytes(of: notice))
  }

  @Test(arguments: [
    "plain", "quote \" backslash \\ slash /", "tab\tnew\nline\r", "\u{0}\u{1B}[2J\u{7F}", "Zoë 🏊🏽‍♀️ \u{2028}",
  ])
  func `any text is encoded without loss`(text: String) throws {
    let bytes = try event.bytes(of: sampleNotice(title: text, dataJSON: ""))
    #expect(bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    let object = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let data = try #require(object["data"] as? [String: Any])
    #expect(data["title"] as? String == text)
    #expect(data["details"] == nil && object["expirytime"] == nil)
  }

  @Test func `details with line breaks still make one line`() throws {
    let bytes = try event.bytes(of: sampleNotice(dataJSON: "{\n  \"stops\": 3\r\n}"))
    #expect(!bytes.contains(0x0A) && !bytes.contains(0x0D))
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
  }

  @Test(arguments: [
    "[]", "3", "{", "{}{}", "{\"a\":}", "null", " ", "{\"a\":01}", "{\"a\":1.}", "{\"a\":.5}", "{\"a\":1e}",
    "{\"a\":+1}",
    "{\"a\":1,}", "{,}", "{\"a\" 1}", "{a:1}", "{\"a\":\"b}", "{\"a\":\"\u{1}\"}", "{\"a\":\"\\x\"}",
    "{\"a\":\"\\u12G4\"}",
    "{\"a\":\"\\uD800\"}", "{\"a\":\"\\uDC00\"}", "{\"a\":tru}", "{\"a\":[1 2]}", "{\"a\":[1}", "{} x",
    "{\"a\":" + String(repeating: "[", count: 600) + String(repeating: "]", count: 600) + "}",
  ])
  func `details that are not one object are refused`(json: String) {
    #expect(throws: DeliveryError.invalidDetails(notice: sampleNotice().id)) {
      try event.bytes(of: sampleNotice(dataJSON: json))
    }
  }

  @Test(arguments: [
    "{}", " {\t\"a\" :\r\n[ ] } ", "{\"a\":[-0,0.5,1e9,1E-9,-12.25e+3,true,false,null,{}]}",
    "{\"\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83C\\uDF0A\u{7F}Zo\u{EB}\"}",
  ])
  func `details that are one object are sent unchanged`(json: String) throws {
    let bytes = try event.bytes(of: sampleNotice(dataJSON: json))
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(bytes)) }
  }

  @Test func `text output shows the delay and escapes control characters`() {
    let text = NoticeText.lines(of: sampleNotice(title: "3 stops\u{1B}[31m\u{202E}", lateness: .seconds(3_905)))
    #expect(
      text == """
        2026-03-02T14:00:00Z Desert Blue: 3 stops\\u{1B}[31m\\u{202E} (1 h 5 min late)
          First stop: Alder Court
          1. Alder Court
          2. "The Grove"

        """)
  }
}
