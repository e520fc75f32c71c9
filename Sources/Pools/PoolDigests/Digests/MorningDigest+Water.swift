import FlowModel
import FlowNotices
package import PoolChemistry
import PoolModel

extension MorningDigest {
  /// The last readings at a stop.
  package struct Readings: Hashable, Sendable, Decodable {
    package let pH: Double
    package let waterTempF: Double
    /// Parts per million, as are the two readings below.
    package let calciumHardness: Double
    package let totalAlkalinity: Double
    package let cyanuricAcid: Double
    /// Nil if it was not measured with the others, and in a digest from an older version.
    package let freeChlorine: Double?
    /// Nil if it was never measured, and in a digest from an older version.
    package let salt: Double?
    /// Days from the measurement to the digest's day; nil in a digest from an older version.
    package let days: Int?
    /// The readings that the last visit copied from earlier ones; nil for none.
    package let carried: [WaterParameter]?
    /// The readings that no visit has ever taken, which have the assumed values of a new pool; nil for none.
    package let assumed: [WaterParameter]?

    enum CodingKeys: String, CodingKey {
      case days, carried, assumed, salt
      case pH = "ph"
      case waterTempF = "water_temp_f"
      case calciumHardness = "calcium_hardness"
      case totalAlkalinity = "total_alkalinity"
      case cyanuricAcid = "cyanuric_acid"
      case freeChlorine = "free_chlorine"
    }

    init(_ water: MeasuredWater, days: Int? = nil) {
      self.init(water.readings, measured: water.measured, assumed: water.assumed, days: days)
    }

    init(_ water: WaterReadings, measured: ReadingSet = .all, assumed: ReadingSet = [], days: Int? = nil) {
      pH = water.pH
      waterTempF = water.waterTempF
      calciumHardness = water.calciumHardness
      totalAlkalinity = water.totalAlkalinity
      cyanuricAcid = water.cyanuricAcid
      freeChlorine = water.freeChlorine
      salt = water.salt
      self.days = days
      let older = water.present.subtracting(measured).subtracting(assumed)
      carried = older.isEmpty ? nil : WaterParameter.allCases.filter { older.contains($0.bit) }
      self.assumed = assumed.isEmpty ? nil : WaterParameter.allCases.filter { assumed.contains($0.bit) }
    }

    /// The ideal range of a reading in this water.
    func ideal(of parameter: WaterParameter) -> ClosedRange<Double> {
      guard parameter == .freeChlorine else { return parameter.ideal }
      let isAssumed = assumed?.contains(.cyanuricAcid) == true
      return ChlorineRange(stabiliser: isAssumed ? nil : cyanuricAcid, hasGenerator: salt != nil).ideal
    }

    func status(of parameter: WaterParameter, _ value: Double) -> ReadingStatus {
      ReadingStatus(value, in: ideal(of: parameter))
    }
  }

  /// A dose that dosing advises by the last readings.
  package struct Dose: Hashable, Sendable, Decodable {
    package let type: ChemicalType
    /// The stock item's name for chlorine; nil if any item of the type will do.
    package let name: String?
    package let ounces: Double
    /// True for tablets or powder of a chemical that is usually liquid; otherwise nil.
    package let isDry: Bool?
    /// The number of its line in the section's load, from 1; nil if it is not loaded.
    package let loadPlace: Int?
    /// The equilibrium's part in a dose for the pH; nil if `ounces` is the app's amount and nothing contradicts it.
    package let equilibrium: Equilibrium?

    enum CodingKeys: String, CodingKey {
      case type, name, equilibrium
      case ounces = "oz"
      case isDry = "dry"
      case loadPlace = "load_place"
    }

    /// - Parameter load: the load of the section that the stop belongs to.
    init(
      _ type: ChemicalType, _ product: (name: String, isDry: Bool)? = nil, ounces: Double, load: [LoadLine],
      equilibrium: Equilibrium? = nil
    ) {
      self.type = type
      name = product?.name
      self.ounces = ounces
      let line = load.firstIndex { $0.type == type && (product == nil || $0.name == product?.name) }
      isDry = product?.isDry ?? line.flatMap { load[$0].isDry } ?? false ? true : nil
      loadPlace = line.map { $0 + 1 }
      self.equilibrium = equilibrium
    }

    init(_ usual: UsualDose, load: [LoadLine]) {
      self.init(.chlorine, (usual.name, usual.isDry), ounces: usual.ounces, load: load)
    }

    init(_ advice: DoseRecommendation, by method: DosingMethod, load: [LoadLine]) {
      self.init(
        advice.chemicalType, advice.chlorine.map { ($0.name, $0.isDry) }, ounces: advice.quantityOz, load: load,
        equilibrium: advice.equilibrium.flatMap { .init($0, for: method) })
    }
  }
}

