import FlowTestKit
import Foundation

@testable import PoolChemistry

extension CarbonateWater {
  /// The part of the total alkalinity that is carbonate, in parts per million as CaCO₃.
  var carbonateAlkalinity: Double { totalAlkalinity - species(at: pH).otherAlkalinity * Molar.alkalinity }
}

/// Readings of one water in the carbonate tests.
struct CarbonateReadings: Sendable {
  var pH = 8.3
  var alkalinity = 60.0
  var stabiliser = 50.0
  var fahrenheit = 77.0
  var calcium = 250.0
  var solids = 1_000.0
  var borate = 0.0

  var celsius: Double { (fahrenheit - 32) / 1.8 }

  func water() throws(CarbonateFault) -> CarbonateWater {
    try CarbonateWater(
      pH: pH, totalAlkalinity: alkalinity, cyanuricAcid: stabiliser, waterTempF: fahrenheit, calciumHardness: calcium,
      totalDissolvedSolids: solids, borate: borate)
  }

  /// A pool's water with at least a tenth of its alkalinity as carbonate, with or without stabiliser and borate.
  static func some(using random: inout SeededNumbers) -> CarbonateReadings {
    while true {
      var one = CarbonateReadings()
      one.pH = Double.random(in: 6.8...8.8, using: &random)
      one.alkalinity = Double.random(in: 30...300, using: &random)
      one.stabiliser = Bool.random(using: &random) ? 0 : Double.random(in: 0...200, using: &random)
      one.fahrenheit = Double.random(in: 41...104, using: &random)
      one.calcium = Double.random(in: 0...1_000, using: &random)
      one.solids = Double.random(in: 200...8_000, using: &random)
      one.borate = Int.random(in: 0..<3, using: &random) > 0 ? 0 : Double.random(in: 0...60, using: &random)
      if let water = try? one.water(), water.carbonateAlkalinity >= one.alkalinity / 10 { return one }
    }
  }

  /// A pH at least 0.1 away, within the range of `some`.
  func someTarget(using random: inout SeededNumbers) -> Double {
    while true {
      let target = Double.random(in: 6.8...8.8, using: &random)
      if abs(target - pH) >= 0.1 { return target }
    }
  }
}

/// The carbonate equilibrium by electroneutrality, to compare with `CarbonateWater`.
///
/// Alkalinity is the excess of strong bases over strong acids: the charge of sodium and calcium less that of chloride. Carbonate is
/// found by bisection until all charges cancel at the measured pH, and the chemical by bisection until they cancel at the target.
/// Pairs of ions are solved by repeated substitution. Written without the code of `PoolChemistry`; slow.
struct ChargeBalance {
  let pH, alkalinity, calcium, sodium, cyanurate, borate: Double
  private let kelvin: Double
  private let ionicStrength: Double

  init(_ readings: CarbonateReadings) {
    pH = readings.pH
    alkalinity = readings.alkalinity / 50_043.5
    calcium = readings.calcium / 100_087
    cyanurate = readings.stabiliser / 129_074
    borate = readings.borate / 10_811
    kelvin = readings.celsius + 273.15
    let salt = (readings.solids - alkalinity * 84_007 - calcium * 110_984) / 58_443
    sodium = alkalinity + max(0, salt)
    ionicStrength = (2 * sodium + 4 * calcium + 2 * calcium) / 2
  }

  /// Chloride in mol/L, if alkalinity were all that is left of sodium and calcium.
  var chloride: Double { sodium + 2 * calcium - alkalinity }

  /// Activity coefficient of an ion, by Debye and Hückel with its size in ångström, by Davies without.
  private func coefficient(_ charge: Double, size: Double? = nil, slope: Double = 0) -> Double {
    let permittivity = 60_954 / (kelvin + 116) - 68.937
    let a = 1.82483e6 / pow(permittivity * kelvin, 1.5)
    let root = sqrt(ionicStrength)
    guard let size else {
      return exp(log(10) * -a * charge * charge * (root / (1 + root) - 0.3 * ionicStrength))
    }
    let b = 50.2916 / sqrt(permittivity * kelvin)
    return exp(log(10) * (slope * ionicStrength - a * charge * charge * root / (1 + b * size * root)))
  }

  private func constant(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double) -> Double {
    exp(log(10) * (a + b * kelvin + c / kelvin + d * log(kelvin) / log(10) + e / pow(kelvin, 2)))
  }

  private func constant(_ logarithm: Double, kilocalories: Double) -> Double {
    exp(log(10) * logarithm + kilocalories * 4_184 / 8.314462618 * (1 / 298.15 - 1 / kelvin))
  }

  /// All that depends on the pH only: the equilibria as ratios of concentrations.
  private struct Ratios {
    /// [CO₃]/[HCO₃], [CO₂]/[HCO₃].
    let carbonate, dioxide: Double
    /// [CaCO₃]/([Ca] [CO₃]), and so on.
    let calciumCarbonate, calciumBicarbonate, sodiumCarbonate, sodiumBicarbonate: Double
    /// Charge of cyanurate, borate, hydroxide and hydrogen ions.
    let otherCharge: Double
  }

