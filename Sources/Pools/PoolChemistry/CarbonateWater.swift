import FlowModel
package import PoolModel

/// Pool water whose need of acid or soda ash follows from the carbonate equilibrium.
///
/// Total alkalinity is `[HCO₃⁻] + 2 [CO₃²⁻] + pairs with calcium and sodium + cyanurate + borate + [OH⁻] - [H⁺]` (Stumm and Morgan,
/// "Aquatic Chemistry", 3rd edition, 1996, chapter 4; for cyanurate in pools Wojtowicz, "Swimming pool water balance, part 1: The
/// effect of cyanuric acid and other interferences on carbonate alkalinity measurement", Journal of the Swimming Pool and Spa
/// Industry 1, 1995, 7–13). `CarbonateConstants` and `IonActivities` name the constants.
///
/// The system is closed: no CO₂ passes to or from the air while the chemical mixes. Acid then keeps the inorganic carbon and
/// lowers the alkalinity by its own amount; soda ash adds one mole of carbon and two equivalents of alkalinity a mole.
///
/// Dissolved solids are taken as sodium with the alkalinity, calcium chloride for the hardness, and sodium chloride for the rest.
/// This composition gives the ionic strength and the sodium.
///
/// Example: pH 8.3, alkalinity 60, stabiliser 50, calcium 250, solids 1,000 ppm and 77 °F, 12,500 gal: 15.3 fl oz of muriatic
/// acid lower the pH to 7.6 and the alkalinity to 55 ppm.
package struct CarbonateWater: Hashable, Sendable {
  /// A reading that the equilibrium needs. The raw values are the names of the command-line options.
  package enum Reading: String, Hashable, Sendable, CaseIterable, Codable {
    case pH = "ph"
    case totalAlkalinity = "alkalinity"
    case cyanuricAcid = "cya"
    case waterTemp = "temp"
    case calciumHardness = "calcium"
    case totalDissolvedSolids = "tds"
    case borate

    /// Range in which the equations are valid and pools are treated.
    package var range: ClosedRange<Double> {
      switch self {
      case .pH: 6...9.5
      case .totalAlkalinity: 5...1_000
      case .cyanuricAcid: 0...500
      case .waterTemp: 32...120
      case .calciumHardness: 0...2_000
      case .totalDissolvedSolids: 0...10_000
      case .borate: 0...200
      }
    }

    /// Value used if the reading is unknown; nil if there is no dose without it.
    package var usual: Double? {
      switch self {
      case .pH, .totalAlkalinity, .cyanuricAcid: nil
      case .waterTemp: 77
      case .calciumHardness: 250
      case .totalDissolvedSolids: LSIResult.usualDissolvedSolids
      case .borate: 0
      }
    }
  }

  package let pH: Double
  /// Parts per million as CaCO₃.
  package let totalAlkalinity: Double
  /// The readings that are unknown and have their usual values, in the order of `Reading`.
  package let assumed: [Reading]

  private let constants: CarbonateConstants
  private let activities: IonActivities
  private let substances: DissolvedSubstances
  /// Alkalinity in eq/L.
  private let alkalinity: Double
  /// All dissolved carbonate species in mol/L.
  private let inorganicCarbon: Double

  /// - Parameters:
  ///   - totalAlkalinity: parts per million as CaCO₃.
  ///   - cyanuricAcid: parts per million.
  ///   - waterTempF: degrees Fahrenheit; nil if unknown.
  ///   - calciumHardness: parts per million as CaCO₃; nil if unknown.
  ///   - totalDissolvedSolids: parts per million; nil if unknown.
  ///   - borate: parts per million as boron, as test strips show it; nil if unknown.
  /// - Throws: `CarbonateFault.outOfRange`, or `noCarbonate` if cyanurate, borate and hydroxide exceed the alkalinity.
  package init(
    pH: Double, totalAlkalinity: Double, cyanuricAcid: Double, waterTempF: Double?, calciumHardness: Double?,
    totalDissolvedSolids: Double?, borate: Double? = nil
  ) throws(CarbonateFault) {
    var assumed: [Reading] = []
    func value(of reading: Reading, _ measured: Double?) throws(CarbonateFault) -> Double {
      guard let measured else {
        guard let usual = reading.usual else { throw .missing(reading) }
        assumed.append(reading)
        return usual
      }
      guard reading.range.contains(measured) else { throw .outOfRange(reading, measured) }
      return measured
    }
    self.pH = try value(of: .pH, pH)
    self.totalAlkalinity = try value(of: .totalAlkalinity, totalAlkalinity)
    let stabiliser = try value(of: .cyanuricAcid, cyanuricAcid)
    let kelvin = UnitConversion.celsius(fahrenheit: try value(of: .waterTemp, waterTempF)) + 273.15
    let calcium = try value(of: .calciumHardness, calciumHardness) / Molar.calciumCarbonate
    let solids = try value(of: .totalDissolvedSolids, totalDissolvedSolids)
    let boron = try value(of: .borate, borate)
    self.assumed = assumed

    alkalinity = self.totalAlkalinity / Molar.alkalinity
    let salt = max(
      0,
      (solids - alkalinity * (Molar.bicarbonate + Molar.sodium) - calcium * Molar.calciumChloride)
        / Molar.sodiumChloride)
    substances = DissolvedSubstances(
      calcium: calcium, sodium: alkalinity + salt, cyanurate: stabiliser / Molar.cyanuricAcid,
      borate: boron / Molar.boron)
    constants = CarbonateConstants(kelvin: kelvin)
    // Half the sum of concentration times charge squared: one for each salt of single charges, three for calcium chloride.
    activities = IonActivities(ionicStrength: alkalinity + salt + 3 * calcium, kelvin: kelvin)

    let species = CarbonateSpecies(pH: self.pH, constants, activities, substances)
    guard alkalinity > species.otherAlkalinity else {
      throw .noCarbonate(otherAlkalinity: species.otherAlkalinity * Molar.alkalinity)
    }
    let activity = species.activity(for: alkalinity - species.otherAlkalinity, .alkalinity)
    inorganicCarbon = species.sum(.inorganicCarbon, activity: activity)
  }

  /// The water of a pool, without the readings that no visit has taken. Visits do not measure borate.
  ///
  /// Solids that equal the usual value count as unknown, because a new pool has them.
  ///
  /// - Parameter missing: the readings that no visit has ever taken.
  ///
  /// - Throws: `CarbonateFault.missing` if pH, alkalinity or stabiliser was never measured, and the faults of the other
  ///   initializer.
  package init(_ water: WaterReadings, assumed missing: ReadingSet) throws(CarbonateFault) {
    let needed: [(ReadingSet, Reading)] = [
      (.pH, .pH), (.totalAlkalinity, .totalAlkalinity), (.cyanuricAcid, .cyanuricAcid),
    ]
    for (bit, reading) in needed where missing.contains(bit) { throw .missing(reading) }
    try self.init(
      pH: water.pH, totalAlkalinity: water.totalAlkalinity, cyanuricAcid: water.cyanuricAcid,
      waterTempF: missing.contains(.waterTemp) ? nil : water.waterTempF,
      calciumHardness: missing.contains(.calciumHardness) ? nil : water.calciumHardness,
      totalDissolvedSolids: water.totalDissolvedSolids == Reading.totalDissolvedSolids.usual
        ? nil : water.totalDissolvedSolids)
  }

  /// The muriatic acid that lowers the pH.
  ///
  /// - Throws: `CarbonateFault.wrongDirection` if the target is not below the pH, `outOfRange` if it is no target.
  package func acid(to target: Double, volumeGallons: Double) throws(CarbonateFault) -> PHCorrection {
    try check(target)
    guard target < pH else { throw .wrongDirection(pH: pH, target: target) }
    let after = species(at: target)
    let activity = after.activity(for: inorganicCarbon, .inorganicCarbon)
    let left = after.sum(.alkalinity, activity: activity) + after.otherAlkalinity
    return correction(
      .acid, to: target, ounces: (alkalinity - left) * liters(volumeGallons) / Molar.muriaticAcidPerOunce,
      alkalinity: left)
  }

  /// The soda ash that raises the pH.
  ///
  /// - Throws: `CarbonateFault.wrongDirection` if the target is not above the pH, `outOfRange` if it is no target.
  package func base(to target: Double, volumeGallons: Double) throws(CarbonateFault) -> PHCorrection {
    try check(target)
    guard target > pH else { throw .wrongDirection(pH: pH, target: target) }
    let after = species(at: target)
    let activity = after.activity(
      for: 2 * inorganicCarbon - alkalinity + after.otherAlkalinity, .invariantOfSodaAsh)
    let added = after.sum(.inorganicCarbon, activity: activity) - inorganicCarbon
    return correction(
      .base, to: target, ounces: added * liters(volumeGallons) / Molar.sodaAshPerOunce,
      alkalinity: alkalinity + 2 * added)
  }

  private func check(_ target: Double) throws(CarbonateFault) {
    guard Reading.pH.range.contains(target) else { throw .outOfRange(.pH, target) }
  }

  func species(at pH: Double) -> CarbonateSpecies {
    CarbonateSpecies(pH: pH, constants, activities, substances)
  }

  private func liters(_ gallons: Double) -> Double { UnitConversion.liters(gallons: max(0, gallons)) }

  private func correction(
    _ chemical: ChemicalType, to target: Double, ounces: Double, alkalinity: Double
  ) -> PHCorrection {
    PHCorrection(
      chemicalType: chemical, target: target, quantityOz: finite(max(0, ounces)),
      totalAlkalinity: alkalinity * Molar.alkalinity, assumed: assumed)
  }
}

