import FlowModel
import FlowNotices
import StableModel
import StableRules

/// The printable page of a horse: facts, feed, due care, and all care events with costs.
struct HorsePage: Sendable {
  let team: Team
  let horse: Horse
  let record: HorseRecord
  /// Nil for a horse without a photo.
  let photo: ReportPhoto?

  var document: Document {
    let format = RegionalFormat(team)
    var facts: [(String, String)] = [
      ("Owner", horse.owner.isEmpty ? "–" : horse.owner), ("Clipped", horse.isClipped ? "yes" : "no"),
      ("At the stable since", format.dateFormats.date(horse.added)),
    ]
    for (title, meal) in [("AM feed", record.schedule.am), ("PM feed", record.schedule.pm)] where !meal.isEmpty {
      let parts = [meal.grain].filter { !$0.isEmpty } + meal.supplements + meal.medications.map { "[\($0)]" }
      facts.append((title, parts.joined(separator: ", ")))
    }
    var blocks: [Document.Block] = [
      .table(header: [], rows: facts.map { [.init($0), .init($1)] }), .heading("Due", level: 2),
    ]
    if record.due.isEmpty {
      blocks.append(.paragraph(.init("Nothing is due.", .muted)))
    } else {
      blocks.append(
        .table(
          header: [.init("Care"), .init("Due")],
          rows: record.due.map { item in
            let date = format.dateFormats.date(item.due)
            return [
              .init(item.type.rawValue),
              item.status == .overdue
                ? .init(date, note: .init("\(-item.days) \(item.days == -1 ? "day" : "days") overdue", .warning))
                : .init(date),
            ]
          }))
    }
    blocks.append(.heading("Timeline", level: 2))
    if record.care.isEmpty {
      blocks.append(.paragraph(.init("No care is on record.", .muted)))
    } else {
      blocks.append(
        .table(
          header: [.init("Date"), .init("Care"), .init("Cost", isNumber: true)],
          rows: record.care.map { event in
            let details = [event.provider, event.notes].filter { !$0.isEmpty }.joined(separator: ": ")
            return [
              .init(
                format.dateFormats.date(event.date), note: event.date > record.today ? .init("planned", .muted) : nil),
              .init(event.type.rawValue, note: details.isEmpty ? nil : .init(details, .muted)),
              .init(event.cost?.text(for: team) ?? "–", isNumber: true),
            ]
          }))
    }
    blocks += costs
    switch photo {
    case nil: break
    case .shown(let data): blocks.append(.image(data: data, alt: "Photo of \(horse.name)"))
    case .tooLarge, .otherFormat, .unreadable:
      blocks.append(.paragraph(.init("Its photo cannot be shown on a page.", .muted)))
    }
    return Document(
      language: team.language.rawValue, title: "\(horse.name) · \(team.name)", blocks: blocks, footer: [],
      paper: team.units == .imperial ? .letter : .a4)
  }

  /// Costs by kind of care, and their total; each sum is rounded on its own.
  private var costs: [Document.Block] {
    let spent = CareType.allCases.compactMap { type -> (CareType, Cost)? in
      let cost = record.care.filter { $0.type == type }.reduce(Cost.zero) { $0 + ($1.cost ?? .zero) }
      return cost > .zero ? (type, cost) : nil
    }
    guard !spent.isEmpty else { return [] }
    let total = spent.reduce(Cost.zero) { $0 + $1.1 }
    return [
      .heading("Costs", level: 2),
      .table(
        header: [],
        rows: (spent.map { ($0.0.rawValue, $0.1) } + [("together", total)]).map {
          [.init($0), .init($1.text(for: team), isNumber: true)]
        }),
    ]
  }
}
