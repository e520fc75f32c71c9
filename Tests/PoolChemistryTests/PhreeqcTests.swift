import FlowPlatform
import FlowTestKit
import Foundation
import PoolChemistry
import Testing

/// The carbonate equilibrium against PHREEQC, the geochemistry program of the US Geological Survey.
struct PhreeqcTests {
  private struct Water: Encodable {
    let ph, celsius, target, alkalinity, calcium, sodium, chloride, cyanurate, borate: Double

    init(_ readings: CarbonateReadings, target: Double) {
      let totals = ChargeBalance(readings)
      ph = readings.pH
      celsius = readings.celsius
      self.target = target
      (alkalinity, calcium, sodium) = (totals.alkalinity, totals.calcium, totals.sodium)
      (chloride, cyanurate, borate) = (totals.chloride, totals.cyanurate, totals.borate)
    }
  }

  /// mol/L of HCl or sodium carbonate for each water, by PHREEQC.
  private func amounts(_ waters: [Water]) throws -> [Double] {
    let folder = try TemporaryFolder()
    try folder.write("waters.json", String(decoding: JSONEncoder().encode(waters), as: UTF8.self))
    let script = try #require(Bundle.module.url(forResource: "Fixtures/phreeqc", withExtension: "py")).path
    let python = try ChildProgram(
      Requirement.python3.path(), [script, folder.path + "/waters.json"], environment: Requirement.pythonEnvironment,
      [
        0: .reading("/dev/null"), 1: .writing(folder.path + "/amounts.json"), 2: .writing(folder.path + "/errors"),
      ])
    let ending = python.end()
    let errors = try String(decoding: folder.bytes("errors"), as: UTF8.self)
    try #require(ending == .exit(0), "\(ending): \(errors)")
    return try JSONDecoder().decode([Double].self, from: Data(folder.bytes("amounts.json")))
  }

  /// The program has its own database of constants (phreeqc.dat), activity coefficients of every pair, and the activity of water.
  /// It gets the composition that `CarbonateWater` assumes for the dissolved solids.
  @Test(.requires(.python3, .python("phreeqpython")))
  func `acid and soda ash equal PHREEQC's within 3 % in 1,000 waters each`() throws {
    let seed = SeededNumbers.anySeed
    var random = SeededNumbers(seed: seed)
    var cases: [(readings: CarbonateReadings, target: Double)] = [(CarbonateReadings(), 7.6)]
    var missing = (acid: 999, ash: 1_000)
    while missing.acid + missing.ash > 0 {
      let readings = CarbonateReadings.some(using: &random)
      let target = readings.someTarget(using: &random)
      if target < readings.pH, missing.acid > 0 {
        missing.acid -= 1
      } else if target > readings.pH, missing.ash > 0 {
        missing.ash -= 1
      } else {
        continue
      }
      cases.append((readings, target))
    }
    let amounts = try amounts(cases.map { Water($0.readings, target: $0.target) })
    try #require(amounts.count == cases.count)
    var differences: (acid: [Double], ash: [Double]) = ([], [])
    for ((readings, target), wanted) in zip(cases, amounts) {
      let water = try readings.water()
      let isAcid = target < readings.pH
      let ounces =
        try isAcid
        ? water.acid(to: target, volumeGallons: 1_000).quantityOz
        : water.base(to: target, volumeGallons: 1_000).quantityOz
      let perMole = isAcid ? 36.461 / (0.3145 * 1.160 * 29.5735) : 105.988 / 28.3495
      let difference = abs(ounces / (wanted * 3_785.41 * perMole) - 1)
      #expect(difference < 0.03, "seed \(seed): \(readings) to \(target): \(difference)")
      if isAcid { differences.acid.append(difference) } else { differences.ash.append(difference) }
    }
    for (name, list) in [("acid", differences.acid.sorted()), ("soda ash", differences.ash.sorted())] {
      let percent = [list[list.count / 2], list[list.count * 99 / 100], list[list.count - 1]].map { $0 * 100 }
      print("PHREEQC, \(name): \(list.count) waters; difference in percent: median, 99 %, most: \(percent)")
    }
  }
}
