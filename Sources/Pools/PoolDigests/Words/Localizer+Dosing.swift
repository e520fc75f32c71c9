package import FlowModel
import FlowNotices
package import PoolChemistry

// Texts about the carbonate equilibrium's part in a dose.
extension Localizer {
  /// The sentences about a recommendation for the pH: the amount to start with if the rule's is excessive, the rule's amount
  /// beside the equilibrium's, or the reason why there is none, and the assumed readings. Empty if there is nothing to say.
  ///
  /// - Parameter method: the method that gave the recommendation.
  package func notes(on one: DoseRecommendation, by method: DosingMethod) -> [String] {
    guard let answer = one.equilibrium, let equilibrium = MorningDigest.Dose.Equilibrium(answer, for: method) else {
      return []
    }
    return [
      warning(about: equilibrium, of: one.chemicalType),
      equilibrium.ruleOz.map { phrases.byEquilibrium(quantity(ounces: $0, of: one.chemicalType)) },
      equilibrium.assumed.map { assumed($0) },
    ].compactMap(\.self)
  }

  /// The sentence that a technician needs at the pool: the amount to start with, or the reason why the amount is the rule's;
  /// nil if the amount needs none.
  func warning(about equilibrium: MorningDigest.Dose.Equilibrium, of type: ChemicalType) -> String? {
    if let ounces = equilibrium.startOz { return phrases.startWith(quantity(ounces: ounces, of: type)) }
    return equilibrium.fault.map(words)
  }

  /// `Assumed for the doses: Dissolved solids 1,000 ppm, Borate 0 ppm.`
  func assumed(_ readings: [CarbonateWater.Reading]) -> String {
    phrases.assumedForDoses(
      readings.map { reading in text(of: reading, reading.usual ?? 0) }.joined(separator: ", "))
  }

  private func words(of fault: MorningDigest.Dose.Fault) -> String {
    switch fault.kind {
    case .missing: phrases.ruleNeedsReading(fault.reading.map(name) ?? "")
    case .outOfRange: phrases.ruleOutOfRange(fault.reading.map { text(of: $0, fault.value ?? 0) } ?? "")
    case .contradiction: phrases.ruleContradiction()
    }
  }

  /// A reading's name with a value: `Dissolved solids 1,000 ppm`.
  private func text(of reading: CarbonateWater.Reading, _ value: Double) -> String {
    let shown =
      switch reading {
      case .pH: numerals.text(value, places: 1)
      case .waterTemp: temperature(fahrenheit: value)
      case .totalAlkalinity, .cyanuricAcid, .calciumHardness, .totalDissolvedSolids, .borate:
        numerals.text(value) + "\u{A0}ppm"
      }
    return "\(name(reading)) \(shown)"
  }

  private func name(_ reading: CarbonateWater.Reading) -> String {
    switch reading {
    case .pH: name(WaterParameter.pH)
    case .totalAlkalinity: name(WaterParameter.totalAlkalinity)
    case .cyanuricAcid: name(WaterParameter.cyanuricAcid)
    case .waterTemp: name(WaterParameter.waterTempF)
    case .calciumHardness: name(WaterParameter.calciumHardness)
    case .totalDissolvedSolids: phrases.dissolvedSolids()
    case .borate: phrases.borate()
    }
  }
}

extension MorningDigest {
  /// For `why`: the doses about which the carbonate equilibrium says something and those of chlorine for a reading, with the
  /// numbers of their stops and without customers' names; then the readings that the equilibrium assumed, and the rule of the
  /// saturation index if it is not the app's.
  ///
  /// - Parameter localizer: English, in the team's units.
  package func doseTexts(_ localizer: Localizer) -> [String] {
    let texts = sections.flatMap { section in
      let stopName = sections.count > 1 ? "\(section.technician), stop" : "stop"
      return section.stops.flatMap { stop in
        stop.doses.compactMap { dose in
          (localizer.comparison(of: dose) ?? localizer.chlorine(of: dose, stop.readings)).map {
            "\(stopName) \(stop.order): \($0)"
          }
        }
      }
    }
    let rest = texts.count - Self.doseTextsListed
    var listed = Array(texts.prefix(Self.doseTextsListed))
    if rest > 0 { listed.append("\(rest) more such doses") }
    if let assumed = localizer.assumed(in: self) { listed.append(Localizer.clause(assumed)) }
    if speaks.isIndexByPH == true { listed.append(Localizer.clause(localizer.phrases.indexByPH())) }
    return listed
  }

  /// The number of doses that `why` lists.
  private static let doseTextsListed = 5
}

extension MorningDigest.StopLine {
  /// The doses that the last readings ask for.
  var doses: [MorningDigest.Dose] { attention.flatMap { $0.doses ?? [] } }
}

extension Localizer {
  /// The readings that the equilibrium assumed for any dose of a day; nil for none.
  func assumed(in digest: MorningDigest) -> String? {
    let readings = Set(digest.sections.flatMap(\.stops).flatMap(\.doses).flatMap { $0.equilibrium?.assumed ?? [] })
    return readings.isEmpty ? nil : assumed(CarbonateWater.Reading.allCases.filter(readings.contains))
  }

  /// An English text about a dose; nil if the equilibrium says nothing about it.
  fileprivate func comparison(of dose: MorningDigest.Dose) -> String? {
    guard let equilibrium = dose.equilibrium else { return nil }
    func amount(_ ounces: Double) -> String { quantity(ounces: ounces, of: dose.type) }
    let text = "\(amount(dose.ounces)) of \(chemical(dose.type)?.lowercased() ?? "")"
    if let start = equilibrium.startOz {
      return "\(text) by the app's rule, \(amount(start)) by the carbonate equilibrium: start with \(amount(start)), "
        + "let it circulate, test again"
    }
    if let rule = equilibrium.ruleOz {
      return "\(text) by the carbonate equilibrium, \(amount(rule)) by the app's rule"
    }
    return equilibrium.fault.map { "\(text) \(Self.clause(words(of: $0)))" }
  }

  /// An English text about a chlorine dose; nil for any other dose.
  fileprivate func chlorine(of dose: MorningDigest.Dose, _ readings: MorningDigest.Readings?) -> String? {
    guard dose.type == .chlorine, let name = dose.name, let readings, let ppm = readings.freeChlorine else {
      return nil
    }
    let target = readings.ideal(of: .freeChlorine).upperBound
    func text(_ ppm: Double) -> String { numerals.text(ppm, places: 1) + "\u{A0}ppm" }
    return "\(quantity(ounces: dose.ounces, of: dose.type, isDry: dose.isDry == true)) of \(name) from \(text(ppm)) to "
      + "\(text(target)) of free chlorine"
  }

  /// A sentence as a part of another.
  fileprivate static func clause(_ sentence: String) -> String {
    sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast(sentence.hasSuffix(".") ? 1 : 0)
  }
}
