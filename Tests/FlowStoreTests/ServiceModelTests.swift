import FlowCalendar
import FlowModel
import FlowNotices
import FlowPlatform
import FlowStore
import FlowTestKit
import FlowWork
import PoolChemistry
import PoolJobs
import PoolModel
import PoolStore
import PoolTestKit
import Testing

@testable import PoolDigests

/// Compares every decision about the stops of a date with a model of "which pools are served on which date". The daemon's
/// answers and archives are compared with it in `ServiceAnswersTests` and `ServiceArchiveTests`.
struct ServiceModelTests {
  @Test(arguments: Engine.all)
  func `every decision agrees with the model of rules, pauses and changes over two years`(engine: Engine) async throws {
    let folder = try TemporaryFolder()
    let sources = SystemZones()
    for number in 0..<ServiceModel.teams {
      var random = SeededNumbers(seed: UInt64(number) + 52)
      var model = ServiceModel(number, &random)
      let zone = try sources.zone(named: model.zone)
      let now = zone.resolve(LocalDateTime(date: ServiceModel.first, time: .sevenInTheMorning)).standard
      var store = try engine.open(folder.path, now)
      var sample = Samples.team(zone: model.zone)
      sample.name = model.name
      let added = try await store.addTeam(sample, defaultTechnician: "anna", now: now) { _ in [] }
      try await model.write(to: added, in: store, zone: zone, now: now)
      let team = try #require(try await store.team(added.id))
      // Another process reads and changes what this one wrote.
      store = try engine.open(folder.path, now)
      let differences = try await model.change(team, in: store, zone: zone, &random)
      #expect(differences == [])
      #expect(model.lines.contains { $0.laterRule != nil } == (number % 4 == 3))
      store = try engine.open(folder.path, now)
      let drivers = try await model.drivers(of: team, in: store)
      let compared = Compared(
        model: model, team: team, zone: zone, store: store, drivers: drivers,
        names: Dictionary(uniqueKeysWithValues: drivers.map { ($0.value, ServiceModel.technicians[$0.key]) }))
      try await compared.compareDates()
      try await compared.compareNotices()
    }
  }

  /// A model, and the team with the same records.
  private struct Compared {
    let model: ServiceModel
    let team: Team
    let zone: Zone
    let store: any Engine.Opened
    let drivers: [Int: TechnicianID]
    let names: [TechnicianID: String]

    private func technicians(_ stops: [DayStop]) -> [String: String] {
      Dictionary(
        stops.map { ($0.customerName, names[$0.technicianID] ?? "unknown") }, uniquingKeysWith: { _, _ in "twice" })
    }

    /// The stops of every date, and the missed days.
    func compareDates() async throws {
      let all = try #require(try await store.facts([.everyDay(of: team.id)]).first ?? nil)
      let services = try await store.services(of: team.id)
      let stops = try await store.routeStops(of: team.id)
      let dates = (0..<ServiceModel.days).map { ServiceModel.first.adding(days: $0) }
      for date in dates {
        let served = model.served(date)
        let seed: Comment = "team \(model.number), \(date)"
        #expect(technicians(all.stops(on: date)) == served, seed)
        #expect(all.pools(on: date, of: nil) == model.worked(date).count, seed)
        for (number, technician) in drivers {
          let own = model.isAway(number, date) ? 0 : model.worked(date).values.count { $0 == names[technician] }
          #expect(all.pools(on: date, of: technician) == own, seed)
        }
        guard date >= model.firstToday else { continue }
        let due = stops.due(from: date, by: services).filter { $0.day == date.weekday }
        #expect(technicians(due) == served, seed)
      }
      for pool in try await store.allPools(of: team.id) {
        let line = try #require(model.lines.first { $0.pool.id == pool.id })
        let today = ServiceModel.first.adding(days: ServiceModel.days + 10)
        let missed = pool.missedDays(
          dates, line.visits.map(\.daysSince1970), all.daysOff, services, today: today, zone)
        #expect(missed == model.missed(line, dates, today: today), "team \(model.number), \(pool.customerName)")
        let service = services[pool.id] ?? PoolService(weekday: pool.serviceDay)
        for date in dates where date >= model.firstToday && date.daysSince1970 % 5 == 0 {
          // The table ends some weeks after the two years.
          guard let next = model.next(line, onOrAfter: date) else { break }
          #expect(service.next(onOrAfter: date) == next, "team \(model.number), \(pool.customerName), \(date)")
        }
      }
    }

    /// The notices of dates all over the two years, and of those that a mistake would show first.
    func compareNotices() async throws {
      let spread = stride(from: model.number, to: ServiceModel.days, by: 61).map { ServiceModel.first.adding(days: $0) }
      let notable = model.notableDates
      let step = max(1, notable.count / 20)
      let chosen = stride(from: model.number % step, to: notable.count, by: step).map { notable[$0] }
      // A notice of the evening before is about the next date.
      for date in Set(spread + chosen + chosen.map { $0.adding(days: -1) }).sorted() {
        try await compareRoutes(of: date)
        try await compareLowStock(of: date)
        try await compareClosedDay(of: date)
        if spread.contains(date) || chosen.contains(date) { try await compareWeek(of: date) }
      }
    }

