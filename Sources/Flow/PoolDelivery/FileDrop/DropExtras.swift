package import PoolPlatform

/// What a drop folder has beside and in its files, where its section of the settings says so.
package struct DropExtras: Sendable {
  let signature: WebhookSignature?
  let source: (any NoticeExtrasSource)?
  let wallClock: any WallClock
  /// Several daemons of one store, which may write to one folder or to one each.
  package struct Nodes: Sendable {
    /// This daemon's name among them.
    let own: String
    /// Throws where another has what this one had.
    let stillOurs: @Sendable () async throws -> Void

    package init(own: String, stillOurs: @escaping @Sendable () async throws -> Void) {
      self.own = own
      self.stillOurs = stillOurs
    }
  }

  /// Nil for a folder that one daemon alone writes to.
  let among: Nodes?

  /// - Parameters:
  ///   - signature: `ID.headers` beside each file.
  ///   - source: of `ID.html` beside a file, which refers to it, of `ID.ics`, and of what only a sensitive sink may have.
  package init(
    signature: WebhookSignature? = nil, source: (any NoticeExtrasSource)? = nil,
    wallClock: any WallClock = SystemWallClock(), among: Nodes? = nil
  ) {
    self.signature = signature
    self.source = source
    self.wallClock = wallClock
    self.among = among
  }

  func has(_ companion: Companion) -> Bool {
    switch companion {
    case .page, .calendar: source != nil
    case .headers: signature != nil
    }
  }
}

/// A file that comes with a notice's own and is named like it.
enum Companion: String, CaseIterable {
  case page = "html"
  case calendar = "ics"
  case headers

  func fileName(_ noticeID: String) -> String { "\(noticeID).\(rawValue)" }
}
