/// How a sink stands.
package enum SinkStateView: String, Codable, Sendable, CaseIterable {
  case idle, working, sick
  /// No section of the settings names it, so nobody delivers what waits for it.
  case absent
}

/// A sink with what waits for it.
package struct SinkQueueView: Codable, Sendable {
  package let name: String
  /// `stdout`, `journal` or `file-drop`; none for an absent one.
  package let kind: String?
  package let state: SinkStateView
  /// What ails it, as a sentence.
  package let trouble: String?
  /// What its section of the settings lets through, in words.
  package let takes: String?
  package let waiting: Int
  package let held: Int
  package let dead: Int
  package let sent: Int
  /// When the oldest notice that waits was written.
  package let oldestAt: String?
  package let nextTryAt: String?
  package let lastSentAt: String?

  package init(
    name: String, kind: String?, state: SinkStateView, trouble: String?, takes: String?, waiting: Int, held: Int,
    dead: Int, sent: Int, oldestAt: String?, nextTryAt: String?, lastSentAt: String?
  ) {
    self.name = name
    self.kind = kind
    self.state = state
    self.trouble = trouble
    self.takes = takes
    self.waiting = waiting
    self.held = held
    self.dead = dead
    self.sent = sent
    self.oldestAt = oldestAt
    self.nextTryAt = nextTryAt
    self.lastSentAt = lastSentAt
  }

  private enum CodingKeys: String, CodingKey {
    case name, kind, state, trouble, takes, waiting, held, dead, sent
    case oldestAt = "oldest_at"
    case nextTryAt = "next_try_at"
    case lastSentAt = "last_sent_at"
  }
}
