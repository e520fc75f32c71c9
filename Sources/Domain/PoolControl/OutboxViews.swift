// What org.poolflow.Outbox tells about notices.

/// Where an entry stands on its way to its sink.
package enum EntryStateView: String, Codable, Sendable, CaseIterable {
  case pending, staged, sent, dead, held
}

/// A notice on its way to one sink.
package struct EntryView: Codable, Sendable {
  package let sequence: Int64
  package let noticeId: String
  package let team: String
  package let sink: String
  package let state: EntryStateView
  package let attempts: Int
  package let nextTryAt: String?
  package let nextTryLocal: String?
  package let lastError: String?
  package let createdAt: String
  package let createdLocal: String
  package let sentAt: String?
  package let title: String

  package init(
    sequence: Int64, noticeId: String, team: String, sink: String, state: EntryStateView, attempts: Int,
    nextTryAt: String? = nil, nextTryLocal: String? = nil, lastError: String? = nil, createdAt: String,
    createdLocal: String, sentAt: String? = nil, title: String
  ) {
    self.sequence = sequence
    self.noticeId = noticeId
    self.team = team
    self.sink = sink
    self.state = state
    self.attempts = attempts
    self.nextTryAt = nextTryAt
    self.nextTryLocal = nextTryLocal
    self.lastError = lastError
    self.createdAt = createdAt
    self.createdLocal = createdLocal
    self.sentAt = sentAt
    self.title = title
  }

  private enum CodingKeys: String, CodingKey {
    case sequence, team, sink, state, attempts, title
    case noticeId = "notice_id"
    case nextTryAt = "next_try_at"
    case nextTryLocal = "next_try_local"
    case lastError = "last_error"
    case createdAt = "created_at"
    case createdLocal = "created_local"
    case sentAt = "sent_at"
  }
}

/// A notice with its words.
package struct NoticeView: Codable, Sendable {
  package let id: String
  package let identifier: String
  package let team: String
  package let job: String
  package let slot: String
  package let slotLocal: String
  package let title: String
  package let body: String
  package let lines: [String]
  package let createdAt: String

  package init(
    id: String, identifier: String, team: String, job: String, slot: String, slotLocal: String, title: String,
    body: String, lines: [String], createdAt: String
  ) {
    self.id = id
    self.identifier = identifier
    self.team = team
    self.job = job
    self.slot = slot
    self.slotLocal = slotLocal
    self.title = title
    self.body = body
    self.lines = lines
    self.createdAt = createdAt
  }

  private enum CodingKeys: String, CodingKey {
    case id, identifier, team, job, slot, title, body, lines
    case slotLocal = "slot_local"
    case createdAt = "created_at"
  }
}
