import FlowCalendar
import FlowControl
import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import FlowWork
import PoolChemistry
import PoolControl
import PoolJobs
import PoolModel
import Testing

import FlowServices
@testable import FlowAnswers
@testable import FlowStore
@testable import PoolServices
@testable import PoolStore

/// Decisions of the services that need no store.
@Suite struct DecisionTests {
  // MARK: Days

  private func stop(_ number: Int, technician: Int64 = 1, pin: Int? = nil) -> DayStop {
    DayStop(
      poolID: PoolID(Samples.uuid(number)), customerName: "Customer \(number)", address: "", latitude: 33,
      longitude: -111, technicianID: TechnicianID(technician), day: .monday, routeOrder: number, arrivalWindow: "",
      pin: pin)
  }

  private func day(_ stops: [DayStop]) -> TechnicianDay {
    TechnicianDay(
      key: RouteDay(technicianID: TechnicianID(1), day: .monday), technician: "maria", stops: stops, route: nil, hash: 0
    )
  }

  private func pool(_ number: Int) -> PoolID { PoolID(Samples.uuid(number)) }

  @Test func `a stop is moved to an existing position; other stops keep their order`() throws {
    let day = day((1...4).map { stop($0) })
    #expect(try day.moving(pool(4), to: 1) == [4, 1, 2, 3].map(pool))
    #expect(try day.moving(pool(1), to: 4) == [2, 3, 4, 1].map(pool))
    #expect(try day.moving(pool(2), to: 2) == [1, 2, 3, 4].map(pool))
    for place in [0, 5, -1] { #expect(throws: ControlError.self) { try day.moving(pool(1), to: place) } }
  }

  @Test func `a pin needs a free position; the first one is the first stop's`() throws {
    let day = day([stop(1), stop(2), stop(3, pin: 3)])
    try day.checkPin(of: pool(2), at: 2)
    try day.checkPin(of: pool(1), at: 1)
    try day.checkPin(of: pool(3), at: 3)
    for (stop, place) in [(2, 1), (2, 3), (2, 4), (2, 0)] {
      #expect(throws: ControlError.self) { try day.checkPin(of: pool(stop), at: place) }
    }
  }

  @Test func `a route of at least three stops is complete with its last visit`() {
    let stops = (1...3).map { stop($0) } + [stop(9, technician: 2)]
    func completed(by visited: Int, serviced: [Int], of stops: [DayStop]) -> CompletedRoute? {
      CompletedRoute(by: pool(visited), among: stops, serviced: Set(serviced.map(pool)))
    }
    #expect(completed(by: 3, serviced: [1, 2, 3], of: stops)?.stops == 3)
    #expect(completed(by: 3, serviced: [1, 3], of: stops) == nil)
    #expect(completed(by: 9, serviced: [1, 2, 3, 9], of: stops) == nil, "one stop is no route")
    #expect(completed(by: 7, serviced: [1, 2, 3, 7], of: stops) == nil, "it is on no route of the day")
  }

  // MARK: Visits

  private func draft(_ readings: [(String, String)], dose: PouredView = .none, _ measured: [(String, String)] = [])
    throws(ControlError) -> VisitDraft
  {
    try VisitDraft(
      readings.map { SettingChangeView(key: $0.0, value: $0.1) }, dose,
      measured.map { MeasuredDoseView(chemical: $0.0, amount: $0.1) }, team: Samples.team())
  }

  @Test func `readings not measured keep their last values`() throws {
    let last = Samples.pool().readings
    let water = try draft([("ph", "7.4"), ("temp", "29C")]).readings(after: last)
    #expect(water.pH == 7.4 && (84...84.5).contains(water.waterTempF))
    #expect(water.calciumHardness == last.calciumHardness && water.cyanuricAcid == last.cyanuricAcid)
    #expect(try draft([]).readings(after: last) == last)
  }

  @Test(arguments: [([("ph", "7.4"), ("ph", "7.5")], PouredView.none), ([("ph", "7.4")], .measured)])
  func `a duplicate reading, or measured doses without amounts, is refused`(
    readings: [(String, String)], dose: PouredView
  ) {
    #expect(throws: ControlError.self) { _ = try draft(readings, dose: dose) }
  }

  @Test(arguments: [("ph", "15"), ("ph", "acid"), ("bromine", "3"), ("temp", "200F"), ("calcium", "-1")])
  func `an impossible reading is refused`(key: String, value: String) throws {
    let draft = try draft([(key, value)])
    #expect(throws: ControlError.self) { _ = try draft.readings(after: Samples.pool().readings) }
  }

  @Test func `measured doses never exceed the stock in total`() throws {
    let stock = [Samples.item(name: "Muriatic Acid", stock: 30, threshold: 9)]
    let enough = try draft([("ph", "7.4")], dose: .measured, [("muriatic", "10"), ("Muriatic Acid", "20oz")])
    #expect(
      try enough.confirmedDoses(stock: stock)
        == .measured([10, 20].map { MeasuredDose(item: stock[0].id, quantityOz: $0) }))
    for doses in [
      [("muriatic", "10"), ("muriatic", "21")], [("muriatic", "0")], [("chlorine", "1")], [("muriatic", "-1")],
      [("muriatic", "1 bag")], [("muriatic", "1L")],
    ] {
      let draft = try draft([("ph", "7.4")], dose: .measured, doses)
      #expect(throws: ControlError.self) { _ = try draft.confirmedDoses(stock: stock) }
    }
  }

