internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import PoolChemistry
internal import PoolDigests
internal import PoolModel

/// `pfctl dose`: computes chemical doses; needs a daemon only with `--pool`.
enum DoseCommand: Command {
  static let description = CommandDescription(
    "dose", "which chemicals to pour, how much, and their cost; needs a daemon only with --pool",
    options: FieldOptions.options(LSICommand.keys + FieldOptions.sanitiserReadings) + [
      .init(
        "volume", "VOLUME", "the volume: 15000gal, 56000L or 56m3; without a unit in that of --units, or the team's"),
      .init("units", "UNITS", "for numbers without a unit: imperial or metric; default: imperial"),
      .init(
        "pool", "POOL",
        "use this pool's newest readings and volume if none are given, and its team's stock and prices"),
      .init("team", "TEAM", "whose pool"), .init("save", nil, "with --pool: log the given readings as a visit"),
      .init("dose", "TEXT", "with --save: what was poured: none (default), all, or NAME=AMOUNT,NAME=AMOUNT"),
      VisitText.notes,
    ],
    details: [
      "With --pool a temperature without a unit is in the team's unit. For each dose the cost and any shortage are "
        + "shown, from the stock of the pool's technician, else the team's. Nothing is changed without --save.",
      "Where the app's rule for a pH gives half more than the carbonate equilibrium of the water, the amount to start with "
        + "is shown; it needs --cya. With --pool, the team's setting `dosing` decides which of the two amounts is the dose.",
      "With free chlorine below its target the amount of chlorine is shown, by the product in stock: liquid first, then "
        + "granules, then tablets; without a stock bleach of 12.5 %.", FieldOptions.sanitiserNote,
      "--save does what `pfctl visit log` does with the same readings, --dose and --notes; --volume and --tds are not "
        + "part of a visit: `pfctl pool set` changes them.",
    ],
    examples: [
      "pfctl dose --ph 7.0 --temp 78F --calcium 250 --alkalinity 60 --cya 30 --volume 15000",
      "pfctl dose --pool 'Steve Baird' --team desert-blue --ph 7.9",
      "pfctl dose --pool 'Steve Baird' --team desert-blue --ph 7.9 --alkalinity 110 --save --dose all",
    ])

  static let documents: [JSONDocument] = [
    .init("dose", Answer.self), .init("pool-dose", FieldCall.DosePool.Reply.self),
    .init("visit-log", FieldCall.LogVisit.Reply.self),
  ]

  static func run(_ arguments: Arguments, _ session: Session) throws {
    if let pool = arguments["pool"] { return try PoolDoseCalculation.run(pool, arguments, session) }
    guard !arguments.has("save") else {
      throw CommandFailure.usage("--save needs --pool, the pool that was visited")
    }
    for name in ["team", "dose", "notes"] where arguments[name] != nil {
      throw CommandFailure.usage("--\(name) needs --pool, the pool to dose")
    }
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
    let advice = recommendations(
      for: water, volumeGallons: measure == .metric ? UnitConversion.gallons(liters: volume) : volume, arguments)
    let console = session.console
    let localizer = Localizer.english(units)
    let views = advice.map { one in
      DoseAdviceView(
        kind: AdviceKindView(one.kind), chemical: one.chemicalName, type: ChemicalTypeView(one.chemicalType),
        ounces: one.quantityOz,
        text: localizer.quantity(ounces: one.quantityOz, of: one.chemicalType, isDry: one.isDry),
        cost: one.estimatedCost, costText: localizer.money(one.estimatedCost), message: localizer.advice(one),
        equilibrium: EquilibriumView(one, notes: localizer.notes(on: one, by: .app)))
    }
    if console.isJSON { return try console.document("dose", Answer(result, views)) }
    console.line(
      "LSI \(TextFormat.index(result.lsiValue)), \(LSICommand.words(WaterConditionView(result.status)))")
    LSICommand.warnAboutUnusualReadings(about: water, on: console)
    for one in views {
      console.line(one.message + (one.ounces > 0 ? " (\(one.costText))" : ""))
      for note in one.equilibrium?.notes ?? [] { console.line("  " + note) }
    }
  }

  /// The app's recommendations. Unlike for the index, cyanuric acid that is not given is unknown, not 0.
  private static func recommendations(
    for water: WaterReadings, volumeGallons: Double, _ arguments: Arguments
  ) -> [DoseRecommendation] {
    DosingMethod.app.recommendations(
      for: water, assumed: arguments["cya"] == nil ? .cyanuricAcid : [], volumeGallons: volumeGallons)
  }

  /// The JSON document of `pfctl dose`.
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
