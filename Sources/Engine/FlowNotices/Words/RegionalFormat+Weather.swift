import FlowModel

/// Weather values as text in the team's units and number format.
extension RegionalFormat {
  /// `-3.9 °C`, `25 °F`.
  package func temperature(_ celsius: Double) -> String {
    shownUnits.text { units in
      switch units {
      case .metric: number(celsius, places: 1) + " °C"
      case .imperial: number(celsius * 9 / 5 + 32, places: 0) + " °F"
      }
    }
  }

  /// `12 km/h`, `7 mph`.
  package func wind(_ kilometres: Double) -> String { speed(milesPerHour: kilometres / 1.609344) }

  /// `0.4 mm`, `0.02 in`.
  package func rain(_ millimetres: Double) -> String {
    switch units {
    case .metric: number(millimetres, places: 1) + " mm"
    case .imperial: number(millimetres / 25.4, places: 2) + " in"
    }
  }

  /// A rounded number; a value that rounds to zero has no minus sign.
  private func number(_ value: Double, places: Int) -> String {
    let text = numerals.text(value, places: places)
    return text.contains(where: { ("1"..."9").contains($0) }) ? text : text.replacing("-", with: "")
  }
}
