package import PoolCalendar
import PoolChemistry
package import PoolModel
package import PoolNotices

/// What a customer gets to read of one visit: readings, chemicals with their cost, and the visit's notes. The notes of the
/// pool and what opens its gate are the team's own and stay out.
package struct VisitReport: Sendable {
  package struct Dose: Hashable, Sendable {
    package let name: String
    package let type: String
    package let quantityOz: Double
    /// Tablets or powder of a kind that is else a liquid.
    package let isDry: Bool

    package init(name: String, type: String, quantityOz: Double, isDry: Bool) {
      self.isDry = isDry
      self.name = name
      self.type = type
      self.quantityOz = quantityOz
    }
  }

  /// The visit's photo, or why the page does not show it.
  package enum Photo: Hashable, Sendable {
    /// `data:image/jpeg;base64,…`.
    case shown(String)
    case tooLarge(bytes: Int)
    /// That browsers do not show, such as `HEIC`.
    case otherFormat(String)
    case unreadable
  }

  package let team: Team
  package let zone: Zone
  package let pool: Pool
  package let event: ServiceEvent
  package let doses: [Dose]
  /// The pool's water as the newest visit left it; nil where it was never measured.
  package let water: MeasuredWater?
  /// Nil where none was taken.
  package let photo: Photo?

  package init(
    team: Team, zone: Zone, pool: Pool, event: ServiceEvent, doses: [Dose], water: MeasuredWater?, photo: Photo?
  ) {
    self.team = team
    self.zone = zone
    self.pool = pool
    self.event = event
    self.doses = doses
    self.water = water
    self.photo = photo
  }

  package var document: Document {
    let speech = Speech(team)
    let phrases = speech.phrases
    let local = zone.local(at: event.timestamp)
    var blocks: [Document.Block] = [
      .paragraph(.init(pool.customerName)), .paragraph(.init(pool.address, .muted)),
      .paragraph(.init("\(speech.almanac.date(local.date)), \(speech.format.time(local.time))")),
      .heading(phrases.readingsTitle(), level: 2), readings(speech), .heading(phrases.dosesTitle(), level: 2),
    ]
    if doses.isEmpty {
      blocks.append(.paragraph(.init(phrases.noChemicals(), .muted)))
    } else {
      var rows = doses.map { dose -> [Document.Cell] in
        let type = ChemicalType(rawValue: dose.type) ?? .base
        let name = dose.name.isEmpty ? speech.chemical(type) ?? "" : dose.name
        return [
          .init(name), .init(speech.quantity(ounces: dose.quantityOz, of: type, isDry: dose.isDry), isNumber: true),
        ]
      }
      rows.append([
        .init(phrases.chemicalCost()), .init(speech.format.money(event.totalChemicalCost), isNumber: true),
      ])
      blocks.append(.table(header: [], rows: rows))
    }
    let notes = event.techNotes.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
    if !notes.isEmpty {
      blocks += [.heading(phrases.notesTitle(), level: 2)] + notes.map { .paragraph(.init(String($0))) }
    }
    blocks += [.heading(phrases.poolTitle(), level: 2), snapshot(speech)]
    if let photo { blocks.append(block(of: photo, speech)) }
    return Document(
      language: team.language.rawValue, title: "\(phrases.visitReport()) · \(team.name)", blocks: blocks, footer: [],
      paper: speech.paper)
  }

  /// The pool as the records have it now, whichever visit is told.
  private func snapshot(_ speech: Speech) -> Document.Block {
    let phrases = speech.phrases
    let lsi = water?.lsi
    var rows = [
      (phrases.serviceDay(), speech.almanac.weekday(pool.serviceDay)),
      (
        phrases.waterNow(),
        lsi.map { phrases.lsiWord(speech.index($0), speech.condition(WaterCondition(lsi: $0))) } ?? phrases.noReadings()
      ),
    ]
    if pool.volumeGallons > 0 { rows.insert((phrases.volume(), speech.volume(gallons: pool.volumeGallons)), at: 0) }
    return .table(header: [], rows: rows.map { [.init($0), .init($1, isNumber: true)] })
  }

  private func block(of photo: Photo, _ speech: Speech) -> Document.Block {
    let phrases = speech.phrases
    let why: String
    switch photo {
    case .shown(let data): return .image(data: data, alt: phrases.photoAlt())
    case .tooLarge(let bytes):
      why = phrases.photoTooLarge(speech.numerals.text(Double(bytes) / 1e6, places: 1) + "\u{A0}MB")
    case .otherFormat(let name): why = phrases.photoFormat(name)
    case .unreadable: why = phrases.photoUnreadable()
    }
    return .paragraph(.init(why, .muted))
  }

  private func readings(_ speech: Speech) -> Document.Block {
    let phrases = speech.phrases
    guard !event.measured.isEmpty else { return .paragraph(.init(phrases.noReadingsTaken(), .muted)) }
    // What this visit did not measure is no news of it.
    let measured = speech.lines(of: MorningDigest.Readings(event.readings)).filter {
      event.measured.contains($0.parameter.bit)
    }
    var rows = measured.map { name, parameter, value, text -> [Document.Cell] in
      let ideal = parameter.ideal
      // The ideal stands below the name: a fourth column is more than a telephone is wide.
      return [
        .init(name, note: .init(phrases.idealRange(text(ideal.lowerBound), text(ideal.upperBound)), .muted)),
        .init(text(value), isNumber: true), .init(speech.word(parameter.status(of: value))),
      ]
    }
    let limit = WaterCondition.limit
    if event.hasIndex {
      rows.append([
        .init(
          phrases.saturationIndex(),
          note: .init(phrases.idealRange(speech.index(-limit), speech.index(limit)), .muted)),
        .init(speech.index(event.lsiValue), isNumber: true),
        .init(speech.condition(WaterCondition(lsi: event.lsiValue))),
      ])
    }
    return .table(
      header: [
        .init(phrases.readingColumn()), .init(phrases.valueColumn(), isNumber: true), .init(phrases.statusColumn()),
      ], rows: rows)
  }
}

extension Speech {
  /// The subject of a mail that brings the report of a visit.
  package func reportTitle(of team: String) -> String { "\(phrases.visitReport()) · \(team)" }

  /// The first line of that mail.
  package func reportBody(of customer: String, on date: CivilDate) -> String { "\(customer), \(almanac.date(date))" }
}
