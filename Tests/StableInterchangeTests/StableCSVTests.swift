import FlowModel
import FlowTestKit
import Foundation
import PoolInterchange
import StableInterchange
import StableModel
import Testing

struct StableCSVTests {
  @Test func `every file of horses, feed and care gives the expected result`() throws {
    var kinds: [String: Int] = [:]
    for row in try StableFixtures<CSVCase>.load() where row.kind == "csv" {
      var names = StableNames()
      let existing = try #require(row.existing).records(&names)
      let table: StableTable
      do throws(StableFileError) {
        table = try StableTable.read(fixtureBytesOrNone(row))
      } catch {
        guard case .missingRequiredColumns(let columns) = error else {
          Issue.record("\(row.name): \(error)")
          continue
        }
        #expect(row.expected.error == "missingRequiredColumns", "\(row.name)")
        #expect(columns.map(\.rawValue) == row.expected.value, "\(row.name)")
        continue
      }
      kinds[table.kind.rawValue, default: 0] += 1
      var made = 0
      let plan = table.plan(over: existing, today: try date(row.today)) {
        made += 1
        return HorseID(Samples.uuid(10_000 + made))
      } makeCare: {
        made += 1
        return CareEventID(Samples.uuid(10_000 + made))
      }
      #expect(row.expected.error == nil, "\(row.name)")
      #expect(plan.kind.rawValue == row.expected.kind, "\(row.name)")
      #expect(plan.encoding.rawValue == row.expected.encoding, "\(row.name)")
      #expect(String(plan.delimiter.rawValue) == row.expected.delimiter, "\(row.name)")
      #expect(plan.created == row.expected.created, "\(row.name)")
      #expect(plan.updated == row.expected.updated, "\(row.name)")
      #expect(plan.skipped == row.expected.skipped, "\(row.name)")
      let issues = plan.issues.map {
        CSVCase.Issue(row: $0.row, severity: $0.severity.rawValue, field: $0.field.rawValue)
      }
      #expect(issues == row.expected.issues, "\(row.name)")
      try compare(plan, row)
    }
    for kind in ["horses", "feed", "care"] { #expect(kinds[kind] ?? 0 > 0) }
  }

  private func fixtureBytesOrNone(_ row: CSVCase) -> [UInt8] {
    do { return try row.source.bytes } catch {
      Issue.record(error)
      return []
    }
  }

  /// Compares the records after the import.
  private func compare(_ plan: StablePlan, _ row: CSVCase) throws {
    let names = Dictionary(uniqueKeysWithValues: plan.after.horses.map { ($0.id, $0.name) })
    if let expected = row.expected.horses {
      #expect(plan.after.horses.map(CSVCase.GivenHorse.init) == expected, "\(row.name)")
    }
    if let expected = row.expected.schedules {
      let found = Dictionary(
        uniqueKeysWithValues: plan.after.schedules.map { (names[$0] ?? "", CSVCase.Schedule($1)) })
      #expect(found == expected, "\(row.name)")
    }
    if let expected = row.expected.events {
      #expect(plan.after.care.map { CSVCase.Event($0, names[$0.horseID] ?? "") } == expected, "\(row.name)")
    }
  }

  @Test func `importing the same file twice changes nothing`() throws {
    for row in try StableFixtures<CSVCase>.load() where row.kind == "csv" && row.expected.error == nil {
      var names = StableNames()
      let existing = try #require(row.existing).records(&names)
      let table = try StableTable.read(try row.source.bytes)
      var made = 0
      func plan(_ records: StableRecords) throws -> StablePlan {
        table.plan(over: records, today: try date(row.today)) {
          made += 1
          return HorseID(Samples.uuid(10_000 + made))
        } makeCare: {
          made += 1
          return CareEventID(Samples.uuid(10_000 + made))
        }
      }
      let first = try plan(existing)
      let second = try plan(first.after)
      #expect(second.after == first.after && second.created == 0, "\(row.name)")
      #expect(second.touchedHorses.isEmpty && second.touchedSchedules.isEmpty && second.touchedCare.isEmpty)
      #expect(second.issues == first.issues, "\(row.name)")
    }
  }

  @Test func `an import stops at the limit of horses`() throws {
    let lines = ["horse"] + (0...Limits.horsesPerTeam).map { "Horse \($0)" }
    let table = try StableTable.read([UInt8](lines.joined(separator: "\n").utf8))
    var made = 0
    let plan = table.plan(over: StableRecords(), today: CivilDate(year: 2026, month: 3, day: 2)) {
      made += 1
      return HorseID(Samples.uuid(made))
    } makeCare: {
      CareEventID(Samples.uuid(1))
    }
    #expect(plan.created == Limits.horsesPerTeam && plan.skipped == 1)
    #expect(plan.issues.map(\.fault) == [.tooManyHorses(limit: Limits.horsesPerTeam)])
  }
}
