// The calls of org.poolflow.Outbox.

package enum OutboxCall {
  /// Entries of the outbox, the newest first; `limit` at most.
  package struct List: ControlMethod {
    package static let method = "org.poolflow.Outbox.List"

    package let team: String?
    package let sink: String?
    package let state: EntryStateView?
    package let limit: Int

    package init(team: String? = nil, sink: String? = nil, state: EntryStateView? = nil, limit: Int) {
      self.team = team
      self.sink = sink
      self.state = state
      self.limit = limit
    }

    package struct Reply: Codable, Sendable {
      package internal(set) var entries: [EntryView]

      package init(entries: [EntryView]) {
        self.entries = entries
      }
    }
  }

  /// One notice and its way to every sink.
  package struct Show: ControlMethod {
    package static let method = "org.poolflow.Outbox.Show"

    package let noticeId: String

    package init(noticeId: String) {
      self.noticeId = noticeId
    }

    private enum CodingKeys: String, CodingKey {
      case noticeId = "notice_id"
    }

    package struct Reply: Codable, Sendable {
      package let notice: NoticeView
      package let entries: [EntryView]

      package init(notice: NoticeView, entries: [EntryView]) {
        self.notice = notice
        self.entries = entries
      }
    }
  }
}
