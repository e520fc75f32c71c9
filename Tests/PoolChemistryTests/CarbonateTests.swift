import FlowModel
import FlowTestKit
import Foundation
import PoolModel
import Testing

@testable import PoolChemistry

struct CarbonateTests {
  /// mol/L of chemical times the gallons, in its ounces: 10.006 mol/L of acid, 105.988 g/mol of soda ash.
  private static func ounces(acid: Double, gallons: Double) -> Double {
    acid * gallons * 3.78541 / (0.3145 * 1_160 / 36.461) / 0.0295735
  }
  private static func ounces(sodaAsh: Double, gallons: Double) -> Double {
    sodaAsh * gallons * 3.78541 * 105.988 / 28.3495
  }

  // MARK: Sources

  /// pK of carbonic acid, bicarbonate and water as Stumm and Morgan print them after Plummer and Busenberg.
  @Test(
    arguments: [
      (0, 6.58, 10.63, 14.94), (5, 6.52, 10.56, 14.73), (10, 6.46, 10.49, 14.53), (15, 6.42, 10.43, 14.35),
      (20, 6.38, 10.38, 14.17), (25, 6.35, 10.33, 14.00), (30, 6.33, 10.29, 13.83), (40, 6.30, 10.22, 13.54),
    ] as [(Double, Double, Double, Double)])
  func `the constants of carbonate and water equal the printed table`(
    celsius: Double, first: Double, second: Double, water: Double
  ) {
    let constants = CarbonateConstants(kelvin: celsius + 273.15)
    #expect(abs(-log10(constants.carbonicAcid) - first) < 0.006)
    #expect(abs(-log10(constants.bicarbonate) - second) < 0.006)
    #expect(abs(-log10(constants.water) - water) < 0.011)
  }

  @Test func `the calcium pairs and boric acid have the printed constants at 25 °C`() {
    let constants = CarbonateConstants(kelvin: 298.15)
    #expect(abs(log10(constants.calciumCarbonate) - 3.22) < 0.01)
    #expect(abs(log10(constants.calciumBicarbonate) - 1.11) < 0.01)
    #expect(abs(log10(constants.boricAcid) + 9.24) < 1e-9)
    #expect(abs(IonActivities(ionicStrength: 0.02, kelvin: 298.15).bicarbonate - 0.875) < 0.001)
  }

  /// Wojtowicz's factors: the cyanurate alkalinity as CaCO₃ of one ppm of cyanuric acid.
  @Test(
    arguments: [(7.0, 0.23), (7.2, 0.27), (7.4, 0.31), (7.6, 0.33), (7.8, 0.35), (8.0, 0.36)] as [(Double, Double)])
  func `the cyanurate alkalinity equals the printed correction factors`(pH: Double, factor: Double) throws {
    let (none, some) = try (
      CarbonateReadings(pH: pH, alkalinity: 120, stabiliser: 0).water(),
      CarbonateReadings(pH: pH, alkalinity: 120, stabiliser: 100).water()
    )
    #expect(abs((none.carbonateAlkalinity - some.carbonateAlkalinity) / 100 - factor) < 0.0065)
  }

  @Test func `acid by the equilibrium is an eighth of the rule's in soft water`() throws {
    let readings = CarbonateReadings()
    let water = try readings.water()
    let acid = try water.acid(to: 7.6, volumeGallons: 12_500)
    #expect(abs(acid.quantityOz - 15.3) < 0.05 && abs(acid.totalAlkalinity - 55.2) < 0.05)
    #expect(acid.chemicalType == .acid && acid.target == 7.6 && acid.assumed == [])
    let rule = Dosing(lsi: 1, pH: 8.3, totalAlkalinity: 60, calciumHardness: 250, volumeGallons: 12_500)
      .recommendations(inventory: [])[0]
    let comparison = try #require(try DoseComparison(rule, in: water, volumeGallons: 12_500))
    #expect(comparison.ruleOz == 114 && comparison.firstDoseOz == 15 && comparison.isExcessive)
    for calcium in [0.0, 100, 250, 400] {
      for fahrenheit in [60.0, 77, 86] {
        let other = try CarbonateReadings(fahrenheit: fahrenheit, calcium: calcium).water()
        #expect(try (13...17).contains(other.acid(to: 7.6, volumeGallons: 12_500).quantityOz))
      }
    }
  }

  // MARK: The other solver

