import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import StableDigests
import StableModel
import Testing

/// A stable's phrases are complete in every language.
struct BarnPhraseTests {
  private func sentences(_ language: Language) -> (all: [String: Sentence], incomplete: [String]) {
    var all: [String: Sentence] = [:]
    var incomplete: [String] = []
    for child in Mirror(reflecting: language.barnPhrases).children {
      let name = child.label ?? ""
      switch child.value {
      case let sentence as Sentence: all[name] = sentence
      case let counted as PluralSentence:
        for plural in language.pluralClasses { all["\(name).\(plural)"] = counted.form(plural) }
        if !counted.isComplete(in: language) { incomplete.append(name) }
      case let types as [CareType: Sentence]:
        for (type, sentence) in types { all["\(name) \(type)"] = sentence }
        incomplete += CareType.allCases.filter { types[$0] == nil }.map { "\(name) \($0)" }
      case let advice as [BlanketAdvice: Sentence]:
        for (advice, sentence) in advice { all["\(name) \(advice)"] = sentence }
        incomplete += BlanketAdvice.allCases.filter { advice[$0] == nil }.map { "\(name) \($0)" }
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
    #expect(all.count >= english.count && all.count > 60)
    for (name, sentence) in all {
      // A plural form that English lacks is compared with "other".
      let base = name.split(separator: ".").first.map(String.init) ?? name
      let original = try #require(english[name] ?? english["\(base).other"], "\(name)")
      #expect(sentence.placeholders == original.placeholders, "\(language.rawValue) \(name)")
      #expect(!sentence("", "", "", "").isEmpty, "\(language.rawValue) \(name)")
    }
  }

  @Test(arguments: Language.allCases)
  func `every thing has one term`(language: Language) throws {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/glossary", withExtension: "tsv"))
    let glossary = try Glossary(String(contentsOf: url, encoding: .utf8))
    #expect(try glossary.offences(in: BarnPhrases.examples(in: language), of: language) == [])
    #expect(glossary.entries.count { $0.language == language } >= 4)
  }

  @Test(arguments: Language.allCases)
  func `every text has an example in which all placeholders are filled`(language: Language) {
    let all = sentences(language).all
    let examples = BarnPhrases.examples(in: language)
    #expect(examples.count == all.count)
    for example in examples {
      #expect(example.isComplete && !example.example.contains("{"), "\(example.name)")
      #expect(example.text.contains("{") != (example.example == example.text), "\(example.name)")
    }
  }

  @Test func `every language differs from English except for listed sentences`() {
    let english = sentences(.english).all
    // Names and numbers alone, and words that are the same in both languages.
    let shared: Set = [
      "missedLine", "careLine", "total", "careTypes vaccination", "careTypes dental", "careTypes medication", "byDay",
      "no", "date",
    ]
    for language in Language.allCases where language != .english {
      for (name, sentence) in sentences(language).all where sentence == english[name] {
        #expect(shared.contains(name), "\(language.rawValue) \(name) stands there in English")
      }
    }
  }
}
