import FoundationEssentials
import PoolChemistry
package import PoolModel

/// The morning's page as data: a section for each technician who has stops, then what is low in stock.
///
/// Holds names and addresses, because a route is useless without them, and nothing that opens a gate or rings a phone.
package struct MorningDigest: Sendable {
  package struct Section: Sendable {
    package let technician: String
    package let stops: [Stop]
  }

  package let date: CivilDate
  package let sections: [Section]
  package let lowStock: LowStockSection
  package let waterChanges: [WaterChange]

  package init(_ facts: TeamFacts, on date: CivilDate) {
    self.date = date
    waterChanges = facts.waterChanges
    let stops = facts.stops(on: date.weekday)
    sections = facts.technicians.compactMap { technician in
      let own = stops.filter { $0.technicianID == technician.id }
      return own.isEmpty ? nil : Section(technician: technician.name, stops: own)
    }
    // The low-stock reminder is silent while the morning summary is enabled, so its facts are told here.
    lowStock = facts.team.settings.lowStockForTomorrow ? LowStockSection(facts) : .empty
  }

  /// For people: one line a stop, in the order they are driven.
  package func lines(_ speech: Speech) -> [String] {
    var lines: [String] = []
    for section in sections {
      lines.append(
        speech.phrases.sectionTitle(section.technician, speech.say(speech.phrases.stops, section.stops.count)))
      for (index, stop) in section.stops.enumerated() {
        let number = String(index + 1)
        lines.append(
          "\(String(repeating: " ", count: max(0, 3 - number.count)))\(number)  \(stop.customerName), \(stop.address)")
      }
    }
    return lines + lowStock.lines(speech) + waterLines(speech)
  }

  private func waterLines(_ speech: Speech) -> [String] {
    guard !waterChanges.isEmpty else { return [] }
    return [speech.phrases.waterTitle() + ":"]
      + waterChanges.map { change in
        "     "
          + speech.phrases.waterLine(
            change.customerName, speech.condition(change.before), speech.condition(change.after),
            speech.index(change.lsi))
      }
  }

  /// For programs: the same, one object with sorted keys, so that equal facts give equal bytes.
  package var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let page = Page(
      date: date.description, weekday: date.weekday.rawValue,
      sections: sections.map { section in
        Page.Section(
          technician: section.technician,
          stops: section.stops.enumerated().map { index, stop in
            Page.Stop(
              order: index + 1, pool_id: stop.poolID.description, customer: stop.customerName, address: stop.address,
              latitude: located(stop) ? stop.latitude : nil, longitude: located(stop) ? stop.longitude : nil)
          })
      },
      low_stock: lowStock.items.map {
        Page.Low(name: $0.name, stock_oz: $0.currentStockOz, threshold_oz: $0.lowStockThresholdOz)
      },
      water_changes: waterChanges.isEmpty
        ? nil
        : waterChanges.map {
          Page.Change(customer: $0.customerName, before: $0.before.rawValue, after: $0.after.rawValue, lsi: $0.lsi)
        })
    // Strings and finite numbers always encode: coordinates and stock were checked at the border.
    guard let data = try? encoder.encode(page) else { return "" }
    return String(decoding: data, as: UTF8.self)
  }

  private func located(_ stop: Stop) -> Bool { stop.latitude != 0 || stop.longitude != 0 }

  private struct Page: Encodable {
    struct Stop: Encodable {
      let order: Int
      let pool_id: String
      let customer: String
      let address: String
      let latitude: Double?
      let longitude: Double?
    }
    struct Section: Encodable {
      let technician: String
      let stops: [Stop]
    }
    struct Low: Encodable {
      let name: String
      let stock_oz: Double
      let threshold_oz: Double
    }
    let date: String
    let weekday: Int
    let sections: [Section]
    struct Change: Encodable {
      let customer: String
      let before: String
      let after: String
      let lsi: Double
    }
    let low_stock: [Low]
    /// Left out where no water changed.
    let water_changes: [Change]?
  }
}

/// The chemicals below their thresholds, in listing order.
package struct LowStockSection: Sendable {
  package static let empty = LowStockSection(items: [])
  package let items: [InventoryItem]

  private init(items: [InventoryItem]) { self.items = items }

  package init(_ facts: TeamFacts) { items = facts.lowStock.map(\.item) }

  package func lines(_ speech: Speech) -> [String] {
    guard !items.isEmpty else { return [] }
    return [speech.phrases.lowStockTitle() + ":"]
      + items.map { item in
        "     "
          + speech.phrases.lowLine(
            item.name, ounces(item.currentStockOz, speech), ounces(item.lowStockThresholdOz, speech))
      }
  }

  /// Stock is counted in ounces, as the app counts it, or in grams.
  private func ounces(_ amount: Double, _ speech: Speech) -> String {
    switch speech.units {
    case .imperial:
      let tenths = (amount * 10).rounded() / 10
      return speech.numerals.text(tenths, places: tenths == tenths.rounded() ? 0 : 1) + " oz"
    case .metric: return speech.numerals.text(UnitConversion.grams(ounces: amount)) + " g"
    }
  }
}
