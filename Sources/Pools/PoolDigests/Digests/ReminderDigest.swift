import FlowCalendar
package import FlowModel
package import FlowNotices
import PoolModel

/// A reminder as data, with its placeholders filled in.
package struct ReminderDigest: Hashable, Sendable, Decodable {
  package let team: String
  package let speaks: DigestLocale
  /// The local date of the reminder: `2026-03-02`.
  package let date: String
  package let name: String
  package let title: String
  package let text: String
  /// The technician whose reminder it is; nil for the whole team's.
  package let technician: String?
  package let late: DigestMoment.Lateness?
  package let run: String?
}

extension ReminderDigest {
  package init(_ reminder: Reminder, _ facts: TeamFacts, at moment: DigestMoment) {
    let localizer = Localizer(facts.team)
    let technician = facts.technicians.first { $0.id == reminder.technicianID }?.name
    func value(_ placeholder: ReminderText.Placeholder) -> String {
      switch placeholder {
      case .team: return facts.team.name
      case .technician: return technician ?? facts.team.name
      case .date: return localizer.dateFormats.date(moment.date)
      case .weekday: return localizer.dateFormats.weekday(moment.date.weekday)
      case .poolsToday: return String(facts.pools(on: moment.date, of: reminder.technicianID))
      case .poolsTomorrow: return String(facts.pools(on: moment.date.adding(days: 1), of: reminder.technicianID))
      case .lowStock:
        let low = facts.lowStock.map(\.item.name)
        return low.isEmpty ? localizer.phrases.nothing() : low.joined(separator: ", ")
      }
    }
    self.init(
      team: facts.team.name, speaks: DigestLocale(facts.team), date: moment.date.description, name: reminder.name.text,
      title: reminder.title.isEmpty ? localizer.phrases.reminderTitle() : reminder.title.filled(value),
      text: reminder.text.filled(value), technician: technician, late: moment.late, run: moment.run)
  }

  package func document() -> Document {
    let localizer = speaks.localizer
    var blocks: [Document.Block] = []
    if let late { blocks.append(.paragraph(.init(late.words(in: localizer.language), .warning))) }
    if let technician { blocks.append(.heading(technician, level: 2)) }
    blocks.append(.paragraph(.init(text)))
    return Document(
      language: speaks.language.rawValue, title: "\(title) · \(team)", blocks: blocks,
      footer: [run.map { localizer.phrases.run($0) } ?? localizer.phrases.preview()], paper: localizer.paper)
  }
}

extension TeamFacts {
  /// The number of pools scheduled on a date, for one technician or for all; 0 on a day off.
  package func pools(on date: CivilDate, of technician: TechnicianID?) -> Int {
    guard daysOff.closure(on: date) == nil else { return 0 }
    let stops = stops(on: date)
    guard let technician else { return stops.count }
    guard daysOff.absence(of: technician, on: date) == nil else { return 0 }
    return stops.count { $0.technicianID == technician }
  }
}

extension ReminderDigest: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("date", date)
    json.member("late", late)
    json.member("name", name)
    json.member("run", run)
    json.member("speaks", speaks)
    json.member("team", team)
    json.member("technician", technician)
    json.member("text", text)
    json.member("title", title)
  }
}
