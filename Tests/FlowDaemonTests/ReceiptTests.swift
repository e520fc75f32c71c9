import FlowControl
import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowSettings
import FlowStore
import FlowTestKit
import FlowWork
import Foundation
import PoolJobs
import Testing
import TradeStores

import FlowServices
@testable import FlowAnswers
@testable import FlowDaemon

/// Processing of receipts: notices about lost deliveries, and the outcomes shown.
struct ReceiptTests {
  private static let now = ServiceFixture.monday

  private func loss(_ team: Int64, _ number: Int, known seconds: Int) -> DeliveryLoss {
    DeliveryLoss(
      receipt: Receipt(
        notice: "n\(number)", delivery: "\(number)", recipient: "t1", channel: "mail", kind: "smtp", outcome: .refused,
        words: "", code: nil, tries: 1, at: Self.now),
      team: TeamID(team), job: JobID(1), work: "morning-summary", slot: Self.now, title: "Route",
      knownAt: Self.now.advanced(by: .seconds(seconds)))
  }

  @Test func `a team's losses are collected for two minutes and reported at most every six hours`() {
    let losses = [loss(1, 1, known: 0), loss(2, 2, known: 60), loss(1, 3, known: 119)]
    func due(_ seconds: Int, notified: [TeamID: Timestamp] = [:]) -> [[String]] {
      LossReport.due(losses, notified: notified, now: Self.now.advanced(by: .seconds(seconds))).map {
        $0.map(\.receipt.notice)
      }
    }
    #expect(due(119) == [] && due(120) == [["n1", "n3"]] && due(180) == [["n1", "n3"], ["n2"]])
    let notified = [TeamID(1): Self.now.advanced(by: .hours(-1))]
    #expect(due(200, notified: notified) == [["n2"]] && due(5 * 3_600, notified: notified) == [["n1", "n3"], ["n2"]])
    // A clock that was set back causes no delay.
    #expect(due(-3_600) == [["n1", "n3"], ["n2"]])
  }

