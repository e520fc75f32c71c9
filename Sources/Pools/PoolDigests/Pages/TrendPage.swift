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
  /// The visits with a saturation index, oldest first.
  private let visits: [ServiceEvent]
  /// The saturation index of each visit.
  private let indexes: [Double]

  /// - Parameter visits: the pool's visits, newest first.
  package init(team: Team, zone: Zone, customer: String, visits: [ServiceEvent]) {
    localizer = Localizer(team)
    self.team = team
    self.zone = zone
    self.customer = customer
    self.visits = visits.reversed().filter(\.hasIndex)
    indexes = self.visits.compactMap { $0.lsi(by: team.settings.lsiMethod) }
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
    let sanitiser = sanitiser
    return Chart(
      .lines, title: "\(phrases.trendTitle()) · \(customer)",
      description: phrases.bandNote(), isDescribed: true,
      panels: [
        .init(
          "pH", value: visits.last.map { text($0.readings.pH) } ?? "", now: visits.map(\.readings.pH),
          band: Chart.Band(ideal, low: text(ideal.lowerBound), high: text(ideal.upperBound))),
        .init(
          phrases.saturationIndex(), value: indexes.last.map { localizer.index($0) } ?? "",
          now: indexes, band: localizer.balanceBand),
      ] + sanitiser.map(panel), tableTitle: phrases.figures(),
      header: [
        .init(phrases.dateColumn()), .init("pH", isNumber: true), .init("LSI", isNumber: true),
        .init(phrases.statusColumn()),
      ] + sanitiser.map { .init($0.name, isNumber: true) },
      rows: zip(dates, zip(visits, indexes)).map { date, entry in
        let (visit, lsi) = entry
        return [
          .init(date), .init(text(visit.readings.pH), isNumber: true),
          .init(localizer.index(lsi), isNumber: true),
          .init(localizer.condition(WaterCondition(lsi: lsi))),
        ] + sanitiser.map { .init($0.value(visit).map($0.text) ?? "\u{2014}", isNumber: true) }
      })
  }

  /// A reading that not every visit has.
  private struct SanitiserReading {
    let name: String
    let text: @Sendable (Double) -> String
    /// The ideal range at the last visit with the reading.
    let ideal: ClosedRange<Double>
    /// The reading of a visit; nil if it was not measured.
    let value: @Sendable (ServiceEvent) -> Double?
  }

  /// Free chlorine and salt, if some visit measured them.
  private var sanitiser: [SanitiserReading] {
    let numerals = localizer.numerals
    let all = [
      (
        WaterParameter.freeChlorine, { @Sendable in numerals.text($0, places: 1) },
        { @Sendable (visit: ServiceEvent) in visit.measuredFreeChlorine }
      ),
      (.salt, { @Sendable in numerals.text($0) }, { @Sendable (visit: ServiceEvent) in visit.measuredSalt }),
    ]
    return all.compactMap { parameter, text, value in
      visits.last { value($0) != nil }.map { visit in
        SanitiserReading(
          name: localizer.name(parameter) + " (ppm)", text: text,
          ideal: parameter.ideal(in: visit.readings, assumed: visit.assumed), value: value)
      }
    }
  }

  private func panel(of reading: SanitiserReading) -> Chart.Panel {
    let values = visits.compactMap(reading.value)
    return Chart.Panel(
      reading.name, value: values.last.map(reading.text) ?? "", now: values,
      band: Chart.Band(
        reading.ideal, low: reading.text(reading.ideal.lowerBound), high: reading.text(reading.ideal.upperBound)))
  }
}
