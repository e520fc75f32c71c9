package import FlowModel
import FlowNotices

/// The test notice that checks whether a person can be reached.
package enum PersonTest {
  /// The title and body of the test notice.
  package static func words(for name: String, in language: Language) -> (title: String, body: String) {
    (language.phrases.testTitle(), language.phrases.testBody(name))
  }
}
