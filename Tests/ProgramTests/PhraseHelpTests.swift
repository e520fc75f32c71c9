import FlowControl
import Foundation
import Testing

extension Programs {
  /// `pfctl help phrases`: all texts of a language for review, without a daemon.
  @Suite struct PhraseHelpTests {
    private struct Document: Decodable {
      struct Group: Decodable {
        struct Phrase: Decodable {
          let name: String
          let text: String
          let example: String
        }
        let name: String
        let phrases: [Phrase]
      }
      let schema: String
      let language: String
      let groups: [Group]
    }

    @Test(arguments: ["en", "es", "fr", "pt-BR", "de"])
    func `all texts of a language are printed with an example each`(language: String) throws {
      let scratch = try Scratch()
      let json = try Pfctl.run(["help", "phrases", "--language", language, "--json"], in: scratch).output
      let document = try JSONDecoder().decode(Document.self, from: Data(json.utf8))
      #expect(document.language == language && document.schema == "pfctl.help-phrases/1")
      let phrases = document.groups.flatMap(\.phrases)
      #expect(document.groups.first?.name == "engine" && phrases.count > 400)
      #expect(phrases.allSatisfy { !$0.example.isEmpty && !$0.example.contains(#/\{\d\}/#) })
      #expect(phrases.contains { $0.name == "stops.one" && $0.text.contains("{0}") && $0.example.contains("1") })
      let text = try Pfctl.run(["help", "phrases", "--language", language], in: scratch)
      for phrase in phrases { #expect(text.output.contains(phrase.example), "\(phrase.name)") }
      let plain = try Pfctl.run(["help", "phrases", "--language", language, "--plain"], in: scratch).output
      #expect(plain.split(separator: "\n").count == phrases.count)
    }

    @Test func `an unknown language is refused with the known ones`() throws {
      let scratch = try Scratch()
      let answer = try Pfctl.run(["help", "phrases", "--language", "nl"], in: scratch)
      #expect(answer.code == ExitCode.usage)
      #expect(answer.errors == "pfctl: --language is en, es, fr, pt-BR or de, not 'nl'\n")
      let other = try Pfctl.run(["help", "team", "--language", "fr"], in: scratch)
      #expect(other.code == ExitCode.usage && other.errors.contains("`pfctl help phrases`"))
    }
  }
}
