import FlowModel
import PoolInterchange
import StableModel

/// Collects the records of a stable's archive while it is read, and checks that ids and names are unique.
struct StableDraft {
  private var version: Int?
  private var appVersion = ""
  private var createdAt: Timestamp?
  private var draft = StableContents(appVersion: "", createdAt: Timestamp(seconds: 0))
  private var names: Set<HorseName> = []
  private var horses: Set<HorseID> = []
  private var templateNames: Set<HorseName> = []
  private var templates: Set<FeedTemplateID> = []
  private var care: Set<CareEventID> = []
  private var marks: Set<MarkKey> = []
  private var rows: Set<RowKey> = []

  /// The identity of a feed mark.
  private struct MarkKey: Hashable {
    let horse: HorseID
    let date: CivilDate
    let slot: FeedSlot
  }
  /// The identity of a row of a closed day.
  private struct RowKey: Hashable {
    let horse: HorseID
    let date: CivilDate
  }

  /// Adds a record of a list. Unknown lists are ignored.
  mutating func take(_ record: RecordReader, of list: String) throws(ArchiveError) {
    switch list {
    case "horses": try takeHorse(record)
    case "templates": try takeTemplate(record)
    case "care":
      let event = try StableFields.care(record)
      guard care.insert(event.id).inserted else { throw record.refuse("id", .taken) }
      draft.care.append(event)
    case "marks":
      let mark = try StableFields.mark(record)
      guard marks.insert(MarkKey(horse: mark.horseID, date: mark.date, slot: mark.slot)).inserted else {
        throw record.refuse("slot", .taken)
      }
      draft.marks.append(mark)
    case "history":
      let row = try StableFields.row(record)
      guard rows.insert(RowKey(horse: row.horseID, date: row.date)).inserted else {
        throw record.refuse("horse", .taken)
      }
      draft.closedDays[row.date, default: []].append(row)
    case "forecasts":
      guard draft.forecasts.count < 2 else { throw record.refuse("it", .tooMany(limit: 2)) }
      draft.forecasts.append(try StableFields.forecast(record))
    case "nights":
      let night = try StableFields.night(record)
      guard !draft.nights.contains(where: { $0.date == night.date }) else { throw record.refuse("date", .taken) }
      draft.nights.append(night)
    default: break
    }
  }

  /// Adds a value that is not a record of a list, such as the schema version.
  mutating func take(_ record: RecordReader, field: String, isElement: Bool) throws(ArchiveError) {
    switch field {
    case "schemaVersion": version = try record.whole(field)
    case "appVersion": appVersion = try record.text(field, .name)
    case "createdAt": createdAt = try record.instant(field)
    case "settings": draft.settings = try StableFields.settings(record, field)
    case "closedDays":
      guard isElement else { throw record.refuse(field, .notAList) }
      let date = try StableFields.date(record, field)
      if draft.closedDays[date] == nil { draft.closedDays[date] = [] }
    case "horses", "templates", "care", "marks", "history", "forecasts", "nights":
      throw record.refuse(field, isElement ? .notAnObject : .notAList)
    default: break
    }
  }

  /// The complete contents.
  ///
  /// - Throws: an error if a record refers to a missing horse or the schema version is not supported.
  func contents(file: String, _ origin: ArchiveOrigin) throws(ArchiveError) -> StableContents {
    func refuse(_ field: String, _ fault: RecordFault) -> ArchiveError {
      .unreadableArchive(.record(file: file, number: 1, field: field, fault))
    }
    guard let version else { throw refuse("schemaVersion", .missing) }
    guard version == StableArchiveWriter.schemaVersion else { throw refuse("schemaVersion", .outOfRange) }
    guard let createdAt else { throw refuse("createdAt", .missing) }
    var contents = draft
    contents.appVersion = appVersion
    contents.createdAt = createdAt
    var lost = contents.care.filter { !horses.contains($0.horseID) }.map {
      DanglingReference(file: file, recordID: "\($0.id)", field: "horse", missingID: "\($0.horseID)")
    }
    if origin == .anywhere {
      // If a horse is removed, its marks and rows of closed days are kept, so they may refer to a missing horse.
      lost += contents.marks.filter {
        !horses.contains($0.horseID) && !rows.contains(RowKey(horse: $0.horseID, date: $0.date))
      }.map {
        DanglingReference(file: file, recordID: "mark of \($0.date)", field: "horse", missingID: "\($0.horseID)")
      }
    }
    guard lost.isEmpty else {
      throw .invalidReference(Array(lost.prefix(Limits.problemsShown)), total: lost.count)
    }
    return contents
  }

  private mutating func takeHorse(_ record: RecordReader) throws(ArchiveError) {
    guard draft.horses.count < Limits.horsesPerTeam else {
      throw record.refuse("it", .tooMany(limit: Limits.horsesPerTeam))
    }
    let horse = try StableFields.horse(record)
    guard horses.insert(horse.id).inserted else { throw record.refuse("id", .taken) }
    guard names.insert(horse.nameKey).inserted else { throw record.refuse("name", .taken) }
    draft.horses.append(horse)
    draft.schedules[horse.id] = try StableFields.schedule(record, "feed")
  }

  private mutating func takeTemplate(_ record: RecordReader) throws(ArchiveError) {
    guard draft.templates.count < Limits.feedTemplatesPerTeam else {
      throw record.refuse("it", .tooMany(limit: Limits.feedTemplatesPerTeam))
    }
    let template = try StableFields.template(record)
    guard templates.insert(template.id).inserted else { throw record.refuse("id", .taken) }
    guard templateNames.insert(HorseName(template.name)).inserted else { throw record.refuse("name", .taken) }
    draft.templates.append(template)
  }
}
