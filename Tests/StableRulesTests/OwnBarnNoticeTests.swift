import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import FlowWork
import PoolJobs
import PoolModel
import StableDigests
import StableJobs
import StableModel
import Testing

/// Personal notices to a barn's people, decided together with the barn's notice.
struct OwnBarnNoticeTests {
  private let now = Samples.mondayMorning

  /// A hungry horse, due for the farrier, on a cold and wet day; Ann, Ben and Cem have addresses, Dee has none.
  private func job(_ wants: [Set<Person.Subscription>]) throws -> JobCase {
    let zone = try SystemZones().zone(named: "America/New_York")
    let today = zone.local(at: now).date
    let horse = Horse(
      id: HorseID(Samples.uuid(1)), name: "Juniper", owner: "Ada Field", isClipped: false, added: today.adding(days: -9)
    )
    var job = JobCase(horses: [horse], zone: zone)
    let meal = FeedMeal(grain: "oats", supplements: [], medications: [])
    job.facts.schedules[horse.id] = FeedSchedule(am: meal, pm: meal)
    job.facts.care = [
      CareEvent(
        id: CareEventID(Samples.uuid(2)), horseID: horse.id, type: .farrier, date: today.adding(days: -30), notes: "",
        nextDue: today.adding(days: 1), cost: nil, provider: "Sam Hoof")
    ]
    job.facts.forecast = Forecast(
      source: .csv, place: "hill", issuedAt: now,
      hours: (-12..<36).map { ForecastHour(start: now.advanced(by: .hours($0)), air: -9, wind: 25, rain: 0.5) })
    for (number, name) in ["Ann", "Ben", "Cem", "Dee"].enumerated() {
      job.facts.staff.append(
        Technician(id: TechnicianID(Int64(number + 1)), teamID: job.facts.team.id, name: name, isDefault: number == 0))
    }
    job.facts.people = wants.enumerated().map { number, wants in
      Person(
        key: .technician(TechnicianID(Int64(number + 1))), language: number == 1 ? .german : nil, wants: wants,
        channels: [.mail])
    }
    return job
  }

  private func told(_ kind: JobKind, _ job: JobCase) throws -> [String] {
    let outcome = job.outcome(of: kind, slot: now)
    _ = try #require(outcome.notice, "\(kind): \(outcome.reason ?? "")")
    return outcome.personal.map { $0.person?.text ?? "" }
  }

  @Test func `each person gets the subscribed notices, and any subscription includes the barn's morning`() throws {
    var job = try job([[.feed], [.care, .week], [.blankets]])
    #expect(try told(.barnDigest, job) == ["t1", "t2", "t3"])
    #expect(try told(.feedAM, job) == ["t1"])
    #expect(try told(.blanket, job) == ["t3"])
    #expect(try told(.barnWeek, job) == ["t2"])
    job.facts.team.settings.disabledJobs = ["barn-digest"]
    #expect(try told(.careDue, job) == ["t2"])
    // A notice without subscribers goes only to the barn, unchanged.
    let outcome = job.outcome(of: .careDue, slot: now)
    job.facts.people = []
    #expect(job.outcome(of: .careDue, slot: now).notice == outcome.notice)
    #expect(try told(.careDue, job) == [])
  }

  @Test func `a personal notice has its own id, language, page and calendar`() throws {
    let job = try job([[.feed], [.care], []])
    let outcome = job.outcome(of: .barnDigest, slot: now)
    let barn = try #require(outcome.notice)
    #expect(outcome.personal.map(\.id) == ["\(barn.id)-t1", "\(barn.id)-t2"])
    let (ann, ben) = (outcome.personal[0], outcome.personal[1])
    #expect(ann.title == barn.title && ann.body == barn.body && ben.title != barn.title)
    #expect(ann.identifier == barn.identifier && ann.expiresAt == barn.expiresAt && ann.jobID == barn.jobID)
    let page = String(decoding: try #require(BarnPage.html(ben)), as: UTF8.self)
    #expect(page.contains("lang=\"de\"") && page.contains("Juniper"))
    #expect(BarnJSON.digest(ben.dataJSON, as: BarnDigest.self)?.run == ben.id)
    #expect(!page.contains("Ada Field") && !page.contains("Sam Hoof"))
    let calendar = String(decoding: try #require(BarnPage.calendar(ben)), as: UTF8.self)
    let date = "\(job.zone.local(at: now).date.adding(days: 1))".filter { $0 != "-" }
    #expect(calendar.contains("DTSTART;VALUE=DATE:\(date)\r\n"), "\(calendar)")
    #expect(calendar.contains("UID:\(CareEventID(Samples.uuid(2)))-care@poolflow\r\n"))
    #expect(BarnPage.calendar(barn) == nil, "the whole barn's has none")
    let words = try #require(outcome.account?.words)
    #expect(words.hasSuffix("own notices for 2 of 4 people; Cem: not wanted; Dee: no address"), "\(words)")
  }

  @Test func `possible and default subscriptions depend on the trade`() {
    let (technician, office) = (PersonKey.technician(TechnicianID(1)), PersonKey.office(TeamID(1)))
    #expect(JobCatalogue.pools.subscriptions == [.route, .lowStock, .week, .reminders, .operator])
    #expect(JobCatalogue.stables.subscriptions == [.feed, .care, .blankets, .week, .reminders, .operator])
    #expect(JobCatalogue.pools.defaultSubscriptions(of: technician) == [.route])
    #expect(JobCatalogue.stables.defaultSubscriptions(of: technician) == [.feed, .care, .blankets])
    #expect(JobCatalogue.stables.defaultSubscriptions(of: office) == [.feed, .care, .blankets, .week, .reminders])
    for kind in JobCatalogue.stables.ofTeam {
      let wants = kind.decision?.wants ?? []
      #expect(wants.isSubset(of: Set(JobCatalogue.stables.subscriptions)), "\(kind)")
      #expect(wants.isEmpty == [JobKind.feedReset, .barnTrial].contains(kind), "\(kind)")
    }
  }
}
