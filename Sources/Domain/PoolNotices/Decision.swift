package import PoolModel

/// What a run decides: words for people, or a reason for silence.
package enum Decision: Sendable {
  case speak(NoticeDraft)
  case silent(Silence)
}

/// What is told to one person besides, or why it is not.
package struct PersonalDecision: Sendable {
  package let person: PersonKey
  /// What the trade calls him.
  package let name: String
  package let language: Language
  package let decision: Decision

  package init(_ person: PersonKey, name: String, language: Language, _ decision: Decision) {
    self.person = person
    self.name = name
    self.language = language
    self.decision = decision
  }
}

/// The words of a notice, before it has a run to belong to.
package struct NoticeDraft: Sendable {
  package let identifier: String
  package let title: String
  package let body: String
  package let lines: [String]
  package let dataJSON: String
  /// Where it is not its kind's own.
  package let severity: Severity?
  /// What it was made of, for its trade; nil for nothing.
  package let kept: (any Sendable)?

  package init(
    identifier: String, title: String, body: String, lines: [String] = [], dataJSON: String = "",
    severity: Severity? = nil, kept: (any Sendable)? = nil
  ) {
    self.identifier = identifier
    self.title = title
    self.body = body
    self.lines = lines
    self.dataJSON = dataJSON
    self.severity = severity
    self.kept = kept
  }
}
