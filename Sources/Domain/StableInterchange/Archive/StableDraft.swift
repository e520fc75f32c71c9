import PoolInterchange
import PoolModel
import StableModel

/// What has been read of a stable's archive so far.
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

  private struct MarkKey: Hashable {
    let horse: HorseID
    let date: CivilDate
    let slot: FeedSlot
  }
  private struct RowKey: Hashable {
    let horse: HorseID
    let date: CivilDate
  }

  /// One record of a list. Lists that we do not know are passed over.
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

  /// What is no list of records.
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

  /// - Throws: where a record names a horse that is not there, or the version is not ours.
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
      // The marks of a closed day stay when a horse is removed, as its row does.
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
