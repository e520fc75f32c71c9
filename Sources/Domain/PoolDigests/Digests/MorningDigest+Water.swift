package import PoolChemistry
import PoolModel
import PoolNotices

extension MorningDigest {
  /// What was measured last at a stop.
  package struct Readings: Hashable, Sendable, Decodable {
    package let pH: Double
    package let waterTempF: Double
    /// Parts per million, as the two below.
    package let calciumHardness: Double
    package let totalAlkalinity: Double
    package let cyanuricAcid: Double
    /// How many days before the digest's day they were taken; left out by a version of before.
    package let days: Int?
    /// Those that are older, as the visit took them over; left out where there are none.
    package let carried: [WaterParameter]?
    /// Those that no visit has taken so far: their values are only what a new pool begins with. Left out where there are none.
    package let assumed: [WaterParameter]?

    enum CodingKeys: String, CodingKey {
      case days, carried, assumed
      case pH = "ph"
      case waterTempF = "water_temp_f"
      case calciumHardness = "calcium_hardness"
      case totalAlkalinity = "total_alkalinity"
      case cyanuricAcid = "cyanuric_acid"
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
      self.days = days
      let older = ReadingSet.all.subtracting(measured).subtracting(assumed)
      carried = older.isEmpty ? nil : WaterParameter.allCases.filter { older.contains($0.bit) }
      self.assumed = assumed.isEmpty ? nil : WaterParameter.allCases.filter { assumed.contains($0.bit) }
    }
  }

  /// What the dosing advises to pour by the last readings.
  package struct Dose: Hashable, Sendable, Decodable {
    package let type: ChemicalType
    /// Of what is usual here; left out where any item of the kind does.
    package let name: String?
    package let ounces: Double
    /// Tablets or powder of a kind that is else a liquid; left out where it is not.
    package let isDry: Bool?
    /// Its line in the section's load, counted from 1; left out where nothing is loaded.
    package let loadPlace: Int?

    enum CodingKeys: String, CodingKey {
      case type, name
      case ounces = "oz"
      case isDry = "dry"
      case loadPlace = "load_place"
    }

    /// - Parameter load: the section's.
    init(_ type: ChemicalType, _ usual: UsualDose? = nil, ounces: Double, load: [LoadLine]) {
      self.type = type
      name = usual?.name
      self.ounces = ounces
      let line = load.firstIndex { $0.type == type && (usual == nil || $0.name == usual?.name) }
      isDry = usual?.isDry ?? line.flatMap { load[$0].isDry } ?? false ? true : nil
      loadPlace = line.map { $0 + 1 }
    }
  }
}

extension MorningDigest.Attention {
  /// The water asks for something today, or was measured too long ago to say; nil where it asks for nothing.
  ///
  /// - Parameter load: the section's.
  init?(water care: StopCare, at moment: DigestMoment, load: [LoadLine]) {
    if let water = care.water, !care.isMeasured(for: moment.date, in: moment.zone) {
      self.init(.readingsOld)
      days = water.hasIndex ? moment.days(since: water.at) : nil
      return
    }
    let advice = care.advice(on: moment.date, in: moment.zone)
    let doses = advice.filter { $0.quantityOz > 0 }.map { one in
      MorningDigest.Dose(one.chemicalType, ounces: one.quantityOz, load: load)
    }
    let isToDrain = advice.contains { $0.kind == .drain }
    guard !doses.isEmpty || isToDrain else { return nil }
    self.init(.waterOff)
    self.doses = doses.isEmpty ? nil : doses
    drain = isToDrain ? true : nil
  }
}

extension Speech {
  /// Each reading that has an ideal range: its name, its value and how that is written.
  func lines(
    of readings: MorningDigest.Readings
  ) -> [(name: String, parameter: WaterParameter, value: Double, text: @Sendable (Double) -> String)] {
    let ppm = { @Sendable [numerals] (value: Double) in numerals.text(value) + "\u{A0}ppm" }
    return [
      (name(.pH), .pH, readings.pH, { [numerals] in numerals.text($0, places: 1) }),
      (name(.waterTempF), .waterTempF, readings.waterTempF, { temperature(fahrenheit: $0) }),
      (name(.calciumHardness), .calciumHardness, readings.calciumHardness, ppm),
      (name(.totalAlkalinity), .totalAlkalinity, readings.totalAlkalinity, ppm),
      (name(.cyanuricAcid), .cyanuricAcid, readings.cyanuricAcid, ppm),
    ]
  }

  func name(_ parameter: WaterParameter) -> String {
    switch parameter {
    case .pH: "pH"
    case .waterTempF: phrases.temperature()
    case .calciumHardness: phrases.calciumHardness()
    case .totalAlkalinity: phrases.totalAlkalinity()
    case .cyanuricAcid: phrases.cyanuricAcid()
    }
  }

  /// `pH 7.9 high, Total alkalinity 90 ppm`, with a word where a value is out of its range. What was not measured with the
  /// others is said apart: older values as that, values that were never measured not at all.
  func words(of readings: MorningDigest.Readings) -> String {
    let lines = lines(of: readings)
    let (carried, assumed) = (readings.carried ?? [], readings.assumed ?? [])
    func list(_ shown: (WaterParameter) -> Bool) -> String {
      lines.filter { shown($0.parameter) }.map { line in
        let status = line.parameter.status(of: line.value)
        return "\(line.name) \(line.text(line.value))" + (status == .ideal ? "" : " " + word(status))
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

  /// The same with its age, where the last visit took none of it.
  func words(of readings: MorningDigest.Readings, sinceVisit days: Int?) -> String {
    let words = words(of: readings)
    guard let age = readings.days, age != days else { return words }
    return say(phrases.measuredDaysAgo, age, words)
  }

  func word(_ status: ReadingStatus) -> String {
    switch status {
    case .low: phrases.low()
    case .ideal: phrases.ideal()
    case .high: phrases.high()
    }
  }

  /// `Pour 26 oz of Muriatic Acid (1 of the load).`
  ///
  /// - Parameter names: what the stock calls a kind of chemical.
  func words(of doses: [MorningDigest.Dose], isToDrain: Bool, names: [ChemicalType: String]) -> String {
    var sentences: [String] = []
    if !doses.isEmpty {
      sentences.append(phrases.pour(doses.map { words(of: $0, names: names) }.joined(separator: ", ")))
    }
    if isToDrain { sentences.append(phrases.drainPart()) }
    return sentences.joined(separator: " ")
  }

  /// `Muriatic Acid 26 oz (load 1)`; of what is usual the load has the item's name, and here its kind does.
  func words(of dose: MorningDigest.Dose, names: [ChemicalType: String] = [:]) -> String {
    let name = (dose.loadPlace == nil ? dose.name : nil) ?? names[dose.type] ?? chemical(dose.type) ?? ""
    let amount = "\(name) \(quantity(ounces: dose.ounces, of: dose.type, isDry: dose.isDry == true))"
    return dose.loadPlace.map { phrases.placeInLoad(amount, String($0)) } ?? amount
  }

  /// Customers by name, as many as are worth reading.
  func few(_ customers: [String]) -> String {
    let told = customers.prefix(Self.customersNamed).joined(separator: ", ")
    let rest = customers.count - Self.customersNamed
    return rest > 0 ? told + " " + say(phrases.more, rest) : told
  }

  private static let customersNamed = 3
}
