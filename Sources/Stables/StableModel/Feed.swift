package import FlowModel

/// A feeding time of the day.
package enum FeedSlot: String, Sendable, CaseIterable, Codable {
  case am, pm
}

/// The feed of a horse in one slot of a day. The lists have at most 50 entries of 200 characters.
package struct FeedMeal: Hashable, Sendable {
  package var grain: String
  package var supplements: [String]
  package var medications: [String]

  package init(grain: String = "", supplements: [String] = [], medications: [String] = []) {
    self.grain = grain
    self.supplements = supplements
    self.medications = medications
  }

  /// True if nothing is to be fed; texts of white space count as empty. An empty meal is treated as no schedule.
  package var isEmpty: Bool {
    ([grain] + supplements + medications).allSatisfy { $0.allSatisfy(\.isWhitespace) }
  }
}

/// The daily feed plan of a horse, which has at most one.
package struct FeedSchedule: Hashable, Sendable {
  package var am: FeedMeal
  package var pm: FeedMeal

  package init(am: FeedMeal = FeedMeal(), pm: FeedMeal = FeedMeal()) {
    self.am = am
    self.pm = pm
  }

  package subscript(slot: FeedSlot) -> FeedMeal {
    get { slot == .am ? am : pm }
    set { if slot == .am { am = newValue } else { pm = newValue } }
  }

  package var isEmpty: Bool { am.isEmpty && pm.isEmpty }
}

/// A record that a horse was fed in one slot of a local date. The first mark of a slot counts; later ones are refused.
package struct FeedMark: Hashable, Sendable {
  package var horseID: HorseID
  package var date: CivilDate
  package var slot: FeedSlot
  package var at: Timestamp
  /// The person who fed, as entered by the user; may be empty.
  package var by: String
  /// The number of the command that made the mark, increasing within the team. Marks of one command are undone
  /// together.
  package var marking: Int64

  package init(horseID: HorseID, date: CivilDate, slot: FeedSlot, at: Timestamp, by: String, marking: Int64) {
    self.horseID = horseID
    self.date = date
    self.slot = slot
    self.at = at
    self.by = by
    self.marking = marking
  }
}

/// The result of one slot of a closed day.
package enum FeedResult: String, Sendable, CaseIterable, Codable {
  case fed, missed
  case noSchedule = "no-schedule"
}

/// A horse's results of a closed day. The row is kept after the horse is removed.
package struct FeedRow: Hashable, Sendable {
  package var date: CivilDate
  package var horseID: HorseID
  /// The horse's name when the day was closed.
  package var horse: String
  package var am: FeedResult
  package var pm: FeedResult

  package init(date: CivilDate, horseID: HorseID, horse: String, am: FeedResult, pm: FeedResult) {
    self.date = date
    self.horseID = horseID
    self.horse = horse
    self.am = am
    self.pm = pm
  }

  package subscript(slot: FeedSlot) -> FeedResult {
    get { slot == .am ? am : pm }
    set { if slot == .am { am = newValue } else { pm = newValue } }
  }
}

/// A named feed plan that can be copied to horses.
package struct FeedTemplate: Hashable, Sendable {
  package var id: FeedTemplateID
  /// Unique in the team, ignoring case and repeated blanks.
  package var name: String
  package var about: String
  package var schedule: FeedSchedule
  /// The number of times it was applied to a horse.
  package var uses: Int
  package var createdAt: Timestamp

  package init(
    id: FeedTemplateID, name: String, about: String, schedule: FeedSchedule, uses: Int = 0, createdAt: Timestamp
  ) {
    self.id = id
    self.name = name
    self.about = about
    self.schedule = schedule
    self.uses = uses
    self.createdAt = createdAt
  }
}
