import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import PoolDigests
import Testing

/// Every language has every sentence (checked by the compiler), with complete contents (checked here).
struct PhraseTests {
  /// Every sentence of a language by name, each plural form separately, and the missing forms.
  private func sentences(_ language: Language) -> (all: [String: Sentence], incomplete: [String]) {
    var all: [String: Sentence] = [:]
    var incomplete: [String] = []
    let classes = language.pluralClasses
    let phrases = [Mirror(reflecting: language.phrases.phrases), Mirror(reflecting: language.commonPhrases)]
    for child in phrases.flatMap(\.children) {
      let name = child.label ?? ""
      switch child.value {
      case let sentence as Sentence: all[name] = sentence
      case let counted as PluralSentence:
        for plural in classes { all["\(name).\(plural)"] = counted.form(plural) }
        if !counted.isComplete(in: language) { incomplete.append(name) }
      case let counted as TwoPluralSentence:
        for first in classes {
          for second in classes { all["\(name).\(first).\(second)"] = counted.form(first, second) }
        }
        if !counted.isComplete(in: language) { incomplete.append(name) }
      default: Issue.record("\(name) is no sentence")
      }
    }
    return (all, incomplete)
  }

  @Test(arguments: Language.allCases)
  func `every language has all sentences and plural forms with English's placeholders`(language: Language) throws {
    let english = sentences(.english).all
    let (all, incomplete) = sentences(language)
    #expect(incomplete.isEmpty)
    #expect(all.count >= english.count)
    for (name, sentence) in all {
      let parts = name.split(separator: ".")
      // A plural form that English lacks is compared with English's "other".
      let same = english[name] ?? english[([parts[0]] + parts.dropFirst().map { _ in "other" }).joined(separator: ".")]
      let original = try #require(same, "\(name)")
      #expect(sentence.placeholders == original.placeholders, "\(language.rawValue) \(name)")
      #expect(!sentence("", "", "", "").isEmpty, "\(language.rawValue) \(name)")
    }
  }

  @Test func `every language differs from English except for listed sentences`() {
    let english = sentences(.english).all
    // The same in both languages, as in a dictionary.
    let shared: Set = [
      "es lsiWord", "fr lsiWord", "pt-BR lsiWord", "de lsiWord", "es sectionTitle", "pt-BR sectionTitle",
      "de sectionTitle", "es ideal", "pt-BR ideal", "de ideal", "es idealFeminine", "pt-BR idealFeminine",
      "de idealFeminine", "de doseTask", "pt-BR quoted",
      "de poolsColumn", "fr corrosive", "fr notesTitle", "fr dateColumn", "fr borate", "fr testTitle", "de testTitle",
      "pt-BR emailLabel", "fr contactLabel",
    ]
    for language in Language.allCases where language != .english {
      for (name, sentence) in sentences(language).all where sentence == english[name] {
        #expect(shared.contains("\(language.rawValue) \(name)"), "\(language.rawValue) \(name) stands there in English")
      }
    }
  }

  @Test(arguments: Language.allCases)
  func `every thing has one term`(language: Language) throws {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/glossary", withExtension: "tsv"))
    let glossary = try Glossary(String(contentsOf: url, encoding: .utf8))
    let texts = Phrases.examples(in: language) + CommonPhrases.examples(in: language)
    #expect(try glossary.offences(in: texts, of: language) == [])
    #expect(glossary.entries.count { $0.language == language } >= 9)
  }

  @Test(arguments: Language.allCases)
  func `every text has an example in which all placeholders are filled`(language: Language) {
    let examples = Phrases.examples(in: language) + CommonPhrases.examples(in: language)
    let all = sentences(language).all
    #expect(examples.count == all.count && Set(examples.map(\.name)) == Set(all.keys))
    for example in examples {
      #expect(example.isComplete && !example.example.contains("{"), "\(example.name)")
      #expect(all[example.name]?.placeholders.isEmpty == (example.example == example.text), "\(example.name)")
    }
  }

  @Test func `only French puts a space before punctuation, and it does not break`() {
    for language in Language.allCases {
      for (name, sentence) in sentences(language).all {
        let text = sentence.template
        let offences =
          language == .french
          ? text.matches(of: #/[^\u{A0}][:»](?:\s|$)|«[^\u{A0}]|[^\u{202F}][;!?](?:\s|$)/#)
          : text.matches(of: #/\s[:;!?»]|«\s/#)
        #expect(offences.isEmpty, "\(language.rawValue) \(name): '\(text)'")
      }
    }
  }

  @Test func `French elides de before a vowel and begins a sentence with a capital`() {
    let pour: Sentence = "Verser {0} {de 1}."
    #expect(pour("2 L", "chlore") == "Verser 2 L de chlore.")
    #expect(pour("2 L", "acide") == "Verser 2 L d'acide." && pour("2 L", "Émile") == "Verser 2 L d'Émile.")
    let day: Sentence = "{^0}, il faudra {1} : il en manque {2} ; « {3} »"
    #expect(
      day("mardi", "25 L", "10", "a")
        == "Mardi, il faudra 25 L\u{A0}: il en manque 10\u{202F}; «\u{A0}a\u{A0}»")
    #expect(day.placeholders == [0, 1, 2, 3] && day("", "", "", "").hasPrefix(", il"))
  }

  /// Source: Unicode CLDR 44, the samples of `plurals.xml` for whole numbers.
  @Test(arguments: [
    (Language.english, [1], [], [0, 2, 3, 11, 16, 100, 1_000, 1_000_000, 2_000_000]),
    (.german, [1], [], [0, 2, 3, 16, 100, 1_000_000]),
    (.spanish, [1], [1_000_000, 2_000_000, 13_000_000], [0, 2, 3, 16, 100, 1_000, 10_000, 1_000_001]),
    (.french, [0, 1], [1_000_000, 3_000_000], [2, 3, 17, 100, 1_000, 10_000, 1_500_000]),
    (.portuguese, [0, 1], [1_000_000, 4_000_000], [2, 3, 17, 100, 1_000, 10_000, 1_000_100]),
  ])
  func `a count has its CLDR plural class`(language: Language, one: [Int], many: [Int], other: [Int]) {
    for (plural, counts) in [(PluralClass.one, one), (.many, many), (.other, other)] {
      for count in counts { #expect(language.pluralClass(of: count) == plural, "\(language.rawValue) \(count)") }
    }
  }

  @Test func `an abbreviation at the end of a sentence brings its full stop`() {
    let sentence: Sentence = "Rain on {0}. Move it to {1}."
    #expect(sentence("Mo. 2. Feb.", "mar.") == "Rain on Mo. 2. Feb. Move it to mar.")
    #expect(sentence("Mon", "Tue") == "Rain on Mon. Move it to Tue.")
  }

  @Test func `a sentence fills its placeholders in any order, and braces in names stay`() {
    let sentence: Sentence = "{1} before {0}; {x} {"
    #expect(sentence("a", "{0}") == "{0} before a; {x} {")
    #expect(sentence.placeholders == [0, 1])
  }
}
