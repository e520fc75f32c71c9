import FlowCalendar
import FlowModel
import FlowPlatform
import Testing

/// systemd 252's answers to 724 questions, and the list of intended differences.
@Suite struct SystemdVectorTests {
  struct Row {
    let key: String
    let expression: String
    let zone: String
    let after: Int64
    let expected: String
    let normalized: String
  }

  static func rows() throws -> [Row] {
    try Fixture.table("calendar.tsv").map { row in
      let expression = try #require(row["expression"])
      let zone = try #require(row["timezone"])
      let after = try #require(row["after"].flatMap { Int64($0) })
      return Row(
        key: "\(expression)\t\(zone)\t\(after)", expression: expression.replacing("\\n", with: "\n"), zone: zone,
        after: after, expected: try #require(row["expected"]), normalized: try #require(row["normalized"]))
    }
  }

  /// Our answer in the table's format, with as many instants as the row lists.
  static func answer(_ row: Row, count: Int) -> (answer: String, normalized: String) {
    guard let expression = try? CalendarExpression(row.expression),
      let zone = try? zones.zone(named: expression.zoneName ?? row.zone)
    else { return ("invalid", "") }
    let rule = CalendarRule(expression, zone: zone)
    let found = rule.occurrences(after: Timestamp(seconds: row.after)).prefix(count)
    let text = found.map { String($0.instant.seconds) }.joined(separator: ",")
    return (text.isEmpty ? "never" : text, expression.description)
  }

  @Test func `every row equals systemd or is a listed difference`() throws {
    var differences: [String: (ours: String, reason: String)] = [:]
    for row in try Fixture.table("differences.tsv") {
      let key = "\(row["expression"] ?? "")\t\(row["timezone"] ?? "")\t\(row["after"] ?? "")"
      differences[key] = (row["ours"] ?? "", row["reason"] ?? "")
    }
    var used: Set<String> = []
    for row in try Self.rows() {
      let count = max(1, row.expected.split(separator: ",").filter { $0 != "error" }.count)
      let ours = Self.answer(row, count: count)
      let isSame = ours.answer == row.expected && (ours.answer == "invalid" || ours.normalized == row.normalized)
      if isSame {
        if differences[row.key] != nil { Issue.record("no longer differs: \(row.key)") }
        continue
      }
      guard let known = differences[row.key] else {
        let systemd = "\(row.expected) [\(row.normalized)]"
        Issue.record("\(row.key): systemd \(systemd), ours \(ours.answer) [\(ours.normalized)]")
        continue
      }
      used.insert(row.key)
      #expect(known.ours == ours.answer, "\(row.key)")
      #expect(!known.reason.isEmpty)
    }
    #expect(Set(differences.keys).subtracting(used).isEmpty)
  }

  @Test func `if systemd gives up, the answer equals the independent model`() throws {
    var looked = 0
    for row in try Fixture.table("calendar.tsv") {
      guard let note = row["note"], note.contains("EDEADLK"), let model = note.split(separator: " ").last,
        let expression = row["expression"], let zone = row["timezone"], let after = row["after"].flatMap({ Int64($0) })
      else { continue }
      let found = try rule(expression, zone).occurrences(after: Timestamp(seconds: after))
        .prefix(model.split(separator: ",").count)
      #expect(found.map { String($0.instant.seconds) }.joined(separator: ",") == model, "\(expression) \(zone)")
      looked += 1
    }
    #expect(looked == 13)
  }
}
