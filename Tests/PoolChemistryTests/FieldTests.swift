import FlowModel
import FlowTestKit
import Foundation
import PoolChemistry
import PoolModel
import Testing

struct FieldTests {
  private struct Region: Decodable {
    let region: String?
  }
  private struct Defaults: Decodable {
    struct Item: Decodable {
      let name: String
      let chemicalType: ChemicalType
      let costPerOz: Double
      let currentStockOz: Double
      let concentration: Double
    }
    let items: [Item]?
    let poolVolumeGallons: Double?
    let monthlyServiceFee: Double?
    let unitSystem: UnitSystem?
    let waterTempF: Double?
    let pH: Double?
    let calciumHardness: Double?
    let totalAlkalinity: Double?
    let totalDissolvedSolids: Double?
    let cyanuricAcid: Double?
  }

  @Test func `a region's defaults and the catalogue equal every golden case`() throws {
    for row in try Golden<Region, Defaults>.rows("regions") {
      if let items = row.expected.items {
        try #require(items.count == CatalogueItem.standard.count)
        for (got, wanted) in zip(CatalogueItem.standard, items) {
          #expect(got.name == wanted.name && got.chemicalType == wanted.chemicalType, "\(wanted.name)")
          #expect(got.costPerOz == wanted.costPerOz && got.stockOz == wanted.currentStockOz, "\(wanted.name)")
          #expect(got.concentration == wanted.concentration, "\(wanted.name)")
        }
        continue
      }
      let defaults = RegionDefaults(region: try #require(row.input.region))
      let wanted = row.expected
      #expect(defaults.volumeGallons == wanted.poolVolumeGallons, "\(row.name)")
      #expect(defaults.monthlyServiceFee == wanted.monthlyServiceFee, "\(row.name)")
      #expect(defaults.units == wanted.unitSystem, "\(row.name)")
      #expect(defaults.readings.waterTempF == wanted.waterTempF, "\(row.name)")
      #expect(defaults.readings.pH == wanted.pH, "\(row.name)")
      #expect(defaults.readings.calciumHardness == wanted.calciumHardness, "\(row.name)")
      #expect(defaults.readings.totalAlkalinity == wanted.totalAlkalinity, "\(row.name)")
      #expect(defaults.readings.totalDissolvedSolids == wanted.totalDissolvedSolids, "\(row.name)")
      #expect(defaults.readings.cyanuricAcid == wanted.cyanuricAcid, "\(row.name)")
    }
  }

  @Test func `an amount may name its unit, and a bare number uses the team's`() {
    let amounts: [(String, ChemicalType, UnitSystem, Double?)] = [
      ("12", .acid, .imperial, 12), ("12oz", .acid, .metric, 12), (" 2 LB 3 oz ", .base, .imperial, 35),
      ("2 lb(s) 3 oz", .base, .imperial, 35), ("1.5gal", .chlorine, .metric, 192),
      ("900g", .base, .imperial, 900 / 28.3495),
      ("2.5L", .acid, .imperial, 2_500 / 29.5735), ("1 kg 500 g", .base, .metric, 1_500 / 28.3495),
      ("500", .base, .metric, 500 / 28.3495), ("500", .chlorine, .metric, 500 / 29.5735), ("0", .acid, .metric, 0),
      ("-3", .acid, .imperial, -3), ("-3g", .base, .metric, -3 / 28.3495), ("5kg", .chlorine, .metric, 5_000 / 28.3495),
      ("", .acid, .imperial, nil), ("oz", .acid, .imperial, nil), ("12 3oz", .acid, .imperial, nil),
      ("3oz 12", .acid, .imperial, nil), ("2,5L", .acid, .metric, nil), ("1e3g", .base, .metric, nil),
      ("3 bags", .base, .metric, nil), ("nan", .base, .metric, nil), ("1..2oz", .base, .metric, nil),
    ]
    for (text, type, units, ounces) in amounts {
      let got = FieldCheck.ounces(text, of: type, units: units)
      #expect((got == nil) == (ounces == nil) && isClose(got ?? 0, ounces ?? 0), "\(text): \(got ?? -1)")
    }
    let prices: [(String, ChemicalType, UnitSystem, Double?)] = [
      ("0.05", .acid, .imperial, 0.05), ("1.60/lb", .base, .imperial, 0.1), ("2/L", .acid, .imperial, 0.059147),
      ("2", .acid, .metric, 0.059147), ("3.5", .base, .metric, 0.09922325), ("3.5 / kg", .base, .imperial, 0.09922325),
      ("1/bag", .base, .metric, nil), ("/kg", .base, .metric, nil), ("a", .base, .metric, nil),
      ("1/", .base, .metric, nil),
    ]
    for (text, type, units, cost) in prices {
      let got = FieldCheck.costPerOunce(text, of: type, units: units)
      #expect((got == nil) == (cost == nil) && isClose(got ?? 0, cost ?? 0), "\(text): \(got ?? -1)")
    }
    let volumes: [(String, UnitSystem, String, UnitSystem)] = [
      ("15000", .imperial, "15000", .imperial), ("15000 gal", .metric, "15000", .imperial),
      ("56000L", .imperial, "56000", .metric),
      ("56m3", .imperial, "56000", .metric), ("56.5 m³", .metric, "56500", .metric), ("m3", .metric, "m3", .metric),
      ("gal", .metric, "gal", .metric), ("l", .metric, "l", .metric),
    ]
    for (text, units, number, measure) in volumes {
      let got = FieldCheck.volume(text, units: units)
      #expect(got.number == number && got.units == measure, "\(text): \(got)")
    }
  }

  private struct Conversion: Decodable {
    let conversion: String
    let value: Double
    let primary: UnitSystem?
  }
  private struct Converted: Decodable {
    let value: Double?
    let text: String?
  }

  @Test func `unit conversions equal every golden case`() throws {
    let conversions: [String: @Sendable (Double) -> Double] = [
      "fahrenheitToCelsius": UnitConversion.celsius(fahrenheit:),
      "celsiusToFahrenheit": UnitConversion.fahrenheit(celsius:),
      "gallonsToLiters": UnitConversion.liters(gallons:), "litersToGallons": UnitConversion.gallons(liters:),
      "ozToGrams": UnitConversion.grams(ounces:), "ozToMilliliters": { $0 * UnitConversion.millilitersPerOunce },
      "poundsToKilograms": { UnitConversion.grams(ounces: $0 * 16) / 1_000 },
    ]
    for row in try Golden<Conversion, Converted>.rows("units") {
      if let text = row.expected.text {
        let primary = try #require(row.input.primary)
        // The app writes no degree sign: `78F (26C)`.
        let both = ShownUnits(primary, isBoth: true).text { units in
          let degrees = UnitConversion.wholeDegrees(fahrenheit: row.input.value, in: units)
          return "\(Int(degrees))\(units == .imperial ? "F" : "C")"
        }
        #expect(both == text, "\(row.name)")
      } else {
        let convert = try #require(conversions[row.input.conversion], "\(row.name)")
        let wanted = try #require(row.expected.value)
        #expect(isClose(convert(row.input.value), wanted), "\(row.name)")
      }
    }
  }

  private struct Field: Decodable {
    let field: String
    let text: String?
    let unitSystem: UnitSystem?
    let parameter: WaterParameter?
    let value: Double?
  }
  private struct Verdict: Decodable {
    let error: String?
    let status: ReadingStatus?
  }

  @Test func `form validation equals every golden case`() throws {
    for row in try Golden<Field, Verdict>.rows("validation") {
      switch row.input.field {
      case "monthlyFee":
        #expect(FieldCheck.monthlyFee(try #require(row.input.text)) == row.expected.error, "\(row.name)")
      case "poolVolume":
        let error = FieldCheck.poolVolume(try #require(row.input.text), units: try #require(row.input.unitSystem))
        #expect(error == row.expected.error, "\(row.name)")
      case "readingStatus":
        let status = try #require(row.input.parameter).status(of: try #require(row.input.value))
        #expect(status == row.expected.status, "\(row.name)")
      default: Issue.record("no such field: \(row.input.field)")
      }
    }
  }

  @Test(arguments: ["nan", "inf", "-inf", "1e3", "0x10", "1,5", "1.2.3", "", ".", "-", "٣", "1 2", "--1"])
  func `text that is no plain decimal is refused as a number`(text: String) {
    #expect(FieldCheck.number(text) == nil)
  }

  @Test(arguments: [("7.4", 7.4), (" 12 ", 12), ("-0.5", -0.5), ("+3", 3), (".5", 0.5), ("5.", 5)])
  func `a plain decimal is read as a number`(text: String, value: Double) {
    #expect(FieldCheck.number(text) == value)
  }

  @Test func `a reading beyond its range is named`() {
    let water = Samples.pool().readings
    #expect(ReadingCheck.complaint(about: water) == nil)
    let slips: [(WritableKeyPath<WaterReadings, Double>, Double, String)] = [
      (\.pH, 14.1, "ph"), (\.pH, -0.1, "ph"), (\.pH, .nan, "ph"), (\.waterTempF, 31.9, "temp"),
      (\.waterTempF, .infinity, "temp"), (\.calciumHardness, -1, "calcium"), (\.totalAlkalinity, 5_001, "alkalinity"),
      (\.cyanuricAcid, 1_001, "cya"),
    ]
    for (path, value, field) in slips {
      var slip = water
      slip[keyPath: path] = value
      #expect(ReadingCheck.complaint(about: slip)?.field == field, "\(field) \(value)")
    }
  }

  private struct Stock: Decodable {
    let currentStockOz: Double
    let lowStockThresholdOz: Double
  }
  private struct Low: Decodable { let isLowStock: Bool }

  @Test func `low stock equals every golden case`() throws {
    for row in try Golden<Stock, Low>.rows("inventory") {
      let item = Samples.item(stock: row.input.currentStockOz, threshold: row.input.lowStockThresholdOz)
      #expect(item.isLowStock == row.expected.isLowStock, "\(row.name)")
    }
  }

  private struct Dates: Decodable {
    let warrantyExpiryDate: String?
    let nextServiceDate: String?
    let now: String
  }
  private struct Due: Decodable {
    let isWarrantyExpired: Bool
    let isServiceOverdue: Bool
  }

  @Test func `equipment warranty and service dates equal every golden case`() throws {
    for row in try Golden<Dates, Due>.rows("equipment") {
      var equipment = Samples.equipment(at: Samples.pool().id)
      equipment.warrantyExpiryDate = try row.input.warrantyExpiryDate.map(instant)
      equipment.nextServiceDate = try row.input.nextServiceDate.map(instant)
      let now = try instant(row.input.now)
      #expect(equipment.isWarrantyExpired(at: now) == row.expected.isWarrantyExpired, "\(row.name)")
      #expect(equipment.isServiceOverdue(at: now) == row.expected.isServiceOverdue, "\(row.name)")
    }
  }
}
