package import FlowModel
package import FlowNotices
import StableModel

/// All texts for stables in one language. The memberwise initialiser requires every text, so no language can lack one.
///
/// `{0}`, `{1}` … are placeholders; in a `PluralSentence` sentence `{0}` is the count.
package struct BarnPhrases: Sendable {
  // Titles and bodies of notices.
  let barnTitle: Sentence
  let barnBody: PluralSentence
  let morningFeedTitle: Sentence
  let eveningFeedTitle: Sentence
  let notFed: PluralSentence
  let careTitle: Sentence
  let careBody: PluralSentence
  let blanketTitle: Sentence
  /// {0} is the lowest felt temperature.
  let blanketBody: Sentence
  let weekTitle: Sentence
  let weekBody: PluralSentence
  let trialTitle: Sentence
  let trialBody: Sentence

  // The feed board.
  let boardTitle: Sentence
  let horse: Sentence
  let morning: Sentence
  let evening: Sentence
  let noSchedule: Sentence
  /// {0} is the list of medications. A medication is always shown with its time of day: `PM: Bute 1 g`.
  let morningMedication: Sentence
  let eveningMedication: Sentence
  let missedYesterday: Sentence
  let nothingMissed: Sentence
  /// {0} is a horse, {1} the missed slots.
  let missedLine: Sentence

  // Care.
  let noCare: Sentence
  let overdue: PluralSentence
  let dueToday: Sentence
  let dueIn: PluralSentence
  /// {0} is a horse, {1} a description of the care, medication or blanket.
  let careLine: Sentence
  let careTypes: [CareType: Sentence]

  // Blankets.
  let blanketsTitle: Sentence
  let byDay: Sentence
  let byNight: Sentence
  /// {0} is a temperature.
  let feelsLike: Sentence
  let isWet: Sentence
  let waterproof: Sentence
  let oldForecast: Sentence
  let staleForecast: Sentence
  let noForecast: Sentence
  /// {0} is a list of horses.
  let takeOff: Sentence
  let takeOffAll: Sentence
  /// {0} and {1} are numbers of horses, {2} is their blanket.
  let blanketOfMost: Sentence
  /// {0} is the number of horses, {1} their blanket.
  let blanketOfAll: Sentence
  /// {0} is a blanket; also in the next two.
  let dayAndNight: Sentence
  let onlyByDay: Sentence
  let onlyAtNight: Sentence
  let advice: [BlanketAdvice: Sentence]

  // The weekly digest.
  let missedThisWeek: Sentence
  let nothingMissedThisWeek: Sentence
  let careDone: Sentence
  let noCareDone: Sentence
  package let total: Sentence
  let careAhead: Sentence
  let noCareAhead: Sentence

  // The report on one horse.
  package let owner: Sentence
  package let clipped: Sentence
  package let yes: Sentence
  package let no: Sentence
  package let atStableSince: Sentence
  package let morningFeed: Sentence
  package let eveningFeed: Sentence
  package let due: Sentence
  package let nothingDue: Sentence
  package let timeline: Sentence
  package let noCareOnRecord: Sentence
  package let date: Sentence
  package let care: Sentence
  package let cost: Sentence
  package let costs: Sentence
  package let planned: Sentence
  /// {0} is a horse.
  package let photoOf: Sentence
  package let photoNotShown: Sentence

  // Published pages.
  let week: Sentence
}

extension Language {
  package var barnPhrases: BarnPhrases {
    switch self {
    case .english: .english
    case .spanish: .spanish
    case .french: .french
    case .portuguese: .portuguese
    case .german: .german
    }
  }
}
