import FlowModel
import FlowNotices
import StableModel

/// Weather values as text in the team's units and number format.
struct WeatherTexts: Sendable {
  private let format: RegionalFormat

  init(_ team: Team) { format = RegionalFormat(team) }

  /// `-3.9 °C`, `25 °F`.
  func temperature(_ celsius: Double) -> String { format.temperature(celsius) }

  /// `12 km/h`, `7 mph`.
  func wind(_ kilometres: Double) -> String { format.wind(kilometres) }

  /// `0.4 mm`, `0.02 in`.
  func rain(_ millimetres: Double) -> String { format.rain(millimetres) }

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
}
