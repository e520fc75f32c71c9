package import StableModel

/// Recognises care types, and yes and no, in imported files. Case is ignored.
package enum CareKeywords {
  /// The type of care; nil for an unknown text.
  package static func type(_ text: String) -> CareType? {
    let word = text.lowercased()
    return CareType(rawValue: word) ?? otherTypes[word]
  }

  /// True for yes, false for no; nil for an unknown text. Accepts all supported languages.
  package static func yesOrNo(_ text: String) -> Bool? {
    let word = text.lowercased()
    if yes.contains(word) { return true }
    return no.contains(word) ? false : nil
  }

  private static let otherTypes: [String: CareType] = [
    "veterinary": .vet, "veterinarian": .vet, "shoeing": .farrier, "trim": .farrier, "hoof": .farrier,
    "teeth": .dental, "dentist": .dental, "vaccine": .vaccination, "vaccinations": .vaccination,
    "shots": .vaccination, "wormer": .deworming, "worming": .deworming, "dewormer": .deworming,
    "meds": .medication, "medications": .medication,
  ]
  private static let yes: Set = ["yes", "y", "true", "1", "x", "ja", "si", "sí", "oui", "sim"]
  private static let no: Set = ["no", "n", "false", "0", "nein", "non", "não", "nao"]
}
