package import PoolModel

package enum FeedSlot: String, Sendable, CaseIterable, Codable {
  case am, pm
}

/// What a horse gets in one slot of a day. Lists have at most 50 entries of 200 characters.
package struct FeedMeal: Hashable, Sendable {
  package var grain: String
  package var supplements: [String]
  package var medications: [String]

  package init(grain: String = "", supplements: [String] = [], medications: [String] = []) {
    self.grain = grain
    self.supplements = supplements
    self.medications = medications
  }

  /// A slot of which nothing is to be fed counts as having no schedule; blanks are nothing.
  package var isEmpty: Bool {
    ([grain] + supplements + medications).allSatisfy { $0.allSatisfy(\.isWhitespace) }
  }
}

/// What a horse gets, day by day. A horse has one or none.
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

/// That a horse was fed in one slot of a local date. The first of a slot stands.
package struct FeedMark: Hashable, Sendable {
  package var horseID: HorseID
  package var date: CivilDate
  package var slot: FeedSlot
  package var at: Timestamp
  /// Who fed, as somebody typed it; empty where nobody said so.
  package var by: String
  /// Marks made in one go have one number, and are taken back together. It grows with each marking of a team.
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

/// What became of one slot of a day that is closed.
package enum FeedResult: String, Sendable, CaseIterable, Codable {
  case fed, missed
  case noSchedule = "no-schedule"
}

/// A horse's line of a closed day. It stays when the horse is removed.
package struct FeedRow: Hashable, Sendable {
  package var date: CivilDate
  package var horseID: HorseID
  /// What it was called when the day was closed.
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

/// A schedule by itself, to be copied to horses.
package struct FeedTemplate: Hashable, Sendable {
  package var id: FeedTemplateID
  /// Unique in the team, without regard to case and runs of blanks.
  package var name: String
  package var about: String
  package var schedule: FeedSchedule
  /// How often it was applied.
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