  @Test(arguments: [
    ("", ["/d/receipts:false"]), ("Receipts = yes\n", ["/d/receipts:true"]), ("Receipts = /r\n", ["/r:false"]),
    ("Receipts = no\n", []),
  ])
  func `receipts are read from the configured folder`(line: String, places: [String]) {
    let text = "[Sink crew]\nType = file-drop\nDirectory = /d\n\(line)[Sink line]\nType = stdout\n"
    let reading = SettingsReading(text: text, name: "test.conf", catalogue: .pools)
    #expect(reading.problems.isEmpty)
    let found = ReceiptSource.all(in: reading.settings.sinks, drops: ["crew": "/d"])
    #expect(
      found.map { "\($0.folder.path):\($0.isCreatedByDaemon)" } == places && found.allSatisfy { $0.sink == "crew" })
    let wrong = SettingsReading(
      text: "[Sink crew]\nType = file-drop\nReceipts = here\n", name: "test.conf", catalogue: .pools)
    #expect(wrong.problems.first?.message.contains("yes, no, or a path") == true)
  }

  /// A morning with personal notices for each technician, and a receipts folder beside the drop folder.
  private struct Stand {
    let services: ServiceFixture
    let reader: ReceiptReader
    let drop: String
    let run: RunView

    init(office: String?) async throws {
      let text = "[Sink crew]\nType = file-drop\nSensitive = yes\n[Sink line]\nType = stdout\n"
      services = try await ServiceFixture(settings: text)
      drop = services.scratch.path + "/drop"
      try PrivateFiles.makeFolder(drop)
      try PrivateFiles.makeFolder(drop + "/receipts")
      let store = services.store
      let team = try await store.team(named: ServiceFixture.team)
      for technician in try await store.technicians(of: team.id) {
        _ = try await store.changePerson(.technician(technician.id), of: team.id) {
          $0.addresses[.mail] = "m\(technician.id.number)@example.com"
        }
      }
      if let office {
        _ = try await store.changePerson(.office(team.id), of: team.id) {
          $0.addresses[.ntfy] = "office-topic"
          $0.person.language = Language(rawValue: office)
        }
      }
      let settings = EffectiveSettings(
        reading: await services.context.settings.reading, catalogue: JobCatalogues.all.every, configPath: nil,
        environment: [:], folders: ["crew": drop], now: services.clock.now())
      reader = ReceiptReader(
        store: store, settings: settings,
        losses: LossReport(
          store: store, dispatcher: nil, settings: settings, clock: services.clock, log: services.context.log),
        senders: SenderWatch(
          reports: SenderReports(settings: settings), notices: services.context.notices(through: nil)),
        clock: services.clock, log: services.context.log)
      run = try await services.services.scheduler.run(
        SchedulerCall.Run(job: "morning-summary", team: ServiceFixture.team), services.caller, nil
      ).run
    }

    func put(_ outcome: Receipt.Outcome, of notice: String, _ key: Character, code: Int? = 550) throws {
      let own = notice.split(separator: "-").last.map(String.init) ?? ""
      let receipt = Receipt(
        notice: notice, delivery: String(repeating: key, count: 32), recipient: PersonKey(own) == nil ? "office" : own,
        channel: "mail", kind: "smtp", outcome: outcome, words: "no such mailbox (550)", code: code, tries: 1,
        at: services.clock.now())
      try PrivateFiles.write("\(drop)/receipts/\(key).json", receipt.bytes)
    }

    func notices() async throws -> [Notice] {
      try await services.store.outbox(OutboxQuery()).map(\.notice).filter {
        $0.id.contains("undelivered") || $0.job == "operator"
      }
    }
  }

  @Test(arguments: Language.allCases)
  func `the office is notified once of lost deliveries, in its language`(
    language: Language
  ) async throws {
    let fixture = try await Stand(office: language.rawValue)
    let own = try #require(fixture.run.ownNoticeIds?.first)
    try fixture.put(.refused, of: own, "a")
    try fixture.put(.unknown, of: own, "b", code: nil)
    try fixture.put(.refused, of: try #require(fixture.run.noticeId), "c")
    try PrivateFiles.write("\(fixture.drop)/receipts/bad.json", Array("{}".utf8))
    await fixture.reader.scan()
    #expect(try PrivateFiles.names(in: fixture.drop + "/receipts") == [])
    #expect(try await fixture.notices().isEmpty)
    fixture.services.clock.advance(by: .minutes(3))
    for _ in 1...2 { await fixture.reader.scan() }
    let notified = try await fixture.notices()
    #expect(notified.count == 1)
    let notice = try #require(notified.first)
    #expect(notice.lines.count == 2 && notice.lines[0].contains("(550)") && !notice.lines[1].contains("550"))
    #expect(notice.body.contains("2") && notice.severity == .warning && notice.person?.word == "office")
    #expect(!"\(notice)".contains("example.com") && notice.lines[0] != notice.lines[1])
    // The outcomes are shown at the run, too.
    let why = try await fixture.services.services.scheduler.why(
      SchedulerCall.Why(subject: fixture.run.id), fixture.services.caller)
    #expect(why.facts.contains { $0.word == "refused" && $0.text.contains("no such mailbox") })
    #expect(why.answer.contains("3 deliveries were lost"), "\(why.answer)")
    let history = try await fixture.services.services.scheduler.history(
      SchedulerCall.History(limit: 10, failed: false), fixture.services.caller)
    let run = try #require(history.runs.first { $0.id == fixture.run.id })
    #expect(run.deliveries?.count == 3 && run.ownNoticeIds == fixture.run.ownNoticeIds)
    let status = try await fixture.services.services.scheduler.status(SchedulerCall.Status(), fixture.services.caller)
    let day = status.deliveriesLastDay
    #expect(day?.refused == 2 && day?.unknown == 1 && day?.delivered == 0 && day?.waiting == 0)
    let entries = try await fixture.services.services.outbox.show(
      OutboxCall.Show(noticeId: own), fixture.services.caller)
    #expect(entries.entries.flatMap { $0.deliveries ?? [] }.map(\.outcome) == [.refused, .unknown])
    // A lost notice to the office itself causes no further notice.
    try fixture.put(.refused, of: notice.id, "d")
    await fixture.reader.scan()
    fixture.services.clock.advance(by: .hours(7))
    await fixture.reader.scan()
    #expect(try await fixture.notices().count == 1)
  }

  @Test func `without an office address the operator is notified of losses`() async throws {
    let fixture = try await Stand(office: nil)
    try fixture.put(.expired, of: try #require(fixture.run.ownNoticeIds?.first), "a", code: nil)
    await fixture.reader.scan()
    fixture.services.clock.advance(by: .minutes(3))
    for _ in 1...2 { await fixture.reader.scan() }
    let notified = try await fixture.notices()
    #expect(Set(notified.map(\.id)).count == 1 && notified.allSatisfy { $0.job == "operator" && $0.person == nil })
    #expect(
      notified.first?.body.contains("could not be delivered in time") == true && !"\(notified)".contains("example.com"))
  }

  @Test(.enabled(if: !ServerStores.isChosen, "only with a store in a file"))
  func `receipts stay in the folder while the store cannot be written`() async throws {
    let fixture = try await Stand(office: nil)
    try fixture.put(.refused, of: try #require(fixture.run.ownNoticeIds?.first), "a")
    try await fixture.services.store.endEpoch(at: fixture.services.clock.now())
    let lock = try Connection(path: fixture.services.context.paths.store, mode: .readWrite)
    try lock.execute(
      "CREATE TRIGGER refuse BEFORE INSERT ON receipts BEGIN SELECT raise(ABORT, 'no'); END", operation: "t")
    await fixture.reader.scan()
    #expect(try PrivateFiles.names(in: fixture.drop + "/receipts") == ["a.json"])
    try lock.execute("DROP TRIGGER refuse", operation: "t")
    await fixture.reader.scan()
    #expect(try PrivateFiles.names(in: fixture.drop + "/receipts") == [])
  }
}
