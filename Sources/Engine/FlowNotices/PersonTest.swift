package import FlowModel

/// The test notice that checks whether a person can be reached.
package enum PersonTest {
  /// The job in the notice, so that the test takes the same sinks as the first notice of the morning.
  package static let job = "morning-summary"

  package static func title(in language: Language) -> String { language.commonPhrases.testTitle() }

  /// The text for a trade without a text of its own.
  package static func body(for name: String, in language: Language) -> String { language.commonPhrases.testBody(name) }
}
