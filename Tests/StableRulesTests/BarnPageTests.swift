import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import FlowWork
import Foundation
import StableDigests
import StableJobs
import StableModel
import Testing

/// The pages of a barn: small, complete and safe in every language and unit system, for any horse names.
struct BarnPageTests {
  private let now = Samples.mondayMorning

  /// Twenty horses, all of which are fed, due for care and cold.
  private func job(_ language: Language, _ units: UnitSystem, name: (Int) -> String) throws -> JobCase {
    let zone = try zones.zone(named: "America/New_York")
    let today = zone.local(at: now).date
    let horses = (1...20).map { number in
      Horse(
        id: HorseID(Samples.uuid(number)), name: name(number), owner: "Owner \(number)", isClipped: number % 2 == 0,
        added: today.adding(days: -90))
    }
    var job = JobCase(horses: horses, zone: zone)
    job.facts.team.language = language
    job.facts.team.units = units
    for horse in horses {
      let meal = FeedMeal(
        grain: "2.5 qt senior feed", supplements: ["joint powder", "electrolytes"], medications: ["phenylbutazone 1 g"])
      job.facts.schedules[horse.id] = FeedSchedule(am: meal, pm: meal)
      for (index, type) in [CareType.farrier, .vaccination].enumerated() {
        job.facts.care.append(
          CareEvent(
            id: CareEventID(UUID()), horseID: horse.id, type: type, date: today.adding(days: -3 - index),
            notes: "private note", nextDue: today.adding(days: index + 1), cost: Cost("85.005"), provider: "Provider"))
      }
    }
    job.facts.forecast = Forecast(
      source: .csv, place: "hill", issuedAt: now,
      hours: (-12..<36).map { ForecastHour(start: now.advanced(by: .hours($0)), air: -9, wind: 25, rain: 0.5) })
    return job
  }

  private func notice(_ kind: JobKind, _ job: JobCase) throws -> Notice {
    try #require(job.outcome(of: kind, slot: now).notice, "\(kind)")
  }

  @Test(arguments: Language.allCases, [UnitSystem.imperial, .metric])
  func `a page of twenty horses is below 20 kB and contains no private data`(language: Language, units: UnitSystem)
    throws
  {
    let job = try job(language, units) { "Horse \($0)" }
    for kind in [JobKind.barnDigest, .barnWeek] {
      let outcome = job.outcome(of: kind, slot: now)
      let notice = try #require(outcome.notice, "\(kind)")
      let page = String(decoding: try #require(BarnPage.html(notice)), as: UTF8.self)
      let made = try #require(outcome.digests.first { $0.notice.id == notice.id })
      #expect(made.digest.page.elementsEqual(page.utf8), "\(kind): what is read back makes the same page")
      #expect(page.utf8.count < 20_000, "\(kind) \(language) has \(page.utf8.count)")
      #expect(page.contains("lang=\"\(language.rawValue)\"") && page.contains("prefers-color-scheme"), "\(kind)")
      #expect(page.contains(units == .imperial ? "letter" : "A4") && page.contains("@media print"), "\(kind)")
      let shown = (1...20).filter { number in ["<", ":", "\u{A0}:"].contains { page.contains("Horse \(number)\($0)") } }
      #expect(shown.count == 20, "\(kind.rawValue)")
      for personal in ["Owner", "Provider", "private note"] {
        #expect(!page.contains(personal) && !notice.dataJSON.contains(personal), "\(kind)")
        #expect(!([notice.title, notice.body] + notice.lines).contains { $0.contains(personal) }, "\(kind)")
      }
      if kind == .barnDigest {
        #expect(page.contains(units == .imperial ? "°F" : "°C") && page.contains("☐"))
        #expect(page.contains("phenylbutazone"))
      }
    }
  }

  @Test(arguments: [
    "<script>alert(1)</script>", "\" onload=\"x", "&amp;&lt;", "مرحبا\u{202E}abc", "🐴🐎",
    String(repeating: "x", count: 200),
    "a\u{0}b\u{7}", "'; DROP TABLE horses; --",
  ])
  func `a page is one safe file for any horse name`(name: String) throws {
    let job = try job(.english, .imperial) { $0 == 1 ? name : "Horse \($0)" }
    for kind in [JobKind.barnDigest, .barnWeek] {
      let notice = try notice(kind, job)
      let page = String(decoding: try #require(BarnPage.html(notice)), as: UTF8.self)
      #expect(!page.contains("<script") && !page.contains("\" onload"), "\(kind)")
      #expect(!page.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" }, "\(kind)")
      #expect(page.hasPrefix("<!DOCTYPE html>") || page.hasPrefix("<!doctype html>"), "\(kind)")
      let event = try JSONSerialization.jsonObject(with: Data(notice.dataJSON.utf8)) as? [String: Any]
      #expect(event?["team"] as? String == "hill", "\(kind)")
    }
  }

  @Test func `a medication is in the cell of its time of day`() throws {
    var job = try job(.english, .imperial) { "Horse \($0)" }
    let evening = FeedMeal(grain: "1 qt senior", supplements: [], medications: ["Bute 1 g", "Ulcer paste"])
    let onlyMedication = FeedMeal(grain: "", supplements: [], medications: ["Bute 2 g"])
    job.facts.schedules[job.facts.horses[0].id] = FeedSchedule(am: FeedMeal(), pm: evening)
    job.facts.schedules[job.facts.horses[1].id] = FeedSchedule(am: onlyMedication, pm: evening)
    let digest = try #require(BarnJSON.digest(try notice(.barnDigest, job).dataJSON, as: BarnDigest.self))
    let board = try #require(
      digest.document.blocks.compactMap { if case .table(_, let rows) = $0 { rows } else { nil } }.first)
    #expect(board[0].map(\.text) == ["Horse 1", "no schedule", "☐ 1 qt senior"])
    #expect(board[0].map { $0.note?.text } == [nil, nil, "PM: Bute 1\u{A0}g; Ulcer paste"])
    // Horses are sorted by name, so the second horse is the twelfth row.
    let second = try #require(board.first { $0[0].text == "Horse 2" })
    #expect(second.map(\.text) == ["Horse 2", "☐", "☐ 1 qt senior"] && second[1].note?.text == "AM: Bute 2\u{A0}g")
    for row in board {
      for cell in row.dropFirst() where cell.note?.text.contains("Bute") ?? false {
        #expect(cell.note?.text.contains(#/^[AP]M: /#) ?? false)
      }
    }
  }

  @Test func `horses with the same blankets are one line, and exceptions are named`() throws {
    var job = try job(.english, .imperial) { "Horse \($0)" }
    for index in job.facts.horses.indices { job.facts.horses[index].isClipped = index == 3 || index == 5 }
    job.facts.forecast = Forecast(
      source: .csv, place: "hill", issuedAt: now,
      hours: (-12..<36).map { ForecastHour(start: now.advanced(by: .hours($0)), air: 4, wind: 0, rain: 0) })
    func lines() throws -> [String] {
      let digest = try #require(BarnJSON.digest(try notice(.barnDigest, job).dataJSON, as: BarnDigest.self))
      let lists = digest.document.blocks.compactMap { if case .list(let lines) = $0 { lines } else { nil } }
      return try #require(lists.last).map(\.text)
    }
    #expect(
      try lines() == ["18 of 20: light (100 g) by day and night", "Horse 4, Horse 6: medium (200 g) by day and night"])
    #expect(try notice(.blanket, job).lines == ["18 of 20: light (100 g)", "Horse 4, Horse 6: medium (200 g)"])
    for index in job.facts.horses.indices { job.facts.horses[index].isClipped = false }
    #expect(try lines() == ["All 20: light (100 g) by day and night"])
    // Two horses are named, not counted.
    job.facts.horses = Array(job.facts.horses.prefix(2))
    #expect(try lines() == ["Horse 1, Horse 2: light (100 g) by day and night"])
  }

