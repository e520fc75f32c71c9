package import FlowCalendar
package import FlowModel
package import FlowNotices
import PoolChemistry
package import PoolModel

/// The development of one pool's water, visit by visit.
package struct TrendPage: Sendable {
  private let localizer: Localizer
  private let team: Team
  private let zone: Zone
  private let customer: String
  /// The visits with measured water, oldest first.
  private let visits: [ServiceEvent]

  /// - Parameter visits: the pool's visits, newest first.
  package init(team: Team, zone: Zone, customer: String, visits: [ServiceEvent]) {
    localizer = Localizer(team)
    self.team = team
    self.zone = zone
    self.customer = customer
    self.visits = visits.reversed().filter(\.hasIndex)
  }

  package var document: Document {
    let phrases = localizer.phrases
    return Document(
      language: team.language.rawValue, title: "\(phrases.trendTitle()) · \(customer)",
      blocks: visits.isEmpty
        ? [localizer.mutedParagraph(phrases.noReadings())]
        : [.paragraph(.init(span)), .chart(chart)],
      footer: [], paper: localizer.paper)
  }

  /// The chart as a stand-alone SVG file.
  package var svg: String { chart.svg }

  /// The subtitle: `desert-blue, 15 visits, Nov 10, 2025 to Feb 23, 2026`.
  private var span: String {
    let count = "\(team.name), \(localizer.say(localizer.phrases.visits, visits.count))"
    guard visits.count > 1, let first = dates.first, let last = dates.last else { return count }
    return "\(count), \(localizer.phrases.fromDayToDay(first, last))"
  }

  private var dates: [String] { visits.map { localizer.dateFormats.date(zone.local(at: $0.timestamp).date) } }

  private var chart: Chart {
    let phrases = localizer.phrases
    func text(_ pH: Double) -> String { localizer.numerals.text(pH, places: 1) }
    let ideal = WaterParameter.pH.ideal
    return Chart(
      .lines, title: "\(phrases.trendTitle()) · \(customer)",
      description: phrases.bandNote(), isDescribed: true,
      panels: [
        .init(
          "pH", value: visits.last.map { text($0.readings.pH) } ?? "", now: visits.map(\.readings.pH),
          band: Chart.Band(ideal, low: text(ideal.lowerBound), high: text(ideal.upperBound))),
        .init(
          phrases.saturationIndex(), value: visits.last.map { localizer.index($0.lsiValue) } ?? "",
          now: visits.map(\.lsiValue), band: localizer.balanceBand),
      ], tableTitle: phrases.figures(),
      header: [
        .init(phrases.dateColumn()), .init("pH", isNumber: true), .init("LSI", isNumber: true),
        .init(phrases.statusColumn()),
      ],
      rows: zip(dates, visits).map { date, visit in
        [
          .init(date), .init(text(visit.readings.pH), isNumber: true),
          .init(localizer.index(visit.lsiValue), isNumber: true),
          .init(localizer.condition(WaterCondition(lsi: visit.lsiValue))),
        ]
      })
  }
}