  // MARK: Equipment

  @Test func `equipment has one of nine kinds, in any spelling of its name`() throws {
    var pump = Samples.equipment(at: PoolID(Samples.uuid(1)))
    func type(_ text: String) throws { try FieldChanges.apply(FieldValue("type", text), to: &pump) { _ in nil } }
    for (typed, kept) in [
      ("Salt System", "saltSystem"), ("saltsystem", "saltSystem"), ("salt-system", "saltSystem"), ("PUMP", "pump"),
      (" other ", "other"),
    ] {
      try type(typed)
      #expect(pump.equipmentType == kept)
    }
    #expect(EquipmentType.allCases.count == 9)
    for kind in EquipmentType.allCases {
      try type(kind.word)
      #expect(pump.equipmentType == kind.rawValue && EquipmentType.shown(pump.equipmentType) == kind.word)
    }
    for typed in ["chlorinator", "", "pumpe", "none", "salt"] {
      #expect(throws: ControlError.self, "\(typed)") { try type(typed) }
    }
    #expect(pump.equipmentType == "other" && EquipmentType.shown("Ozonator") == "Ozonator")
  }

  // MARK: Stock

  @Test func `a duplicate key is found quickly, even among 40,000`() throws {
    let many = (0..<40_000).map { SettingChangeView(key: "key\($0)", value: "x") }
    let start = ContinuousClock.now
    #expect(try FieldValue.unique(many).count == 40_000)
    let twice = [SettingChangeView(key: "key7", value: "y"), SettingChangeView(key: "key8", value: "y")]
    let error = #expect(throws: ControlError.self) { try FieldValue.unique(many + twice) }
    // A quadratic comparison took fourteen seconds.
    #expect(ContinuousClock.now - start < .seconds(5))
    #expect(error == ControlError.badValue(field: "key7", value: "…", why: "it is named twice"))
  }

  @Test func `a stock item is added once, with name and type; missing catalogue items too`() throws {
    let typed = ["name": "Salt", "type": "base"].map { FieldValue($0.key, $0.value) }
    #expect(try StockDraft.items(typed, beside: ["Acid"], units: .imperial).map(\.name) == ["Salt"])
    #expect(throws: ControlError.self) { try StockDraft.items(typed, beside: ["SALT"], units: .imperial) }
    #expect(throws: ControlError.self) {
      try StockDraft.items([FieldValue("name", "Salt")], beside: [], units: .imperial)
    }
    let all = try StockDraft.items(nil, beside: [], units: .imperial)
    #expect(all.count == 7)
    #expect(
      try StockDraft.items(nil, beside: all.prefix(6).map { $0.name.uppercased() }, units: .imperial).map(\.name) == [
        all[6].name
      ])
  }

  // MARK: Why

  private let slot = Samples.mondayMorning
  private let zones = SystemZones()

  private func record(_ run: RunRecord?, until: Timestamp? = nil) -> SlotRecord {
    let rule = JobRule.calendar("*-*-* 07:00:00")
    var record = SlotRecord(
      job: JobRecord(
        id: JobID(7), teamID: TeamID(1), teamName: "desert-blue", kind: .morningSummary, rule: rule,
        zone: "America/Phoenix", generation: 1, cursor: slot, deadline: nil), team: Samples.team(), slot: slot,
      occurrence: nil, run: run,
      span: RuleSpan(
        rule: rule, timing: .unchosen, zone: "America/Phoenix", since: Timestamp(milliseconds: 0), until: until,
        settled: slot))
    record.now = slot
    return record
  }

  @Test func `a slot without a run is due, coming, missed or of a former rule`() {
    #expect(SlotExplainer(of: record(nil), zones: zones).answer.hasSuffix("is due and starts in a moment"))
    var coming = record(nil)
    coming.now = slot.advanced(by: .milliseconds(-1))
    #expect(
      SlotExplainer(of: coming, zones: zones).answer
        == "morning-summary of desert-blue is not due yet: it is due Mon 2026-03-02 07:00 MST")
    let changed = SlotExplainer(of: record(nil, until: slot.advanced(by: .hours(1))), zones: zones)
    #expect(changed.answer.contains("its rule was changed at Mon 2026-03-02 08:00 MST"), "\(changed.answer)")
    var missed = record(nil)
    missed.skippedRange = SkippedSlotRange(
      jobID: JobID(7), generation: 1, first: slot, last: slot, reason: "late", detail: "the daemon slept")
    #expect(
      SlotExplainer(of: missed, zones: zones).answer
        == "morning-summary of desert-blue missed this slot: the daemon slept")
  }

  @Test func `an unconfirmed clock is explained last, with the command to check it`() {
    var doubted = record(nil)
    doubted.now = slot.advanced(by: .hours(2))
    let explainer = SlotExplainer(of: doubted, zones: zones).explanation
    #expect(explainer.factsByTime.last?.word == "clock" && explainer.advice.map(\.command).contains("timedatectl"))
    doubted.isClockBelieved = true
    let sure = SlotExplainer(of: doubted, zones: zones).explanation
    #expect(sure.factsByTime.last?.word == "due")
    #expect(sure.advice.map(\.command) == ["pfctl history morning-summary --team desert-blue"])
  }
}