  private func ratios(at pH: Double) -> Ratios {
    let hydrogen = exp(-log(10) * pH)
    let (one, two, three) = (coefficient(1), coefficient(2), coefficient(3))
    let neutral = exp(log(10) * 0.1 * ionicStrength)
    let (bicarbonate, carbonate) = (coefficient(1, size: 5.4), coefficient(2, size: 5.4))
    let first = constant(-356.3094, -0.06091964, 21_834.37, 126.8339, -1_684_915)
    let second = constant(-107.8871, -0.03252849, 5_151.79, 38.92561, -563_713.9)
    let water = constant(-283.971, -0.05069842, 13_323, 102.24447, -1_119_669)
    let (calciumIon, sodiumIon) = (coefficient(2, size: 5, slope: 0.165), coefficient(1, size: 4.08, slope: 0.082))
    // The dissociation of cyanuric acid from its last ion upwards: [H₂Cy] and so on relative to [Cy].
    let hydrogenCyanurate = hydrogen * three / two / exp(log(10) * -13.5)
    let dihydrogenCyanurate = hydrogenCyanurate * hydrogen * two / one / exp(log(10) * -11.4)
    let acid = dihydrogenCyanurate * hydrogen * one / neutral / exp(log(10) * -6.88)
    let cyanurateCharge =
      -cyanurate * (3 + 2 * hydrogenCyanurate + dihydrogenCyanurate)
      / (1 + hydrogenCyanurate + dihydrogenCyanurate + acid)
    let boricAcid = hydrogen * one / neutral / constant(-9.24, kilocalories: 3.224)
    return Ratios(
      carbonate: second * bicarbonate / (hydrogen * carbonate), dioxide: hydrogen * bicarbonate / (first * neutral),
      calciumCarbonate: constant(-1_228.732, -0.299444, 35_512.75, 485.818, 0) * calciumIon * carbonate / neutral,
      calciumBicarbonate: constant(1_209.12, 0.31294, -34_765.05, -478.782, 0) * calciumIon * bicarbonate
        / coefficient(1, size: 6),
      sodiumCarbonate: constant(1.27, kilocalories: 8.91) * sodiumIon * carbonate / one,
      sodiumBicarbonate: constant(-0.25, kilocalories: -1) * sodiumIon * bicarbonate / neutral,
      otherCharge: cyanurateCharge - borate / (1 + boricAcid) + hydrogen / coefficient(1, size: 9)
        - water / hydrogen / coefficient(1, size: 3.5))
  }

  /// Charge in eq/L of the ions other than chloride, with `carbon` mol/L of carbonate species.
  private func charge(_ ratios: Ratios, carbon: Double) -> Double {
    var (freeCalcium, freeSodium, bicarbonate) = (calcium, sodium, 0.0)
    for _ in 0..<500 {
      let before = bicarbonate
      bicarbonate =
        carbon
        / (1 + ratios.dioxide + freeCalcium * ratios.calciumBicarbonate + freeSodium * ratios.sodiumBicarbonate
          + ratios.carbonate
          * (1 + freeCalcium * ratios.calciumCarbonate + freeSodium * ratios.sodiumCarbonate))
      let ion = bicarbonate * ratios.carbonate
      freeCalcium = calcium / (1 + ion * ratios.calciumCarbonate + bicarbonate * ratios.calciumBicarbonate)
      freeSodium = sodium / (1 + ion * ratios.sodiumCarbonate + bicarbonate * ratios.sodiumBicarbonate)
      if abs(bicarbonate - before) <= 1e-15 * bicarbonate { break }
    }
    let ion = bicarbonate * ratios.carbonate
    return 2 * freeCalcium + freeSodium + freeCalcium * bicarbonate * ratios.calciumBicarbonate
      - freeSodium * ion * ratios.sodiumCarbonate - bicarbonate - 2 * ion + ratios.otherCharge
  }

  /// The argument from 0 to `most` at which a falling function is 0.
  private func bisect(_ most: Double, _ function: (Double) -> Double) -> Double {
    var (low, high) = (0.0, most)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if function(middle) > 0 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// All carbonate species in mol/L.
  private func carbon() -> Double {
    let ratios = ratios(at: pH)
    return bisect(0.1) { charge(ratios, carbon: $0) - chloride }
  }

  /// HCl in mol/L that brings the water to a lower pH.
  func acid(to target: Double) -> Double {
    let (ratios, carbon) = (ratios(at: target), carbon())
    return bisect(0.1) { charge(ratios, carbon: carbon) - (chloride + $0) }
  }

  /// Na₂CO₃ in mol/L that brings the water to a higher pH. Its sodium counts as charge, not as a partner of pairs.
  func sodaAsh(to target: Double) -> Double {
    let (ratios, carbon) = (ratios(at: target), carbon())
    return bisect(0.1) { chloride - 2 * $0 - charge(ratios, carbon: carbon + $0) }
  }
}
