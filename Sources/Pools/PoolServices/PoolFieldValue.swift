import FlowControl
import FlowModel
import FlowServices
import PoolChemistry
import PoolModel

extension FieldValue {
  func number(_ rule: NumberRule) throws(ControlError) -> Double {
    guard let number = FieldCheck.number(text) else {
      throw refusal("write a plain number with a point, such as 7.4")
    }
    guard rule.accepts(number) else { throw refusal(rule.sentence) }
    return number
  }

  /// Degrees Fahrenheit from `84`, `84F` or `29C`; a bare number is in the team's unit.
  func temperature(units: UnitSystem) throws(ControlError) -> Double {
    let isNamed = text.last.map { "CcFf".contains($0) } ?? false
    let isCelsius = isNamed ? text.lowercased().hasSuffix("c") : units == .metric
    let digits = isNamed ? String(text.dropLast()) : text
    guard let number = FieldCheck.number(digits) else { throw refusal("write a temperature such as 84, 84F or 29C") }
    let fahrenheit = isCelsius ? UnitConversion.fahrenheit(celsius: number) : number
    guard NumberRule.waterTempF.accepts(fahrenheit) else {
      throw refusal("the water of a pool must be between 32 and 140 °F, or 0 and 60 °C")
    }
    return fahrenheit
  }

  /// Degrees Celsius of the air from `32`, `32F` or `0C`; a bare number is in the team's unit.
  func airTemperature(units: UnitSystem) throws(ControlError) -> Double {
    let isNamed = text.last.map { "CcFf".contains($0) } ?? false
    let isCelsius = isNamed ? text.lowercased().hasSuffix("c") : units == .metric
    guard let number = FieldCheck.number(isNamed ? String(text.dropLast()) : text) else {
      throw refusal("write a temperature such as 32F or 0C, or off")
    }
    let celsius = isCelsius ? number : (number - 32) * 5 / 9
    guard Limits.freezeWarning.contains(celsius) else {
      throw refusal("a warning of frost is from -30 to 10 °C, or -22 to 50 °F")
    }
    return celsius
  }

  /// Millimetres of rain from `0.4in` or `10mm`; a bare number is in the team's unit.
  func rain(units: UnitSystem) throws(ControlError) -> Double {
    let lower = text.lowercased()
    let unit = ["mm", "in"].first { lower.hasSuffix($0) }
    let digits = trimmingSpaces(unit.map { String(text.dropLast($0.count)) } ?? text)
    guard let number = FieldCheck.number(digits) else {
      throw refusal("write an amount of rain such as 0.4in or 10mm, or off")
    }
    let millimetres = (unit ?? (units == .metric ? "mm" : "in")) == "mm" ? number : number * 25.4
    guard Limits.rainHint.contains(millimetres) else {
      throw refusal("the amount of rain is from 0.5 to 200 mm, or 0.02 to 8 in")
    }
    return millimetres
  }

  /// US gallons from a number of gallons or litres; a bare number is in the team's unit.
  func volume(units: UnitSystem) throws(ControlError) -> Double {
    do { return try FieldCheck.gallons(text, units: units) } catch { throw refusal(error.why) }
  }

  /// Ounces of a chemical from `12oz`, `2lb 3oz`, `900g` or `2.5L`; a bare number counts ounces, grams or millilitres.
  func ounces(of type: ChemicalType, isDry: Bool, units: UnitSystem) throws(ControlError) -> Double {
    guard let ounces = FieldCheck.ounces(text, of: type, isDry: isDry, units: units) else {
      let bare = units == .imperial ? "ounces" : type.isLiquid && !isDry ? "millilitres" : "grams"
      throw refusal(
        "write an amount such as 12oz, 2lb 3oz, 900g or 2.5L, with a decimal point; a number without a unit counts \(bare)"
      )
    }
    guard NumberRule.quantity.accepts(ounces) else {
      let most = QuantityText.text(ounces: Limits.quantityOz.upperBound, of: type, in: units, isDry: isDry)
      throw refusal(units == .imperial ? NumberRule.quantity.sentence : "must be between 0 and \(most)")
    }
    return ounces
  }

  /// Price of an ounce of a chemical from `0.05`, `1.60/lb`, `3.50/kg` or `2/L`.
  func costPerOunce(of type: ChemicalType, isDry: Bool, units: UnitSystem) throws(ControlError) -> Double {
    guard let cost = FieldCheck.costPerOunce(text, of: type, isDry: isDry, units: units) else {
      let bare = units == .imperial ? "an ounce" : type.isLiquid && !isDry ? "a litre" : "a kilogram"
      throw refusal(
        "write a price such as 0.05, 1.60/lb, 3.50/kg or 2/L; a number without a unit is the price of \(bare)")
    }
    guard NumberRule.costPerOz.accepts(cost) else { throw refusal(NumberRule.costPerOz.sentence) }
    return cost
  }

  func fee() throws(ControlError) -> Double {
    if let why = FieldCheck.monthlyFee(text) { throw refusal(why) }
    return try number(.monthlyFee)
  }

  func chemicalType() throws(ControlError) -> String {
    guard let type = ChemicalType(rawValue: text.lowercased()), ChemicalType.stockable.contains(type) else {
      let known = ChemicalType.stockable.map(\.rawValue)
      let near = Suggestion.nearest(to: text.lowercased(), among: known).map { "; did you mean '\($0)'?" } ?? ""
      throw refusal("a chemical is \(known.joined(separator: ", "))\(near)")
    }
    return type.rawValue
  }

  func equipmentType() throws(ControlError) -> String {
    guard let type = EquipmentType(typed: text) else {
      let known = EquipmentType.allCases.map(\.word)
      let near = Suggestion.nearest(to: text.lowercased(), among: known).map { "; did you mean '\($0)'?" } ?? ""
      throw refusal("equipment is \(known.joined(separator: ", "))\(near)")
    }
    return type.rawValue
  }
}
