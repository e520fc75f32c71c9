package import PoolModel
import PoolNotices
import StableModel

/// Everything that a stable is told, in one language. A language lacks nothing: the initialiser asks for every sentence.
///
/// `{0}`, `{1}` … are filled in; in a `Counted` sentence `{0}` is the count.
package struct BarnPhrases: Sendable {
  // What notices are called and say.
  let barnTitle: Sentence
  let barnBody: Counted
  let morningFeedTitle: Sentence
  let eveningFeedTitle: Sentence
  let notFed: Counted
  let careTitle: Sentence
  let careBody: Counted
  let blanketTitle: Sentence
  /// {0} the least felt temperature.
  let blanketBody: Sentence
  let weekTitle: Sentence
  let weekBody: Counted
  let trialTitle: Sentence
  let trialBody: Sentence

  // The board.
  let boardTitle: Sentence
  let horse: Sentence
  let morning: Sentence
  let evening: Sentence
  let noSchedule: Sentence
  /// {0} what is given. A medication is never told without its time.
  let morningMedication: Sentence
  let eveningMedication: Sentence
  let missedYesterday: Sentence
  let nothingMissed: Sentence
  /// {0} a horse, {1} when.
  let missedLine: Sentence

  // Care.
  let noCare: Sentence
  let overdue: Counted
  let dueToday: Sentence
  let dueIn: Counted
  /// {0} a horse, {1} what.
  let careLine: Sentence
  let careTypes: [CareType: Sentence]

  // Blankets.
  let blanketsTitle: Sentence
  let byDay: Sentence
  let byNight: Sentence
  /// {0} a temperature.
  let feelsLike: Sentence
  let isWet: Sentence
  let waterproof: Sentence
  let oldForecast: Sentence
  let staleForecast: Sentence
  let noForecast: Sentence
  /// {0} horses.
  let takeOff: Sentence
  let advice: [BlanketAdvice: Sentence]

  // The week.
  let missedThisWeek: Sentence
  let nothingMissedThisWeek: Sentence
  let careDone: Sentence
  let noCareDone: Sentence
  let total: Sentence
  let careAhead: Sentence
  let noCareAhead: Sentence

  // A published page.
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
