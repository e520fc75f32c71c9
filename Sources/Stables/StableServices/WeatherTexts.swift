import FlowModel
import FlowNotices
import StableModel

/// Weather values as text in the team's units and number format.
struct WeatherTexts: Sendable {
  private let format: RegionalFormat

  init(_ team: Team) { format = RegionalFormat(team) }

  /// `-3.9 °C`, `25 °F`.
  func temperature(_ celsius: Double) -> String {
    format.shownUnits.text { units in
      switch units {
      case .metric: number(celsius, places: 1) + " °C"
      case .imperial: number(celsius * 9 / 5 + 32, places: 0) + " °F"
      }
    }
  }

  /// `12 km/h`, `7 mph`.
  func wind(_ kilometres: Double) -> String { format.speed(milesPerHour: kilometres / 1.609344) }

  /// `0.4 mm`, `0.02 in`.
  func rain(_ millimetres: Double) -> String {
    switch format.units {
    case .metric: number(millimetres, places: 1) + " mm"
    case .imperial: number(millimetres / 25.4, places: 2) + " in"
    }
  }

  /// `medium (200 g), waterproof`; `nothing`.
  static func blanket(_ advice: BlanketAdvice, isWaterproof: Bool) -> String {
    let wet = isWaterproof ? ", waterproof" : ""
    return switch advice {
    case .none: "nothing"
    case .rainSheet: "rain sheet"
    case .sheet: "sheet\(wet)"
    case .light: "light (100 g)\(wet)"
    case .medium: "medium (200 g)\(wet)"
    case .heavy: "heavy (300 g)\(wet)"
    case .heavyLiner: "heavy with liner (400 g)\(wet)"
    }
  }

  /// A rounded number; a value that rounds to zero has no minus sign.
  private func number(_ value: Double, places: Int) -> String {
    let text = format.numerals.text(value, places: places)
    return text.contains(where: { ("1"..."9").contains($0) }) ? text : text.replacing("-", with: "")
  }
}
