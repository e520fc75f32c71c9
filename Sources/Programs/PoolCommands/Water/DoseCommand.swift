internal import PoolChemistry
internal import PoolControl
internal import PoolModel

/// `pfctl dose`: what a pool needs; needs no daemon.
enum DoseCommand: Command {
  static let description = CommandDescription(
    "dose", "what to pour into water, how much, and what it usually costs; needs no daemon",
    options: FieldOptions.options(LSICommand.keys) + [
      .init("volume", "N", "gallons, or litres with --units metric", isRequired: true),
      .init("units", "UNITS", "imperial or metric; imperial without it"),
    ],
    examples: ["pfctl dose --ph 7.0 --temp 78F --calcium 250 --alkalinity 60 --cya 30 --volume 15000"])

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let unitsText = arguments["units"] ?? "imperial"
    guard let units = UnitSystem(rawValue: unitsText) else {
      throw CommandFailure.usage("--units is imperial or metric, not '\(visible(unitsText))'")
    }
    let volumeText = try arguments.required("volume", such: "15000")
    if let why = FieldCheck.poolVolume(volumeText, units: units) {
      throw CommandFailure.usage("--volume cannot be '\(visible(volumeText))': \(why)")
    }
    let volume = FieldCheck.number(volumeText) ?? 0
    let water = try LSICommand.readings(arguments)
    let result = LSIResult(water)
    let advice = Dosing(water, volumeGallons: units == .metric ? UnitConversion.gallons(liters: volume) : volume)
      .recommendations(inventory: [])
    let console = session.console
    if console.isJSON { return try console.document("dose", Answer(result, advice, units)) }
    console.line(
      "LSI \(decimalText(result.lsiValue, places: 2)), \(LSICommand.words(WaterConditionView(result.status)))")
    for dose in advice {
      if let message = dose.message {
        console.line(message)
      } else {
        let amount = QuantityText.text(ounces: dose.quantityOz, of: dose.chemicalType, in: units)
        let note = dose.note.map { ", \($0)" } ?? ""
        console.line("\(amount) of \(dose.chemicalName), \(decimalText(dose.estimatedCost, places: 2))\(note)")
      }
    }
  }

  private struct Answer: Encodable {
    let lsi: Double
    let condition: WaterConditionView
    let advice: [DoseAdviceView]

    init(_ result: LSIResult, _ advice: [DoseRecommendation], _ units: UnitSystem) {
      lsi = result.lsiValue
      condition = WaterConditionView(result.status)
      self.advice = advice.map {
        DoseAdviceView(
          kind: AdviceKindView($0.kind), chemical: $0.chemicalName, type: ChemicalTypeView($0.chemicalType),
          ounces: $0.quantityOz, text: QuantityText.text(ounces: $0.quantityOz, of: $0.chemicalType, in: units),
          cost: $0.estimatedCost, message: $0.message, note: $0.note)
      }
    }
  }
}