  @Test func `acid and soda ash equal the charge balance's by bisection`() throws {
    let seed = SeededNumbers.anySeed
    var random = SeededNumbers(seed: seed)
    for _ in 0..<10_000 {
      let readings = CarbonateReadings.some(using: &random)
      let target = readings.someTarget(using: &random)
      let other = ChargeBalance(readings)
      let (ours, wanted) =
        target < readings.pH
        ? (
          try readings.water().acid(to: target, volumeGallons: 20_000).quantityOz,
          Self.ounces(acid: other.acid(to: target), gallons: 20_000)
        )
        : (
          try readings.water().base(to: target, volumeGallons: 20_000).quantityOz,
          Self.ounces(sodaAsh: other.sodaAsh(to: target), gallons: 20_000)
        )
      #expect(abs(ours / wanted - 1) < 1e-6, "seed \(seed): \(ours), not \(wanted): \(readings) to \(target)")
    }
  }

  // MARK: Properties

  @Test func `a greater change, volume or alkalinity never needs less acid`() throws {
    let seed = SeededNumbers.anySeed
    var random = SeededNumbers(seed: seed)
    for _ in 0..<2_000 {
      let readings = CarbonateReadings.some(using: &random)
      guard readings.pH > 7.2 else { continue }
      let acid = try readings.water().acid(to: 7.1, volumeGallons: 10_000)
      let comment: Comment = "seed \(seed): \(readings)"
      #expect(try readings.water().acid(to: 7, volumeGallons: 10_000).quantityOz > acid.quantityOz, comment)
      #expect(
        try abs(readings.water().acid(to: 7.1, volumeGallons: 30_000).quantityOz / acid.quantityOz - 3) < 1e-9, comment)
      var richer = readings
      richer.alkalinity += 20
      #expect(try richer.water().acid(to: 7.1, volumeGallons: 10_000).quantityOz > acid.quantityOz, comment)
      #expect(acid.totalAlkalinity < readings.alkalinity, comment)
    }
  }

  @Test func `two steps of acid need as much as one`() throws {
    let whole = try CarbonateReadings().water().acid(to: 7.2, volumeGallons: 10_000)
    let first = try CarbonateReadings().water().acid(to: 7.6, volumeGallons: 10_000)
    let second = try CarbonateReadings(pH: 7.6, alkalinity: first.totalAlkalinity).water()
      .acid(to: 7.2, volumeGallons: 10_000)
    // The second water has a little more salt, because solids of 1,000 ppm leave more for it.
    #expect(abs((first.quantityOz + second.quantityOz) / whole.quantityOz - 1) < 0.002)
  }

  @Test func `soda ash raises the alkalinity by its two equivalents`() throws {
    let ash = try CarbonateReadings(pH: 7, alkalinity: 80).water().base(to: 7.4, volumeGallons: 10_000)
    let moles = ash.quantityOz * 28.3495 / 105.988
    #expect(ash.chemicalType == .base && abs((ash.totalAlkalinity - 80) - 2 * moles / 37_854.1 * 50_043.5) < 1e-9)
  }

  @Test func `stabiliser and borate need acid of their own`() throws {
    func acid(_ readings: CarbonateReadings) throws -> Double {
      try readings.water().acid(to: 7.2, volumeGallons: 10_000).quantityOz
    }
    let plain = try acid(CarbonateReadings(pH: 7.8, alkalinity: 100, stabiliser: 0))
    #expect(try acid(CarbonateReadings(pH: 7.8, alkalinity: 100, stabiliser: 80)) > plain)
    #expect(try acid(CarbonateReadings(pH: 7.8, alkalinity: 100, stabiliser: 0, borate: 50)) > plain * 1.3)
  }

  @Test func `small changes need the buffer intensity of carbonate`() throws {
    // Stumm and Morgan, section 3.9: β = 2.303 (C α (h K₁) …); without pairs and other buffers.
    let readings = CarbonateReadings(pH: 7.5, alkalinity: 100, stabiliser: 0, calcium: 0, solids: 0)
    let acid = try readings.water().acid(to: 7.499, volumeGallons: 10_000)
    let activities = IonActivities(ionicStrength: 100 / 50_043.5, kelvin: 298.15)
    let constants = CarbonateConstants(kelvin: 298.15)
    let hydrogen = pow(0.1, 7.5)
    let first = constants.carbonicAcid * activities.uncharged / activities.bicarbonate
    let second = constants.bicarbonate * activities.bicarbonate / activities.carbonate
    let sum = hydrogen * hydrogen + hydrogen * first + first * second
    let carbon = 100 / 50_043.5 / ((hydrogen * first + 2 * first * second) / sum)
    let intensity =
      2.302585 * carbon * first * hydrogen * (hydrogen * hydrogen + 4 * second * hydrogen + first * second)
      / (sum * sum)
    let wanted = Self.ounces(acid: intensity * 0.001, gallons: 10_000)
    #expect(abs(acid.quantityOz / wanted - 1) < 0.01)
  }

  // MARK: Missing and invalid readings

  @Test func `each assumed reading is named`() throws {
    let water = try CarbonateWater(
      pH: 8, totalAlkalinity: 100, cyanuricAcid: 40, waterTempF: nil, calciumHardness: nil, totalDissolvedSolids: nil)
    #expect(water.assumed == [.waterTemp, .calciumHardness, .totalDissolvedSolids, .borate])
    #expect(try water.acid(to: 7.6, volumeGallons: 1_000).assumed == water.assumed)
  }

  private static func water(without assumed: ReadingSet, solids: Double? = nil) throws(CarbonateFault) -> CarbonateWater
  {
    try CarbonateWater(
      WaterReadings(
        pH: 8, waterTempF: 80, calciumHardness: 300, totalAlkalinity: 100, cyanuricAcid: 40,
        totalDissolvedSolids: solids), assumed: assumed)
  }

  @Test func `a pool without measured pH, alkalinity or stabiliser gets no dose`() throws {
    for (bit, reading) in [
      (ReadingSet.pH, CarbonateWater.Reading.pH), (.totalAlkalinity, .totalAlkalinity), (.cyanuricAcid, .cyanuricAcid),
    ] {
      #expect(throws: CarbonateFault.missing(reading)) { try Self.water(without: bit) }
    }
    #expect(try Self.water(without: [], solids: 900).assumed == [.borate])
    #expect(
      try Self.water(without: [.waterTemp, .calciumHardness]).assumed
        == [.waterTemp, .calciumHardness, .totalDissolvedSolids, .borate])
  }

  @Test func `readings out of range are refused`() {
    for (readings, reading, value) in [
      (CarbonateReadings(pH: 5.9), .pH, 5.9), (CarbonateReadings(pH: .nan), .pH, .nan),
      (CarbonateReadings(alkalinity: 4), .totalAlkalinity, 4), (CarbonateReadings(stabiliser: -1), .cyanuricAcid, -1),
      (CarbonateReadings(fahrenheit: 121), .waterTemp, 121),
      (CarbonateReadings(calcium: 2_001), .calciumHardness, 2_001),
      (CarbonateReadings(solids: 35_000), .totalDissolvedSolids, 35_000),
      (CarbonateReadings(borate: 201), .borate, 201),
    ] as [(CarbonateReadings, CarbonateWater.Reading, Double)] {
      do {
        _ = try readings.water()
        Issue.record("accepted \(readings)")
      } catch .outOfRange(let named, let refused) {
        #expect(named == reading && (refused == value || value.isNaN))
      } catch { Issue.record("\(error)") }
    }
  }

  @Test func `alkalinity below that of the stabiliser is refused`() throws {
    do {
      _ = try CarbonateReadings(pH: 7.6, alkalinity: 30, stabiliser: 100).water()
      Issue.record("accepted")
    } catch .noCarbonate(let other) { #expect(abs(other - 33) < 0.6) }
  }

  @Test func `acid does not raise the pH, soda ash does not lower it`() throws {
    let water = try CarbonateReadings(pH: 7.5).water()
    for target in [7.5, 7.6] {
      #expect(throws: CarbonateFault.wrongDirection(pH: 7.5, target: target)) {
        try water.acid(to: target, volumeGallons: 10_000)
      }
    }
    #expect(throws: CarbonateFault.wrongDirection(pH: 7.5, target: 7.4)) {
      try water.base(to: 7.4, volumeGallons: 10_000)
    }
    #expect(throws: CarbonateFault.outOfRange(.pH, 5)) { try water.acid(to: 5, volumeGallons: 10_000) }
  }

  @Test func `only doses for the pH are compared`() throws {
    let water = try CarbonateReadings(pH: 7, alkalinity: 200, calcium: 500).water()
    for (pH, kind) in [(7.0, DoseRecommendation.Kind.lowerTA), (7.9, .lowerPH)] {
      let advice = Dosing(lsi: 1, pH: pH, totalAlkalinity: 200, calciumHardness: 500, volumeGallons: 10_000)
        .recommendations(inventory: [])
      #expect(advice.map(\.kind) == [kind, .drain])
      #expect(try DoseComparison(advice[1], in: water, volumeGallons: 10_000) == nil)
    }
    let raise = Dosing(lsi: -1, pH: 7, totalAlkalinity: 200, calciumHardness: 500, volumeGallons: 10_000)
      .recommendations(inventory: [])[0]
    let comparison = try #require(try DoseComparison(raise, in: water, volumeGallons: 10_000))
    #expect(comparison.carbonate.chemicalType == .base && !comparison.isExcessive)
  }
}
