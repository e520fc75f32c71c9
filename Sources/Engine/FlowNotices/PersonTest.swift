package import FlowModel

/// The test notice that checks whether a person can be reached.
package enum PersonTest {
  /// The job in the notice, so that the test takes the same sinks as the first notice of the morning.
  package static let job = "morning-summary"

  /// The title and body of the test notice.
  package static func words(for name: String, in language: Language) -> (title: String, body: String) {
    (language.commonPhrases.testTitle(), language.commonPhrases.testBody(name))
  }
}
