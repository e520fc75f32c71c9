package import FlowModel
package import FlowNotices
import StableModel

extension BarnPhrases {
  /// The texts of stables with examples.
  package static func examples(in language: Language) -> [PhraseExample] {
    let localizer = BarnLocalizer(
      RegionalFormat(
        language: language, units: language == .english ? .imperial : .metric, clock: .automatic, currency: .euro))
    let phrases = localizer.phrases
    let (heavy, medium) = (localizer.advice(.heavy), localizer.advice(.medium))
    let care = "\(localizer.type(.farrier)), \(localizer.due(in: 3))"
    let (felt, horses) = (localizer.temperature(-4), "Juniper, Ace")
    let values: [String: [String]] = [
      "blanketBody": [felt], "morningMedication": ["Bute 1 g"], "eveningMedication": ["Bute 1 g"],
      "missedLine": ["Juniper", phrases.evening()], "careLine": ["Juniper", care], "feelsLike": [felt],
      "takeOff": [horses], "blanketOfMost": ["27", "30", phrases.dayAndNight(heavy)],
      "blanketOfAll": ["30", phrases.dayAndNight(heavy)], "dayAndNight": [heavy], "onlyByDay": [medium],
      "onlyAtNight": [heavy], "photoOf": ["Juniper"],
    ]
    return PhraseExample.all(of: phrases, in: language) { values[$0] ?? [] }
  }
}
