import FlowModel
import FlowNotices
import StableDigests
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
    let localizer = BarnLocalizer(team)
    let (phrases, dateFormats) = (localizer.phrases, localizer.format.dateFormats)
    var facts: [(String, String)] = [
      (phrases.owner(), horse.owner.isEmpty ? "–" : horse.owner),
      (phrases.clipped(), horse.isClipped ? phrases.yes() : phrases.no()),
      (phrases.atStableSince(), dateFormats.date(horse.added)),
    ]
    let feeds = [(phrases.morningFeed(), record.schedule.am), (phrases.eveningFeed(), record.schedule.pm)]
    for (title, meal) in feeds where !meal.isEmpty {
      let parts = [meal.grain].filter { !$0.isEmpty } + meal.supplements + meal.medications.map { "[\($0)]" }
      facts.append((title, parts.joined(separator: ", ")))
    }
    var blocks: [Document.Block] = [
      .table(header: [], rows: facts.map { [.init($0), .init($1)] }), .heading(phrases.due(), level: 2),
    ]
    if record.due.isEmpty {
      blocks.append(.paragraph(.init(phrases.nothingDue(), .muted)))
    } else {
      blocks.append(
        .table(
          header: [.init(phrases.care()), .init(phrases.due())],
          rows: record.due.map { item in
            let date = dateFormats.date(item.due)
            return [
              .init(localizer.type(item.type)),
              item.status == .overdue
                ? .init(date, note: .init(localizer.due(in: item.days), .warning)) : .init(date),
            ]
          }))
    }
    blocks.append(.heading(phrases.timeline(), level: 2))
    if record.care.isEmpty {
      blocks.append(.paragraph(.init(phrases.noCareOnRecord(), .muted)))
    } else {
      blocks.append(
        .table(
          header: [.init(phrases.date()), .init(phrases.care()), .init(phrases.cost(), isNumber: true)],
          rows: record.care.map { event in
            let details = [event.provider, event.notes].filter { !$0.isEmpty }.joined(separator: ": ")
            return [
              .init(
                dateFormats.date(event.date), note: event.date > record.today ? .init(phrases.planned(), .muted) : nil),
              .init(localizer.type(event.type), note: details.isEmpty ? nil : .init(details, .muted)),
              .init(event.cost?.text(for: team) ?? "–", isNumber: true),
            ]
          }))
    }
    blocks += costs(localizer)
    switch photo {
    case nil: break
    case .shown(let data): blocks.append(.image(data: data, alt: phrases.photoOf(horse.name)))
    case .tooLarge, .otherFormat, .unreadable:
      blocks.append(.paragraph(.init(phrases.photoNotShown(), .muted)))
    }
    return Document(
      language: team.language.rawValue, title: "\(horse.name) · \(team.name)", blocks: blocks, footer: [],
      paper: localizer.paper)
  }

  /// Costs by kind of care, and their total; each sum is rounded on its own.
  private func costs(_ localizer: BarnLocalizer) -> [Document.Block] {
    let spent = CareType.allCases.compactMap { type -> (CareType, Cost)? in
      let cost = record.care.filter { $0.type == type }.reduce(Cost.zero) { $0 + ($1.cost ?? .zero) }
      return cost > .zero ? (type, cost) : nil
    }
    guard !spent.isEmpty else { return [] }
    let total = spent.reduce(Cost.zero) { $0 + $1.1 }
    return [
      .heading(localizer.phrases.costs(), level: 2),
      .table(
        header: [],
        rows: (spent.map { (localizer.type($0.0), $0.1) } + [(localizer.phrases.total(), total)]).map {
          [.init($0), .init($1.text(for: team), isNumber: true)]
        }),
    ]
  }
}