    /// The notice of a date as the daemon decides it; nil if it is suppressed.
    private func draft(_ kind: JobKind, of date: CivilDate, at time: TimeOfDay) async throws -> NoticeDraft? {
      let now = zone.resolve(LocalDateTime(date: date, time: time)).standard
      let request = FactsRequest(team: team.id, kind: kind, asOf: now, now: now, zone: zone)
      let facts = try #require(try await store.facts([request]).first ?? nil)
      let moment = DecisionMoment(digest: DigestMoment(zone: zone, asOf: now), now: now, kind: kind)
      guard case .notice(let draft) = try #require(kind.scenario).decide(facts, moment) else { return nil }
      return draft
    }

    private static let evening = TimeOfDay(hour: 18, minute: 0) ?? .sevenInTheMorning

    /// The morning of a date, and the evening before the next one: stops, arrival windows, chemicals to load and low stock.
    private func compareRoutes(of date: CivilDate) async throws {
      let tomorrow = date.adding(days: 1)
      for (kind, about, time) in [
        (JobKind.morningSummary, date, TimeOfDay.sevenInTheMorning), (.routePreview, tomorrow, Self.evening),
      ] {
        let seed: Comment = "team \(model.number), \(kind.rawValue) of \(date)"
        let served = model.worked(about)
        guard let draft = try await draft(kind, of: date, at: time) else {
          #expect(served.isEmpty, seed)
          continue
        }
        #expect(numbers(in: draft.body) == [served.count], seed)
        let digest = try #require(draft.kept as? MorningDigest)
        let told = digest.sections.flatMap { section in section.stops.map { ($0.customer, section.technician) } }
        #expect(Dictionary(told, uniquingKeysWith: { _, _ in "twice" }) == served, seed)
        for section in digest.sections {
          let number = try #require(ServiceModel.technicians.firstIndex(of: section.technician))
          let isAway = model.isAway(number, about)
          #expect((section.isAway ?? false) == isAway, seed)
          let needed = section.load.filter { $0.type == .chlorine }.map(\.neededOz)
          #expect(needed == (isAway ? [] : [model.chlorine(about, of: number)]), seed)
          for stop in section.stops {
            let window = try #require(model.lines.first { $0.customer == stop.customer }).window
            #expect(stop.opens == window.opens.flatMap { $0 > 0 ? Self.text($0) : nil }, seed)
            #expect(stop.closes == window.closes.flatMap { $0 < 1_440 ? Self.text($0) : nil }, seed)
          }
        }
        // The team's settings put the low stock into the morning notice, which looks at the next working day.
        guard kind == .morningSummary else { continue }
        let next = model.nextWorkingDay(after: date)
        let need = model.chlorine(next)
        #expect(digest.lowStock.map(\.tomorrowOz) == [need > 0 ? need : nil], seed)
        #expect(digest.lowStock.map(\.needsOn) == [need > 0 ? next.description : nil], seed)
      }
    }

    private static func text(_ minutes: Int) -> String {
      "\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
    }

    /// The low stock that is told on its own in the evening.
    private func compareLowStock(of date: CivilDate) async throws {
      let next = model.nextWorkingDay(after: date)
      let stops = model.isClosed(date) && next != date.adding(days: 1) ? 0 : model.served(next).count
      let draft = try await draft(.lowStock, of: date, at: Self.evening)
      #expect(
        draft.map { numbers(in: $0.body) } == (stops > 0 ? [1, stops] : nil),
        "team \(model.number), low stock of \(date)")
    }

    /// The stops that need another day, told on the evening before closed days.
    private func compareClosedDay(of date: CivilDate) async throws {
      var stops = 0
      var day = date.adding(days: 1)
      while !model.isClosed(date), model.isClosed(day), day <= date.adding(days: Limits.closedDaysListed) {
        stops += model.served(day).count
        day = day.adding(days: 1)
      }
      let draft = try await draft(.closedDay, of: date, at: Self.evening)
      #expect(
        draft.map { numbers(in: $0.body) } == (stops > 0 ? [stops] : nil), "team \(model.number), closed day of \(date)"
      )
    }

    /// The week's digest: chemicals for the dates of the next seven days, pools without a visit, and changed stops.
    private func compareWeek(of date: CivilDate) async throws {
      let seed: Comment = "team \(model.number), week of \(date)"
      let draft = try #require(
        try await draft(.weeklyDigest, of: date, at: TimeOfDay(hour: 17, minute: 0) ?? Self.evening))
      let week = try #require(DigestJSON.week(draft.dataJSON))
      let need = (1...7).reduce(0) { $0 + model.chlorine(date.adding(days: $1)) }
      #expect(week.nextWeek.filter { $0.type == .chlorine }.map(\.neededOz) == (need > 0 ? [need] : []), seed)
      #expect(week.stale == model.stale(date, isAfterNoon: true).count, seed)
      let end = date.adding(days: 14)
      let changes = model.changes.filter { change in
        let dates = [change.from, change.to ?? change.from]
        return dates.contains { $0 > date } && dates.contains { $0 <= end }
      }
      let expected = changes.map { change in
        let line = model.lines[change.pool]
        let technician = change.technician.flatMap { $0 == line.technician ? nil : ServiceModel.technicians[$0] }
        return "\(change.from) \(change.to?.description ?? "-") \(line.customer) \(technician ?? "-")"
      }
      let told = (week.changedStops ?? []).map { "\($0.from) \($0.to ?? "-") \($0.customer) \($0.technician ?? "-")" }
      #expect(told.sorted() == expected.sorted(), seed)
    }

    private func numbers(in text: String) -> [Int] {
      text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    }
  }
}
