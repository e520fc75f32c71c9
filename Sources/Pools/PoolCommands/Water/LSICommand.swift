internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolChemistry
internal import PoolDigests
internal import PoolModel

/// `pfctl lsi`: computes the saturation index of given readings; needs no daemon.
enum LSICommand: Command {
  static let keys: [FieldOptions.Key] = [
    ("ph", "N", "the pH"), ("temp", "TEXT", "water temperature, such as 84F or 29C; without a unit, °F"),
    ("calcium", "N", "calcium hardness, ppm"), ("alkalinity", "N", "total alkalinity, ppm"),
    ("cya", "N", "cyanuric acid (stabiliser), ppm; default: 0"),
    ("tds", "N", "total dissolved solids, ppm; default: 1000"),
  ]

  static let description = CommandDescription(
    "lsi", "the saturation index of water, and how it is computed; needs no daemon",
    options: FieldOptions.options(keys) + [
      .init(
        "lsi-method", "app|ph-corrected",
        "how the stabiliser is taken from the alkalinity, as in `pfctl team set`; default: app")
    ],
    details: [
      "Below -0.3 water is corrosive, above +0.3 it forms scale; in between it is balanced.",
      FieldOptions.readingLimits,
    ],
    examples: ["pfctl lsi --ph 7.4 --temp 78F --calcium 250 --alkalinity 100 --cya 30"])

  static let documents: [JSONDocument] = [.init("lsi", Answer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let water = try readings(arguments)
    let method = LSIMethod(rawValue: try arguments.choice("lsi-method", among: LSIMethod.allCases.map(\.rawValue)))
    let result = LSIResult(water, by: method ?? .app)
    let console = session.console
    if console.isJSON { return try console.document("lsi", Answer(result)) }
    console.line("LSI \(TextFormat.index(result.lsiValue)), \(words(WaterConditionView(result.status)))")
    warnAboutUnusualReadings(about: water, on: console)
    DetailList.show(
      [
        ("pH", decimalText(result.pH, places: 2)),
        ("temperature", "+ " + decimalText(result.temperatureFactor, places: 3)),
        ("calcium", "+ " + decimalText(result.calciumFactor, places: 3)),
        (
          "alkalinity",
          "+ \(decimalText(result.alkalinityFactor, places: 3)) of \(decimalText(result.adjustedAlkalinity, places: 1)) ppm"
        ), ("solids", "- " + decimalText(result.tdsFactor, places: 3)),
      ], on: console)
  }

  /// The condition as text: `scale-forming` for `scaleForming`.
  static func words(_ condition: WaterConditionView) -> String {
    condition == .scaleForming ? "scale-forming" : condition.rawValue
  }

  /// Warns about readings outside the ranges of the app's form.
  static func warnAboutUnusualReadings(about water: WaterReadings, on console: Console) {
    for doubt in Localizer.english(.imperial).doubts(about: water, typed: Set(WaterParameter.allCases)) {
      console.words(doubt)
    }
  }

  static func readings(_ arguments: Arguments) throws(CommandFailure) -> WaterReadings {
    func number(_ name: String, _ standard: Double? = nil, such example: String = "") throws(CommandFailure) -> Double {
      if arguments[name] == nil, let standard { return standard }
      let text = try arguments.required(name, such: example)
      guard let number = FieldCheck.number(text) else {
        throw .usage("--\(name) needs a plain number with a decimal point, not '\(visible(text))'")
      }
      return number
    }
    let water = WaterReadings(
      pH: try number("ph", such: "7.4"), waterTempF: try temperature(arguments.required("temp", such: "84F")),
      calciumHardness: try number("calcium", such: "250"), totalAlkalinity: try number("alkalinity", such: "100"),
      cyanuricAcid: try number("cya", 0), totalDissolvedSolids: try number("tds", LSIResult.usualDissolvedSolids),
      freeChlorine: arguments["free-chlorine"] == nil ? nil : try number("free-chlorine"),
      salt: arguments["salt"] == nil ? nil : try number("salt"))
    if let problem = ReadingCheck.complaint(about: water) {
      throw .usage("--\(problem.field) cannot be \(problem.value): \(problem.why)")
    }
    return water
  }

  private static func temperature(_ text: String) throws(CommandFailure) -> Double {
    let unit = text.last.flatMap { "CcFf".contains($0) ? $0.lowercased() : nil }
    guard let number = FieldCheck.number(unit == nil ? text[...] : text.dropLast()) else {
      throw .usage("--temp needs a temperature such as 84, 84F or 29C, not '\(visible(text))'")
    }
    return unit == "c" ? UnitConversion.fahrenheit(celsius: number) : number
  }

  /// The JSON document of `pfctl lsi`.
  private struct Answer: Codable {
    let lsi: Double
    let condition: String
    let temperatureFactor: Double
    let calciumFactor: Double
    let alkalinityFactor: Double
    let solidsFactor: Double
    let adjustedAlkalinity: Double

    init(_ result: LSIResult) {
      lsi = result.lsiValue
      condition = result.status.rawValue
      temperatureFactor = result.temperatureFactor
      calciumFactor = result.calciumFactor
      alkalinityFactor = result.alkalinityFactor
      solidsFactor = result.tdsFactor
      adjustedAlkalinity = result.adjustedAlkalinity
    }

    private enum CodingKeys: String, CodingKey {
      case lsi, condition
      case temperatureFactor = "temperature_factor"
      case calciumFactor = "calcium_factor"
      case alkalinityFactor = "alkalinity_factor"
      case solidsFactor = "solids_factor"
      case adjustedAlkalinity = "adjusted_alkalinity"
    }
  }
}
