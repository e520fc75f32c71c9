import FlowModel
package import PoolInterchange
import StableModel

/// Writes a stable's archive: `stable.json`, one object with a list for each kind of record. Equal contents give equal
/// bytes.
///
/// Photos are not included: the caller adds their bytes to the container under `StableArchiveName.photo`.
package enum StableArchiveWriter {
  package static let schemaVersion = 1

  package static func member(of contents: StableContents) -> ArchiveMember {
    ArchiveMember(name: StableArchiveName.records) { bytes(of: contents) }
  }

  private static func bytes(of contents: StableContents) -> [UInt8] {
    var json = JSONText()
    json.object { json in
      json.member("appVersion", contents.appVersion)
      json.member("care", contents.care.map(CareJSON.init))
      json.member("closedDays", contents.closedDays.keys.sorted().map(\.description))
      json.member("createdAt", Timestamp(seconds: contents.createdAt.seconds).description)
      json.member("forecasts", contents.forecasts.map(ForecastJSON.init))
      let rows = contents.closedDays.sorted { $0.key < $1.key }.flatMap(\.value)
      json.member("history", rows.map(RowJSON.init))
      json.member(
        "horses", contents.horses.map { HorseJSON(horse: $0, schedule: contents.schedules[$0.id]) })
      json.member("marks", contents.marks.map(MarkJSON.init))
      json.member("nights", contents.nights.map(NightJSON.init))
      json.member("schemaVersion", schemaVersion)
      json.member("settings", object: { settings(contents.settings, &$0) })
      json.member("templates", contents.templates.map(TemplateJSON.init))
    }
    return json.bytes
  }

  private static func settings(_ settings: BarnSettings, _ json: inout JSONText) {
    json.member("intervals", settings.intervals.sorted { $0.key < $1.key }.map(IntervalJSON.init))
    json.member("limits", settings.limits.degrees.map { "\($0)" })
  }
}

// MARK: Records, their members sorted by key

/// A horse as a JSON object, with its feed plan.
private struct HorseJSON: JSONWritable {
  let horse: Horse
  let schedule: FeedSchedule?

  func members(_ json: inout JSONText) {
    json.member("added", horse.added.description)
    json.member("feed", schedule.map(ScheduleJSON.init))
    json.member("id", horse.id.description)
    json.member("isClipped", horse.isClipped)
    json.member("name", horse.name)
    json.member("owner", horse.owner)
    json.member("photo", horse.hasPhoto ? StableArchiveName.photo(of: horse.id) : nil)
  }
}

/// A feed plan as a JSON object.
private struct ScheduleJSON: JSONWritable {
  let schedule: FeedSchedule

  func members(_ json: inout JSONText) {
    json.member("am", object: { meal(schedule.am, &$0) })
    json.member("pm", object: { meal(schedule.pm, &$0) })
  }

  private func meal(_ meal: FeedMeal, _ json: inout JSONText) {
    json.member("grain", meal.grain)
    json.member("medications", meal.medications)
    json.member("supplements", meal.supplements)
  }
}

/// A feed template as a JSON object.
private struct TemplateJSON: JSONWritable {
  let template: FeedTemplate

  func members(_ json: inout JSONText) {
    json.member("about", template.about)
    json.member("createdAt", template.createdAt.description)
    json.member("feed", ScheduleJSON(schedule: template.schedule))
    json.member("id", template.id.description)
    json.member("name", template.name)
    json.member("uses", template.uses)
  }
}

/// A care event as a JSON object.
private struct CareJSON: JSONWritable {
  let event: CareEvent

  func members(_ json: inout JSONText) {
    json.member("cost", event.cost?.description)
    json.member("date", event.date.description)
    json.member("horse", event.horseID.description)
    json.member("id", event.id.description)
    json.member("nextDue", event.nextDue?.description)
    json.member("notes", event.notes)
    json.member("provider", event.provider)
    json.member("type", event.type)
  }
}

/// A feed mark as a JSON object.
private struct MarkJSON: JSONWritable {
  let mark: FeedMark

  func members(_ json: inout JSONText) {
    json.member("at", mark.at.description)
    json.member("by", mark.by)
    json.member("date", mark.date.description)
    json.member("horse", mark.horseID.description)
    json.member("marking", Int(mark.marking))
    json.member("slot", mark.slot)
  }
}

/// A row of a closed day as a JSON object.
private struct RowJSON: JSONWritable {
  let row: FeedRow

  func members(_ json: inout JSONText) {
    json.member("am", row.am)
    json.member("date", row.date.description)
    json.member("horse", row.horseID.description)
    json.member("name", row.horse)
    json.member("pm", row.pm)
  }
}

/// A forecast as a JSON object.
private struct ForecastJSON: JSONWritable {
  let kept: StoredForecast

  func members(_ json: inout JSONText) {
    json.member("digest", kept.digest)
    json.member("hours", kept.forecast.hours.map(HourJSON.init))
    json.member("importedAt", kept.importedAt.description)
    json.member("issuedAt", kept.forecast.issuedAt.description)
    json.member("place", kept.forecast.place)
    json.member("source", kept.forecast.source)
  }
}

/// An hour of a forecast as a JSON object.
private struct HourJSON: JSONWritable {
  let hour: ForecastHour

  func members(_ json: inout JSONText) {
    json.member("airC", hour.air)
    json.member("probability", hour.probability)
    json.member("rainMm", hour.rain)
    json.member("time", hour.start.description)
    json.member("windKmh", hour.wind)
  }
}

/// The blanket advice for a night as a JSON object.
private struct NightJSON: JSONWritable {
  let night: BlanketNight

  func members(_ json: inout JSONText) {
    json.member("date", night.date.description)
    json.member("feltC", night.felt)
    json.member("horses", night.advice.sorted { $0.key < $1.key }.map(AdviceJSON.init))
    json.member("isWet", night.isWet)
  }
}

/// The blanket advice for a horse as a JSON object.
private struct AdviceJSON: JSONWritable {
  let horse: HorseID
  let advice: BlanketAdvice

  init(_ entry: (key: HorseID, value: BlanketAdvice)) { (horse, advice) = entry }

  func members(_ json: inout JSONText) {
    json.member("advice", advice.rawValue)
    json.member("horse", horse.description)
  }
}

/// The interval of a care type as a JSON object.
private struct IntervalJSON: JSONWritable {
  let type: CareType
  let days: Int?

  init(_ entry: (key: CareType, value: Int?)) { (type, days) = entry }

  func members(_ json: inout JSONText) {
    json.member("days", days)
    json.member("type", type)
  }
}