  @Test func `no feed is missed before the board was first used`() throws {
    var job = try job(.english, .imperial) { "Horse \($0)" }
    let today = job.zone.local(at: now).date
    func missed() throws -> [BarnDigest.MissedLine] {
      try #require(BarnJSON.digest(try notice(.barnDigest, job).dataJSON, as: BarnDigest.self)).missed
    }
    job.facts.boardStart = .never
    #expect(try missed().isEmpty)
    job.facts.boardStart = BoardStart(today, .am)
    #expect(try missed().isEmpty)
    job.facts.boardStart = BoardStart(today.adding(days: -1), .pm)
    #expect(try missed().count == 20 && missed().allSatisfy { !$0.am && $0.pm })
  }

  @Test func `a sum is computed exactly and rounded once`() throws {
    // Forty times 85.005 is 3400.20; forty rounded values would give 3400.40.
    var job = try job(.english, .imperial) { "Horse \($0)" }
    let today = job.zone.local(at: now).date
    for place in job.facts.care.indices { job.facts.care[place].date = today }
    let notice = try notice(.barnWeek, job)
    // A file or a store can contain any text as an amount: it is shown as it is.
    for amount in ["999999999999999999", "1.éééé", "-5", "1.+5", "", ".", "1e5", "922337203685478", "1.2.3"] {
      let text = notice.dataJSON.replacing(/"total":"[^"]*"/, with: "\"total\":\"\(amount)\"")
      let odd = try #require(BarnJSON.digest(text, as: BarnWeek.self))
      #expect(text != notice.dataJSON && !odd.page.isEmpty, "\(amount)")
    }
    let week = try #require(BarnJSON.digest(notice.dataJSON, as: BarnWeek.self))
    #expect(week.total == "3400.20" && week.costs.count == 20 && week.costs[0].total == "170.01")
    #expect(week.costs[0].types.map(\.cost) == ["85.005", "85.005"])
    let page = String(decoding: try #require(BarnPage.html(notice)), as: UTF8.self)
    #expect(page.contains("$85.01") && page.contains("$170.01") && page.contains("$3,400.20"))
    #expect(!page.contains("3,400.40"))
  }
}
