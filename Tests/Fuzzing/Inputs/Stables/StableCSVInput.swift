import FlowModel
import FoundationEssentials
import StableInterchange
import StableModel

/// Bytes as a stable's CSV file, planned over a small barn, then again over the result.
enum StableCSVInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let promise: Duration = .milliseconds(1) + .microseconds(10 * bytes.count)
    let table: StableTable? = try limit.call("reading", promise) {
      do throws(StableFileError) { return try StableTable.read(bytes) } catch { return nil }
    }
    guard let table else { return }
    let barn = self.barn
    var (first, made) = try limit.call("planning", promise) { plan(table, barn, made: 0) }
    try check(first, of: table)
    let again: StablePlan
    (again, made) = plan(table, first.after, made: made)
    try check(again, of: table)
    try require(again.after.horses == first.after.horses, "the same file again changes horses")
    try require(again.after.care == first.after.care && again.created == 0, "the same file again logs care again")
    try require(again.touchedHorses.isEmpty && again.touchedCare.isEmpty, "the same file again touches something")
    first = again
  }

  private static func check(_ plan: StablePlan, of table: StableTable) throws(BrokenLaw) {
    try require(plan.created + plan.updated + plan.skipped == table.rowCount, "a row is lost or counted twice")
    try require(
      plan.issues.count(where: { $0.severity == .error }) == plan.skipped, "a row is left out without a reason")
    try require(plan.after.horses.count <= Limits.horsesPerTeam, "too many horses")
    try require(Set(plan.after.horses.map(\.nameKey)).count == plan.after.horses.count, "two horses of one name")
    for horse in plan.after.horses {
      try require(!horse.nameKey.key.isEmpty, "a horse without a name")
      try check([horse.name, horse.owner], .name)
    }
    for schedule in plan.after.schedules.values {
      for meal in [schedule.am, schedule.pm] {
        try check([meal.grain], .name)
        for list in [meal.supplements, meal.medications] {
          try require(list.count <= Limits.feedListEntries, "a list of too many entries")
          try check(list, .feedEntry)
        }
      }
    }
    for event in plan.after.care {
      try require(event.nextDue.map { $0 > event.date } ?? true, "care due before it was done")
      try require((event.cost ?? .zero) <= .largest, "a cost beyond the largest")
      try check([event.provider], .name)
      try check([event.notes], .notes)
    }
  }

  private static func check(_ texts: [String], _ rule: TextRule) throws(BrokenLaw) {
    for text in texts {
      try require(rule.lengthFault(in: text) == nil && !hasControls(text), "a text is taken that breaks its rule")
    }
  }

  private static func plan(_ table: StableTable, _ records: StableRecords, made: Int) -> (StablePlan, made: Int) {
    var made = made
    func next() -> UUID {
      made += 1
      return id(made)
    }
    let plan = table.plan(over: records, today: CivilDate(year: 2026, month: 3, day: 2)) {
      HorseID(next())
    } makeCare: {
      CareEventID(next())
    }
    return (plan, made)
  }

  private static func id(_ number: Int) -> UUID {
    let (high, low) = (UInt8(truncatingIfNeeded: number >> 8), UInt8(truncatingIfNeeded: number))
    return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, high, low))
  }

  private static var barn: StableRecords {
    let horses = ["Apollo", "Rosie", "Eclipse"].enumerated().map { place, name in
      Horse(id: HorseID(id(60_000 + place)), name: name, added: CivilDate(year: 2026, month: 1, day: 1))
    }
    return StableRecords(horses: horses)
  }
}
