package import FlowModel
import FlowNotices
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
  /// {0} is the list of medications. A medication is always shown with its time of day.
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
  let advice: [BlanketAdvice: Sentence]

  // The weekly digest.
  let missedThisWeek: Sentence
  let nothingMissedThisWeek: Sentence
  let careDone: Sentence
  let noCareDone: Sentence
  let total: Sentence
  let careAhead: Sentence
  let noCareAhead: Sentence

  // Published pages.
  let week: Sentence
  let today: Sentence
  let follows: Sentence
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
