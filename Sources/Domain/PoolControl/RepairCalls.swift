// The calls of org.poolflow.Outbox that repair and test.

/// Which entries are meant; what is absent restricts nothing.
package struct EntrySelectionView: Codable, Sendable {
  package let noticeId: String?
  package let sink: String?
  package let team: String?
  /// RFC 3339: notices written then or later.
  package let since: String?

  package init(noticeId: String? = nil, sink: String? = nil, team: String? = nil, since: String? = nil) {
    self.noticeId = noticeId
    self.sink = sink
    self.team = team
    self.since = since
  }

  private enum CodingKeys: String, CodingKey {
    case sink, team, since
    case noticeId = "notice_id"
  }
}

/// How many entries a repair changed, or would change; `left` counts those that it could not touch.
package struct RepairView: Codable, Sendable {
  package let entries: Int
  package let left: Int

  package init(entries: Int, left: Int) {
    self.entries = entries
    self.left = left
  }
}

extension OutboxCall {
  package struct RepairReply: Codable, Sendable {
    package let repair: RepairView

    package init(repair: RepairView) {
      self.repair = repair
    }
  }

  /// Tries again: dead entries begin anew, waiting ones are due now, and a sick sink is asked at once.
  package struct Retry: ControlMethod {
    package static let method = "org.poolflow.Outbox.Retry"
    package static let changes = true

    package let which: EntrySelectionView
    package let onlyDead: Bool
    package let dryRun: Bool

    package init(which: EntrySelectionView, onlyDead: Bool, dryRun: Bool) {
      self.which = which
      self.onlyDead = onlyDead
      self.dryRun = dryRun
    }

    private enum CodingKeys: String, CodingKey {
      case which
      case onlyDead = "only_dead"
      case dryRun = "dry_run"
    }

    package typealias Reply = RepairReply
  }

  /// Lets go what a restore kept back.
  package struct Release: ControlMethod {
    package static let method = "org.poolflow.Outbox.Release"
    package static let changes = true

    package let which: EntrySelectionView
    package let dryRun: Bool

    package init(which: EntrySelectionView, dryRun: Bool) {
      self.which = which
      self.dryRun = dryRun
    }

    private enum CodingKeys: String, CodingKey {
      case which
      case dryRun = "dry_run"
    }

    package typealias Reply = RepairReply
  }

  /// Gives up what has not begun to arrive; it is a dead letter then.
  package struct Discard: ControlMethod {
    package static let method = "org.poolflow.Outbox.Discard"
    package static let changes = true

    package let which: EntrySelectionView
    package let dryRun: Bool

    package init(which: EntrySelectionView, dryRun: Bool) {
      self.which = which
      self.dryRun = dryRun
    }

    private enum CodingKeys: String, CodingKey {
      case which
      case dryRun = "dry_run"
    }

    package typealias Reply = RepairReply
  }

  /// Forgets dead letters.
  package struct Purge: ControlMethod {
    package static let method = "org.poolflow.Outbox.Purge"
    package static let changes = true

    package let which: EntrySelectionView
    package let dryRun: Bool

    package init(which: EntrySelectionView, dryRun: Bool) {
      self.which = which
      self.dryRun = dryRun
    }

    private enum CodingKeys: String, CodingKey {
      case which
      case dryRun = "dry_run"
    }

    package typealias Reply = RepairReply
  }

  /// Every sink of the settings, and every other that entries wait for.
  package struct Sinks: ControlMethod {
    package static let method = "org.poolflow.Outbox.Sinks"

    package init() {}

    package struct Reply: Codable, Sendable {
      package let sinks: [SinkQueueView]

      package init(sinks: [SinkQueueView]) {
        self.sinks = sinks
      }
    }
  }

  /// Sends a test notice to one sink, the way that every notice goes; `Show` tells how far it came.
  package struct Test: ControlMethod {
    package static let method = "org.poolflow.Outbox.Test"
    package static let work = CallWork.long
    package static let changes = true

    package let sink: String

    package init(sink: String) {
      self.sink = sink
    }

    package struct Reply: Codable, Sendable {
      package let noticeId: String

      package init(noticeId: String) {
        self.noticeId = noticeId
      }

      private enum CodingKeys: String, CodingKey {
        case noticeId = "notice_id"
      }
    }
  }
}
