package import PoolCalendar
import PoolChemistry
package import PoolModel
package import PoolNotices

/// What a customer gets to read of one visit: nothing of money, notes or gates.
package struct VisitReport: Sendable {
  package struct Dose: Hashable, Sendable {
    package let name: String
    package let type: String
    package let quantityOz: Double

    package init(name: String, type: String, quantityOz: Double) {
      self.name = name
      self.type = type
      self.quantityOz = quantityOz
    }
  }

  package let team: Team
  package let zone: Zone
  package let pool: Pool
  package let event: ServiceEvent
  package let doses: [Dose]
  /// `data:image/jpeg;base64,…`; nil without a photo.
  package let photo: String?

  package init(team: Team, zone: Zone, pool: Pool, event: ServiceEvent, doses: [Dose], photo: String?) {
    self.team = team
    self.zone = zone
    self.pool = pool
    self.event = event
    self.doses = doses
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
      blocks.append(.paragraph(.init(phrases.noDoses(), .muted)))
    } else {
      blocks.append(
        .table(
          header: [],
          rows: doses.map { dose in
            let type = ChemicalType(rawValue: dose.type) ?? .base
            let name = dose.name.isEmpty ? speech.chemical(type) ?? "" : dose.name
            return [.init(name), .init(speech.quantity(ounces: dose.quantityOz, of: type), isNumber: true)]
          }))
    }
    if let photo { blocks.append(.image(data: photo, alt: phrases.photoAlt())) }
    return Document(
      language: team.language.rawValue, title: "\(phrases.visitReport()) · \(team.name)", blocks: blocks, footer: [])
  }

  private func readings(_ speech: Speech) -> Document.Block {
    let phrases = speech.phrases
    var rows = speech.lines(of: MorningDigest.Readings(event.readings)).map {
      name, parameter, value, text -> [Document.Cell] in
      let ideal = parameter.ideal
      return [
        .init(name), .init(text(value), isNumber: true),
        .init("\(text(ideal.lowerBound)) – \(text(ideal.upperBound))", isNumber: true),
        .init(speech.word(parameter.status(of: value))),
      ]
    }
    let limit = WaterCondition.limit
    rows.append([
      .init(phrases.saturationIndex()), .init(speech.index(event.lsiValue), isNumber: true),
      .init("\(speech.index(-limit)) – \(speech.index(limit))", isNumber: true),
      .init(speech.condition(WaterCondition(lsi: event.lsiValue))),
    ])
    return .table(
      header: [
        .init(phrases.readingColumn()), .init(phrases.valueColumn(), isNumber: true),
        .init(phrases.idealColumn(), isNumber: true), .init(phrases.statusColumn()),
      ], rows: rows)
  }
}
