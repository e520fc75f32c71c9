package import FlowModel

/// The ranges of typed water readings, amounts, prices and volumes.
extension NumberRule {
  package static let pH = NumberRule(Limits.pH)
  package static let waterTempF = NumberRule(Limits.waterTempF, unit: " °F")
  package static let hardness = NumberRule(Limits.hardnessPPM, unit: " ppm")
  package static let cyanuricAcid = NumberRule(Limits.cyanuricAcidPPM, unit: " ppm")
  package static let freeChlorine = NumberRule(Limits.freeChlorinePPM, unit: " ppm")
  package static let salt = NumberRule(Limits.saltPPM, unit: " ppm")
  package static let dissolvedSolids = NumberRule(Limits.dissolvedSolidsPPM, unit: " ppm")
  package static let quantity = NumberRule(Limits.quantityOz, unit: " oz")
  package static let costPerOz = NumberRule(Limits.costPerOz, unit: " an ounce")
  package static let monthlyFee = NumberRule(Limits.monthlyFee)
  package static let volume = NumberRule(Limits.volumeGallons, unit: " gallons")
  package static let concentration = NumberRule(0...100, unit: " percent")
}
