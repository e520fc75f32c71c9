import FlowCalendar
import FlowModel
import FlowTestKit
import Foundation
import StableModel
import StableRules
import Testing

struct FeedUndoTests {
  /// A simple model of one day of a barn: its marks as a stack of lists.
  private struct Model {
    struct Marking {
      let slot: FeedSlot
      var horses: Set<String>
    }
    var names: [String]
    let scheduled: Set<FeedSlot>
    var stack: [Marking] = []
    /// The horses with a row, once the day is closed.
    var rows: [String]?

    func isFed(_ name: String, _ slot: FeedSlot) -> Bool {
      stack.contains { $0.slot == slot && $0.horses.contains(name) }
    }

    mutating func mark(_ names: [String], _ slot: FeedSlot) -> [String] {
      guard scheduled.contains(slot) else { return [] }
      let new = names.filter { !isFed($0, slot) }
      if !new.isEmpty { stack.append(Marking(slot: slot, horses: Set(new))) }
      return new.sorted()
    }

    mutating func undo() -> [String] { stack.popLast()?.horses.sorted() ?? [] }

    mutating func remove(_ name: String) {
      names.removeAll { $0 == name }
      guard rows == nil else { return }
      for index in stack.indices { stack[index].horses.remove(name) }
      stack.removeAll { $0.horses.isEmpty }
    }
  }

  /// 100,000 with POOLFLOW_SLOW=1.
  private static var sequences: Int {
    ProcessInfo.processInfo.environment["POOLFLOW_SLOW"] == nil ? 3_000 : 100_000
  }

  @Test func `undo reverts the last marking, like a stack`() {
    let seed = SeededNumbers.anySeed
    var random = SeededNumbers(seed: seed)
    for number in 0..<Self.sequences {
      if let difference = Self.difference(using: &random) {
        Issue.record("seed \(seed), sequence \(number + 1): \(difference)")
        return
      }
    }
  }

  /// Plays a random day of a few horses; nil if the rule and the model agree at every step.
  private static func difference(using random: inout SeededNumbers) -> String? {
    let names = ["Apollo", "bella", "Cato", "Daisy"].prefix(Int.random(in: 0...4, using: &random))
    let scheduled = Set(FeedSlot.allCases.filter { _ in Int.random(in: 0..<5, using: &random) > 0 })
    let meal = FeedMeal(grain: "2 qt oats")
    let schedule = FeedSchedule(
      am: scheduled.contains(.am) ? meal : FeedMeal(), pm: scheduled.contains(.pm) ? meal : FeedMeal())
    let date = CivilDate(year: 2026, month: 3, day: 2)
    var model = Model(names: Array(names), scheduled: scheduled)
    var day = FeedDay(
      date: date,
      horses: names.enumerated().map { Horse(id: HorseID(Samples.uuid($0.offset + 1)), name: $0.element, added: date) })
    day.schedules = Dictionary(uniqueKeysWithValues: day.horses.map { ($0.id, schedule) })
    for step in 1...Int.random(in: 1...25, using: &random) {
      let slot: FeedSlot = Bool.random(using: &random) ? .am : .pm
      let verb = Int.random(in: 0..<12, using: &random)
      let (wanted, outcome): ([String], FeedOutcome)
      switch verb {
      case 0...3:
        guard let name = names.randomElement(using: &random) else { continue }
        outcome = day.mark(name.uppercased(), slot, at: Samples.mondayMorning, by: "Ana")
        wanted = model.names.contains(name) ? model.mark([name], slot) : []
      case 4...5:
        outcome = day.markAll(slot, at: Samples.mondayMorning, by: "Ana")
        wanted = model.mark(model.rows ?? model.names, slot)
      case 6...9:
        outcome = day.undo()
        wanted = model.undo()
      case 10:
        guard let horse = day.horses.randomElement(using: &random) else { continue }
        day.horses.removeAll { $0.id == horse.id }
        if day.closed == nil { day.marks.removeAll { $0.horseID == horse.id } }
        model.remove(horse.name)
        continue
      default:
        outcome = day.close()
        wanted = []
        model.rows = model.rows ?? model.names
      }
      let changed = outcome.change?.horses.sorted() ?? []
      if changed != wanted { return "step \(step): \(outcome) where \(wanted) was expected" }
      for row in day.board().rows {
        for slot in FeedSlot.allCases {
          let isFed = if case .fed = row[slot] { true } else { false }
          if isFed != model.isFed(row.horse, slot) { return "step \(step): \(row) after \(outcome)" }
        }
      }
    }
    return nil
  }
}
