import FlowDelivery
import FlowModel
import FlowNotices
import Foundation
import Testing

/// Every event that poolflow writes is valid for other CloudEvents libraries.
struct CloudEventsTests {
  private let schema: JSONSchema
  private let event = NoticeEvent(source: "/poolflow/3f9a1c02")

  init() throws {
    let file = Bundle.module.bundleURL.appendingPathComponent("Fixtures/cloudevents-1.0.schema.json")
    schema = try JSONSchema(Array(try Data(contentsOf: file)))
  }

  @Test func `notices of every kind are valid events`() throws {
    let operators: [OperatorNotice] = [
      .sinkSick(sink: "drop", trouble: "gone"), .sinkWell(sink: "drop"),
      .deadLetters(sink: "drop", count: 3, reason: "no"), .test(sink: "drop", by: "root"),
    ]
    let notices =
      operators.map { $0.notice(at: slot.advanced(by: .milliseconds(5)), install: "3f9a1c02") } + [
        sampleNotice(), sampleNotice(expiresAt: slot.advanced(by: .hours(5))), sampleNotice(dataJSON: ""),
        sampleNotice(title: "\u{0}\u{1B}Zoë 🏊🏽‍♀️ \" \\ \n"),
      ]
    for notice in notices {
      #expect(try schema.complaints(about: event.bytes(of: notice)) == [], "\(notice.id)")
      #expect(try schema.complaints(about: event.bytes(of: notice, page: "\(notice.id).html")) == [], "\(notice.id)")
    }
  }

  @Test func `an event keeps its id and source across retries and restarts`() throws {
    let first = try JSONSerialization.jsonObject(with: Data(try event.bytes(of: sampleNotice()))) as? [String: Any]
    let second =
      try JSONSerialization.jsonObject(
        with: Data(try NoticeEvent(source: "/poolflow/3f9a1c02").bytes(of: sampleNotice(title: "changed"))))
      as? [String: Any]
    #expect(first?["id"] as? String == second?["id"] as? String)
    #expect(first?["source"] as? String == second?["source"] as? String)
  }

  @Test(arguments: [
    (#"{"id":"1","source":"/a","type":"t"}"#, "specversion is missing"),
    (#"{"specversion":"0.3","id":"1","source":"/a","type":"t"}"#, "none of"),
    (#"{"specversion":"1.0","id":"","source":"/a","type":"t"}"#, "$.id is too short"),
    (#"{"specversion":"1.0","id":"1","source":"a b","type":"t"}"#, "no URI reference"),
    (#"{"specversion":"1.0","id":"1","source":"/a","type":"t","time":"today"}"#, "not an RFC 3339 time"),
    (#"{"specversion":"1.0","id":"1","source":"/a","type":"t","Upper":"x"}"#, "does not match"),
    (#"{"specversion":"1.0","id":"1","source":"/a","type":"t","ext":{}}"#, "$.ext is not"),
    (#"{"specversion":"1.0","id":"1","source":"/a","type":"t","data":{},"data_base64":""}"#, "must not be"),
  ])
  func `the event schema refuses invalid events`(json: String, complaint: String) throws {
    let complaints = try schema.complaints(about: Array(json.utf8))
    #expect(complaints.contains { $0.contains(complaint) }, "\(complaints)")
  }

  @Test func `the journal catalogue explains every message id and no other`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("units/poolflow.catalog"), encoding: .utf8)
    let entries = text.split(separator: "\n").filter { $0.hasPrefix("-- ") }.map { String($0.dropFirst(3)) }
    #expect(Set(entries) == Set(JournalMessageID.allCases.map(\.rawValue)) && entries.count == Set(entries).count)
    for id in entries { #expect(id.wholeMatch(of: /[0-9a-f]{32}/) != nil) }
    // Each entry has a subject, its origin and a text.
    for part in text.split(separator: "\n-- ").dropFirst() {
      #expect(part.contains("\nSubject: ") && part.contains("\nDefined-By: poolflow\n\n"), "\(part)")
    }
    let operators: [(OperatorNotice, JournalMessageID)] = [
      (.sinkSick(sink: "drop", trouble: "gone"), .sinkSick), (.sinkWell(sink: "drop"), .sinkWell),
      (.deadLetters(sink: "drop", count: 3, reason: "no"), .deadLetters), (.test(sink: "drop", by: "root"), .sinkTest),
    ]
    for (notice, kind) in operators { #expect(JournalMessageID(of: notice.notice(at: slot, install: "x")) == kind) }
    #expect(JournalMessageID(of: sampleNotice()) == .teamNotice)
  }
}
