import FlowCalendar
import FlowModel
import FlowNotices
import FlowTestKit
import FlowWork
import Foundation
import PoolDigests
import PoolJobs
import PoolModel
import Testing

/// Every scenario and plural class in every language, compared word for word with a snapshot.
///
/// With POOLFLOW_SNAPSHOTS=write the file is written instead; review the difference before committing.
struct TranslationSnapshotTests {
  private static let morning = DigestMoment(zone: .utc, asOf: Samples.mondayMorning)

  /// Counts of each plural class, several where a language distinguishes them.
  private func counts(_ language: Language) -> [Int] { [0, 1, 2, 5, 21] }

  private func facts(_ language: Language, stops: Int, low: Int, pools: Int, plan: Plan = .paid) -> TeamFacts {
    var team = Samples.team(plan: plan, settings: TeamSettings(morningNotice: true))
    team.language = language
    let technician = Technician(id: TechnicianID(1), teamID: team.id, name: "maria", isDefault: true)
    let stop = DayStop(
      poolID: Samples.pool().id, customerName: "Steve Baird", address: "1 Elm St", latitude: 33, longitude: -111,
      technicianID: technician.id, day: .monday, routeOrder: 0)
    let item = StockItem(item: Samples.item(stock: 1, threshold: 2), technicianID: nil)
    return TeamFacts(
      team: team, technicians: [technician], poolCount: pools,
      stopsByDay: [.monday: Array(repeating: stop, count: stops)], stock: Array(repeating: item, count: low))
  }

  private func words(_ decision: Decision) -> String {
    switch decision {
    case .notice(let draft): "\(draft.title) | \(draft.body)"
    case .suppressed(let silence): "(\(silence.code))"
    }
  }

  private func decide(
    _ kind: JobKind, _ facts: TeamFacts, at moment: DigestMoment = Self.morning
  ) throws -> Decision {
    try #require(kind.scenario).decision(
      facts, at: DecisionMoment(digest: moment, now: Samples.mondayMorning, kind: kind))
  }

  /// The four notices of a language: a line for each scenario and combination of plural classes.
  private func lines(_ language: Language) throws -> [String] {
    let sunday = DigestMoment(zone: Self.morning.zone, asOf: Self.morning.asOf.advanced(by: .hours(-24)))
    var lines: [String] = []
    for count in counts(language) {
      let decision = try decide(.morningSummary, facts(language, stops: count, low: 0, pools: 1))
      lines.append("morning \(count): \(words(decision))")
    }
    for low in counts(language) {
      for stops in counts(language) {
        var facts = facts(language, stops: stops, low: low, pools: 1)
        var team = facts.team
        team.settings.morningNotice = false
        facts = TeamFacts(
          team: team, technicians: facts.technicians, poolCount: 1, stopsByDay: facts.stopsByDay, stock: facts.stock)
        lines.append(
          "low-stock \(low) \(stops): \(words(try decide(.lowStock, facts, at: sunday)))")
      }
    }
    for count in counts(language) + [1_000_000] {
      let decision = try decide(.weeklyDigest, facts(language, stops: 0, low: 0, pools: count))
      lines.append("weekly \(count): \(words(decision))")
    }
    let trial = Plan.trial(expires: Samples.mondayMorning.advanced(by: .hours(24)))
    lines.append(
      "trial: \(words(try decide(.trialReminder, facts(language, stops: 0, low: 0, pools: 0, plan: trial))))"
    )
    // Every form of every counted sentence, including those for millions, which no route reaches.
    let phrases = [Mirror(reflecting: language.phrases.phrases), Mirror(reflecting: language.commonPhrases)]
    for child in phrases.flatMap(\.children) {
      guard let name = child.label else { continue }
      if let counted = child.value as? PluralSentence {
        for plural in language.pluralClasses {
          lines.append("\(name) \(plural): \(counted.form(plural)("{0}", "{1}", "{2}", "{3}"))")
        }
      }
      if let counted = child.value as? TwoPluralSentence {
        for first in language.pluralClasses {
          for second in language.pluralClasses {
            lines.append("\(name) \(first) \(second): \(counted.form(first, second)("{0}", "{1}"))")
          }
        }
      }
    }
    return lines
  }

  @Test(arguments: Language.allCases)
  func `every scenario equals the snapshot in every language`(language: Language) throws {
    let name = "notices-\(language.rawValue).txt"
    let text = try lines(language).joined(separator: "\n") + "\n"
    try Snapshot.compare(name, text)
  }
}

/// Expected text in `Fixtures/Snapshots` beside the tests.
enum Snapshot {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().path + "/Fixtures/Snapshots"

  static func compare(_ name: String, _ text: String) throws {
    let url = URL(filePath: "\(folder)/\(name)")
    if ProcessInfo.processInfo.environment["POOLFLOW_SNAPSHOTS"] == "write" {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url)
    }
    let known = String(decoding: try Data(contentsOf: url), as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let now = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, pair) in zip(known, now).enumerated() where pair.0 != pair.1 {
      Issue.record("\(name):\(index + 1)\n was: \(pair.0)\n  is: \(pair.1)")
      return
    }
    #expect(known.count == now.count, "\(name) has another number of lines")
  }
}
