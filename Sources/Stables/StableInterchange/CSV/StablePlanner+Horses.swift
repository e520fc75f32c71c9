import FlowModel
import StableModel

extension StablePlanner {
  // MARK: Rows of horses

  /// Updates the horse that the row names, or creates it.
  mutating func takeHorse(_ row: Int, makeID: () -> HorseID) {
    let name = Self.oneLine(text(row, .horse))
    guard !name.isEmpty else { return skip(row, .horse, .empty) }
    guard TextRule.name.lengthFault(in: name) == nil else { return skip(row, .horse, .tooLong(.name)) }
    if let horseIndex = horseIndexes[HorseName(name)] {
      plan.updated += 1
      var horse = plan.after.horses[horseIndex]
      fill(&horse, row)
      plan.after.horses[horseIndex] = horse
    } else {
      guard plan.after.horses.count < Limits.horsesPerTeam else {
        return skip(row, .horse, .tooManyHorses(limit: Limits.horsesPerTeam))
      }
      plan.created += 1
      var horse = Horse(id: makeID(), name: name, added: today)
      fill(&horse, row)
      horseIndexes[horse.nameKey] = plan.after.horses.count
      plan.after.horses.append(horse)
    }
  }

  /// Filled cells overwrite the horse's values; empty cells change nothing.
  private mutating func fill(_ horse: inout Horse, _ row: Int) {
    if let owner = line(row, .owner), !owner.isEmpty { horse.owner = owner }
    let clipped = text(row, .clipped)
    if !clipped.isEmpty {
      if let isClipped = CareKeywords.yesOrNo(clipped) {
        horse.isClipped = isClipped
      } else {
        warn(row, .clipped, .noYesOrNo)
      }
    }
    let added = text(row, .dateAdded)
    if !added.isEmpty {
      if let date = CivilDate(added) { horse.added = date } else { warn(row, .dateAdded, .noDate) }
    }
  }

  // MARK: Rows of feed

  /// Updates or creates the feed plan of the horse that the row names.
  mutating func takeFeed(_ row: Int) {
    guard let horse = knownHorse(row) else { return }
    if plan.after.schedules[horse] == nil { plan.created += 1 } else { plan.updated += 1 }
    var schedule = plan.after.schedules[horse] ?? FeedSchedule()
    for slot in FeedSlot.allCases {
      let columns: (grain: StableColumn, supplements: StableColumn, medications: StableColumn) =
        slot == .am ? (.amGrain, .amSupplements, .amMedications) : (.pmGrain, .pmSupplements, .pmMedications)
      if table.columns.contains(columns.grain), let grain = line(row, columns.grain) { schedule[slot].grain = grain }
      if let entries = entries(row, columns.supplements) { schedule[slot].supplements = entries }
      if let entries = entries(row, columns.medications) { schedule[slot].medications = entries }
    }
    plan.after.schedules[horse] = schedule
  }

  /// The entries of a cell, separated by `;`, `|` or line breaks. Nil if the file does not have the column, or, with a
  /// warning, if there are too many entries or one is too long.
  private mutating func entries(_ row: Int, _ column: StableColumn) -> [String]? {
    guard table.columns.contains(column) else { return nil }
    let text = text(row, column)
    let entries = text.split(whereSeparator: { $0 == ";" || $0 == "|" || $0.isNewline })
      .map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }.filter { !$0.isEmpty }
    guard entries.count <= Limits.feedListEntries else {
      warn(row, column, .tooManyEntries(limit: Limits.feedListEntries))
      return nil
    }
    guard entries.allSatisfy({ TextRule.feedEntry.lengthFault(in: $0) == nil }) else {
      warn(row, column, .entryTooLong(limit: Limits.feedEntryLength))
      return nil
    }
    return entries
  }
}