/// The chemical that brings a pool's water to a pH.
package struct PHCorrection: Hashable, Sendable {
  /// `.acid`: muriatic acid of 31.45 %; `.base`: soda ash.
  package let chemicalType: ChemicalType
  /// The pH afterwards.
  package let target: Double
  /// Fluid ounces of acid or ounces by weight of soda ash, not rounded.
  package let quantityOz: Double
  /// Total alkalinity afterwards, in parts per million as CaCO₃.
  package let totalAlkalinity: Double
  /// The readings that were unknown and had their usual values.
  package let assumed: [CarbonateWater.Reading]
}

/// A reason why the equilibrium gives no dose.
package enum CarbonateFault: Error, Hashable, Sendable {
  case missing(CarbonateWater.Reading)
  case outOfRange(CarbonateWater.Reading, Double)
  /// Cyanurate, borate and hydroxide exceed the alkalinity: a reading is wrong.
  ///
  /// - Parameter otherAlkalinity: their sum in parts per million as CaCO₃.
  case noCarbonate(otherAlkalinity: Double)
  /// Acid only lowers and soda ash only raises the pH.
  case wrongDirection(pH: Double, target: Double)

  /// A fault as digests and replies name it.
  package enum Kind: String, Sendable, CaseIterable, Codable {
    case missing
    case outOfRange = "out_of_range"
    case contradiction
  }

  package var kind: Kind {
    switch self {
    case .missing: .missing
    case .outOfRange, .wrongDirection: .outOfRange
    case .noCarbonate: .contradiction
    }
  }

  /// The reading concerned; nil for a contradiction of several.
  package var reading: CarbonateWater.Reading? {
    switch self {
    case .missing(let reading), .outOfRange(let reading, _): reading
    case .wrongDirection: .pH
    case .noCarbonate: nil
    }
  }

  /// The reading's value, if it is out of range.
  package var value: Double? {
    switch self {
    case .outOfRange(_, let value), .wrongDirection(let value, _): value
    case .missing, .noCarbonate: nil
    }
  }
}

/// Molar masses in mg/mol and amounts of chemicals in mol per ounce.
enum Molar {
  static let calciumCarbonate = 100_087.0
  /// Parts per million as CaCO₃ of one eq/L: half the mass of a mole.
  static let alkalinity = calciumCarbonate / 2
  static let bicarbonate = 61_017.0
  static let sodium = 22_990.0
  static let sodiumChloride = 58_443.0
  static let calciumChloride = 110_984.0
  static let cyanuricAcid = 129_074.0
  static let boron = 10_811.0

  /// Muriatic acid of 20 °Baumé has 31.45 % HCl by weight and a density of 1.160 g/mL at 60 °F, because the density is
  /// 145 / (145 - °Bé). With HCl of 36.461 g/mol that is 10.006 mol/L, or 0.2959 mol per fluid ounce.
  static let muriaticAcidPerOunce = 0.3145 * 1.160 / 36.461 * UnitConversion.millilitersPerOunce
  /// Sodium carbonate of 100 %, 105.988 g/mol: 0.2675 mol per ounce.
  static let sodaAshPerOunce = UnitConversion.gramsPerOunce / 105.988
}
