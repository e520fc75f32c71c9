internal import PoolChemistry
internal import PoolControl
internal import PoolDigests
internal import PoolModel

/// `pfctl dose`: what a pool needs; needs no daemon.
enum DoseCommand: Command {
  static let description = CommandDescription(
    "dose", "what to pour into water, how much, and what it usually costs; needs no daemon",
    options: FieldOptions.options(LSICommand.keys) + [
      .init("volume", "VOLUME", "how much water: 15000gal, 56000L or 56m3; a bare number by --units", isRequired: true),
      .init("units", "UNITS", "of numbers without a unit: imperial or metric; imperial without it"),
    ],
    examples: ["pfctl dose --ph 7.0 --temp 78F --calcium 250 --alkalinity 60 --cya 30 --volume 15000"])

  static let documents: [JSONDocument] = [.init("dose", Answer.self)]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    let unitsText = arguments["units"] ?? "imperial"
    guard let units = UnitSystem(rawValue: unitsText) else {
      throw CommandFailure.usage("--units is imperial or metric, not '\(visible(unitsText))'")
    }
    let volumeText = try arguments.required("volume", such: "15000")
    let (digits, measure) = FieldCheck.volume(volumeText, units: units)
    if let why = FieldCheck.poolVolume(digits, units: measure) {
      throw CommandFailure.usage("--volume cannot be '\(visible(volumeText))': \(why)")
    }
    let volume = FieldCheck.number(digits) ?? 0
    let water = try LSICommand.readings(arguments)
    let result = LSIResult(water)
    let advice = Dosing(water, volumeGallons: measure == .metric ? UnitConversion.gallons(liters: volume) : volume)
      .recommendations(inventory: [])
    let console = session.console
    let speech = Speech.english(units)
    let views = advice.map { one in
      DoseAdviceView(
        kind: AdviceKindView(one.kind), chemical: one.chemicalName, type: ChemicalTypeView(one.chemicalType),
        ounces: one.quantityOz, text: speech.quantity(ounces: one.quantityOz, of: one.chemicalType),
        cost: one.estimatedCost, costText: speech.money(one.estimatedCost), message: speech.advice(one))
    }
    if console.isJSON { return try console.document("dose", Answer(result, views)) }
    console.line(
      "LSI \(Wording.index(result.lsiValue)), \(LSICommand.words(WaterConditionView(result.status)))")
    LSICommand.tellDoubts(about: water, on: console)
    for one in views {
      console.line(one.message + (one.ounces > 0 ? " (\(one.costText))" : ""))
    }
  }

  private struct Answer: Codable {
    let lsi: Double
    let condition: WaterConditionView
    let advice: [DoseAdviceView]

    init(_ result: LSIResult, _ advice: [DoseAdviceView]) {
      lsi = result.lsiValue
      condition = WaterConditionView(result.status)
      self.advice = advice
    }
  }
}
