/// What a scenario decides: words for people, or a reason for silence.
package enum Decision: Sendable {
  case speak(NoticeDraft)
  case silent(Silence)
}

/// The words of a notice, before it has a run to belong to.
package struct NoticeDraft: Hashable, Sendable {
  package let identifier: String
  package let title: String
  package let body: String
  package let lines: [String]
  package let dataJSON: String
  /// What it tells of a day's route; nil where it is about something else.
  package let route: ToldRoute?

  package init(
    identifier: String, title: String, body: String, lines: [String] = [], dataJSON: String = "",
    route: ToldRoute? = nil
  ) {
    self.identifier = identifier
    self.title = title
    self.body = body
    self.lines = lines
    self.dataJSON = dataJSON
    self.route = route
  }
}