extension MorningDigest.Attention {
  /// An entry for water that needs treatment today, or whose readings are too old; nil if neither applies.
  ///
  /// - Parameters:
  ///   - load: the load of the section that the stop belongs to.
  init?(water care: StopCare, of stop: DayStop, at moment: DigestMoment, by rules: DoseRules, load: [LoadLine]) {
    let advice = care.advice(at: stop.poolID, of: stop.technicianID, by: rules)
    let doses = advice.filter { $0.quantityOz > 0 }.map { MorningDigest.Dose($0, by: rules.method, load: load) }
    if let water = care.water, !care.isMeasured(at: stop.poolID, by: rules) {
      self.init(.readingsOld)
      days = water.hasIndex ? moment.days(since: water.at) : nil
      self.doses = doses.isEmpty ? nil : doses
      return
    }
    let isToDrain = advice.contains { $0.kind == .drain }
    guard !doses.isEmpty || isToDrain else { return nil }
    self.init(.waterOff)
    self.doses = doses.isEmpty ? nil : doses
    drain = isToDrain ? true : nil
  }
}

extension Localizer {
  /// The readings with an ideal range, the sanitiser's first: name, value and formatter.
  func lines(
    of readings: MorningDigest.Readings
  ) -> [(name: String, parameter: WaterParameter, value: Double, text: @Sendable (Double) -> String)] {
    typealias Line = (name: String, parameter: WaterParameter, value: Double, text: @Sendable (Double) -> String)
    let ppm = { @Sendable [numerals] (value: Double) in numerals.text(value) + "\u{A0}ppm" }
    let tenths = { @Sendable [numerals] (value: Double) in numerals.text(value, places: 1) + "\u{A0}ppm" }
    let app: [Line] = [
      (name(.pH), .pH, readings.pH, { [numerals] in numerals.text($0, places: 1) }),
      (name(.waterTempF), .waterTempF, readings.waterTempF, { temperature(fahrenheit: $0) }),
      (name(.calciumHardness), .calciumHardness, readings.calciumHardness, ppm),
      (name(.totalAlkalinity), .totalAlkalinity, readings.totalAlkalinity, ppm),
      (name(.cyanuricAcid), .cyanuricAcid, readings.cyanuricAcid, ppm),
    ]
    let chlorine: [Line] = readings.freeChlorine.map { [(name(.freeChlorine), .freeChlorine, $0, tenths)] } ?? []
    let salt: [Line] = readings.salt.map { [(name(.salt), .salt, $0, ppm)] } ?? []
    return chlorine + salt + app
  }

  func name(_ parameter: WaterParameter) -> String {
    switch parameter {
    case .pH: "pH"
    case .waterTempF: phrases.temperature()
    case .calciumHardness: phrases.calciumHardness()
    case .totalAlkalinity: phrases.totalAlkalinity()
    case .cyanuricAcid: phrases.cyanuricAcid()
    case .freeChlorine: phrases.freeChlorine()
    case .salt: phrases.salt()
    }
  }

  /// `pH 7.9 high, Total alkalinity 90 ppm`, with a word for a value outside its ideal range. Older readings follow
  /// separately; readings that were never taken are listed without a value.
  func words(of readings: MorningDigest.Readings) -> String {
    let lines = lines(of: readings)
    let (carried, assumed) = (readings.carried ?? [], readings.assumed ?? [])
    func list(_ shown: (WaterParameter) -> Bool) -> String {
      lines.filter { shown($0.parameter) }.map { line in
        let status = readings.status(of: line.parameter, line.value)
        return "\(line.name) \(line.text(line.value))"
          + (status == .ideal ? "" : " " + word(status, of: line.parameter))
      }.joined(separator: ", ")
    }
    let measured = list { !carried.contains($0) && !assumed.contains($0) }
    let names = lines.filter { assumed.contains($0.parameter) }.map(\.name)
    return [
      measured.isEmpty ? nil : measured,
      carried.isEmpty ? nil : phrases.olderReadings(list { carried.contains($0) }),
      names.isEmpty ? nil : phrases.notMeasured(names.joined(separator: ", ")),
    ].compactMap(\.self).joined(separator: "; ")
  }

  /// The word for a reading's status, which agrees with the name of the reading.
  func word(_ status: ReadingStatus, of parameter: WaterParameter) -> String {
    let isFeminine =
      switch parameter {
      case .pH, .cyanuricAcid, .freeChlorine: false
      case .waterTempF, .calciumHardness, .totalAlkalinity: true
      case .salt: language == .spanish
      }
    switch status {
    case .low: return isFeminine ? phrases.lowFeminine() : phrases.low()
    case .ideal: return isFeminine ? phrases.idealFeminine() : phrases.ideal()
    case .high: return isFeminine ? phrases.highFeminine() : phrases.high()
    }
  }

  /// The first customers by name, long ones shortened, and the number of the others.
  func shortList(_ customers: [String]) -> String {
    let told = customers.prefix(Self.customersNamed).map { shortened($0, to: Self.columnsOfName) }
      .joined(separator: ", ")
    let rest = customers.count - Self.customersNamed
    return rest > 0 ? told + " " + say(more, rest) : told
  }

  private static let customersNamed = 3
  /// Most names are shorter. A list of longer ones would hide the rest of the page.
  private static let columnsOfName = 30
}
