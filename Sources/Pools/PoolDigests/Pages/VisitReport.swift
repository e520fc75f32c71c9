package import FlowCalendar
package import FlowModel
package import FlowNotices
import PoolChemistry
package import PoolModel

/// The report of a visit for the customer: readings, chemicals with their cost, and the visit's notes. The pool's notes and
/// gate codes are internal and left out.
package struct VisitReport: Sendable {
  /// One chemical that was added.
  package struct Dose: Hashable, Sendable {
    package let name: String
    package let type: String
    package let quantityOz: Double
    /// True for tablets or powder of a chemical that is usually liquid.
    package let isDry: Bool

    package init(name: String, type: String, quantityOz: Double, isDry: Bool) {
      self.isDry = isDry
      self.name = name
      self.type = type
      self.quantityOz = quantityOz
    }
  }

  package let team: Team
  package let zone: Zone
  package let pool: Pool
  /// The weekdays on which the pool is served.
  private let serviceDays: [Weekday]
  package let event: ServiceEvent
  package let doses: [Dose]
  /// The recurring work that was done, by name.
  package let done: [String]
  /// The pool's readings after the newest visit; nil if it was never measured.
  package let water: MeasuredWater?
  /// The visit's photo; nil if none was taken.
  package let photo: ReportPhoto?

  package init(
    team: Team, zone: Zone, pool: Pool, serviceDays: [Weekday], event: ServiceEvent, doses: [Dose],
    done: [String] = [], water: MeasuredWater?, photo: ReportPhoto?
  ) {
    self.team = team
    self.zone = zone
    self.pool = pool
    self.serviceDays = serviceDays
    self.event = event
    self.doses = doses
    self.done = done
    self.water = water
    self.photo = photo
  }

  package var document: Document {
    let localizer = Localizer(team)
    let phrases = localizer.phrases
    let local = zone.local(at: event.timestamp)
    var blocks: [Document.Block] = [
      .paragraph(.init(pool.customerName)), .paragraph(.init(pool.address, .muted)),
      .paragraph(.init("\(localizer.dateFormats.date(local.date)), \(localizer.format.time(local.time))")),
      .heading(phrases.readingsTitle(), level: 2), readings(localizer), .heading(phrases.dosesTitle(), level: 2),
    ]
    if doses.isEmpty {
      blocks.append(.paragraph(.init(phrases.noChemicals(), .muted)))
    } else {
      var rows = doses.map { dose -> [Document.Cell] in
        let type = ChemicalType(rawValue: dose.type) ?? .base
        let name = dose.name.isEmpty ? localizer.chemical(type) ?? "" : dose.name
        return [
          .init(name), .init(localizer.quantity(ounces: dose.quantityOz, of: type, isDry: dose.isDry), isNumber: true),
        ]
      }
      rows.append([
        .init(phrases.chemicalCost()), .init(localizer.format.money(event.totalChemicalCost), isNumber: true),
      ])
      blocks.append(.table(header: [], rows: rows))
    }
    if !done.isEmpty {
      blocks += [.heading(phrases.workDoneTitle(), level: 2), .list(done.map { .init($0) })]
    }
    let notes = event.techNotes.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    if !notes.isEmpty {
      blocks += [.heading(phrases.notesTitle(), level: 2)] + notes.map { .paragraph(.init(String($0))) }
    }
    blocks += [.heading(phrases.poolTitle(), level: 2), snapshot(localizer)]
    if let photo { blocks.append(block(of: photo, localizer)) }
    return Document(
      language: team.language.rawValue, title: "\(phrases.visitReport()) · \(team.name)", blocks: blocks, footer: [],
      paper: localizer.paper)
  }

  private static let weekdaysListed = 3

  /// The pool's present data, regardless of which visit is reported.
  private func snapshot(_ localizer: Localizer) -> Document.Block {
    let phrases = localizer.phrases
    let lsi = water?.lsi(by: team.settings.lsiMethod)
    var rows = [
      (
        phrases.waterNow(),
        lsi.map { phrases.lsiWord(localizer.index($0), localizer.condition(WaterCondition(lsi: $0))) }
          ?? phrases.noReadings()
      )
    ]
    // A service such as every ten days has no weekdays of its own.
    if serviceDays.count <= Self.weekdaysListed {
      let days = serviceDays.map(localizer.dateFormats.weekday).joined(separator: ", ")
      rows.insert((phrases.serviceDay(), days), at: 0)
    }
    if pool.volumeGallons > 0 { rows.insert((phrases.volume(), localizer.volume(gallons: pool.volumeGallons)), at: 0) }
    return .table(header: [], rows: rows.map { [.init($0), .init($1, isNumber: true)] })
  }

  private func block(of photo: ReportPhoto, _ localizer: Localizer) -> Document.Block {
    let phrases = localizer.phrases
    let why: String
    switch photo {
    case .shown(let data): return .image(data: data, alt: phrases.photoAlt())
    case .tooLarge(let bytes):
      why = phrases.photoTooLarge(localizer.numerals.text(Double(bytes) / 1e6, places: 1) + "\u{A0}MB")
    case .otherFormat(let name): why = phrases.photoFormat(name)
    case .unreadable: why = phrases.photoUnreadable()
    }
    return .paragraph(.init(why, .muted))
  }

  private func readings(_ localizer: Localizer) -> Document.Block {
    let phrases = localizer.phrases
    guard !event.measured.isEmpty else { return .paragraph(.init(phrases.noReadingsTaken(), .muted)) }
    // Readings that this visit did not take are left out.
    let readings = MorningDigest.Readings(event.readings, assumed: event.assumed)
    let measured = localizer.lines(of: readings).filter {
      event.measured.contains($0.parameter.bit)
    }
    var rows = measured.map { name, parameter, value, text -> [Document.Cell] in
      let ideal = readings.ideal(of: parameter)
      // The ideal range is below the name, because a phone is too narrow for a fourth column.
      return [
        .init(name, note: .init(phrases.idealRange(text(ideal.lowerBound), text(ideal.upperBound)), .muted)),
        .init(text(value), isNumber: true), .init(localizer.word(readings.status(of: parameter, value), of: parameter)),
      ]
    }
    let limit = WaterCondition.limit
    if let lsi = event.lsi(by: team.settings.lsiMethod) {
      rows.append([
        .init(
          phrases.saturationIndex(),
          note: .init(phrases.idealRange(localizer.index(-limit), localizer.index(limit)), .muted)),
        .init(localizer.index(lsi), isNumber: true),
        .init(localizer.condition(WaterCondition(lsi: lsi))),
      ])
    }
    return .table(
      header: [
        .init(phrases.readingColumn()), .init(phrases.valueColumn(), isNumber: true), .init(phrases.statusColumn()),
      ], rows: rows)
  }
}

extension Localizer {
  /// The subject of the mail with a visit report.
  package func reportTitle(of team: String) -> String { "\(phrases.visitReport()) · \(team)" }

  /// The first line of the mail with a visit report.
  package func reportBody(of customer: String, on date: CivilDate) -> String {
    "\(customer), \(dateFormats.date(date))"
  }
}
