package import PoolPlatform

/// What a drop folder has beside and in its files, where its section of the settings says so.
package struct DropExtras: Sendable {
  let signature: WebhookSignature?
  let source: (any NoticeExtrasSource)?
  let wallClock: any WallClock
  /// Nil for a folder that one daemon alone writes to. Else other nodes of its store may follow it there, and this throws
  /// where one has.
  let stillOurs: (@Sendable () async throws -> Void)?

  /// - Parameters:
  ///   - signature: `ID.headers` beside each file.
  ///   - source: of `ID.html` beside a file, which refers to it, of `ID.ics`, and of what only a sensitive sink may have.
  package init(
    signature: WebhookSignature? = nil, source: (any NoticeExtrasSource)? = nil,
    wallClock: any WallClock = SystemWallClock(), stillOurs: (@Sendable () async throws -> Void)? = nil
  ) {
    self.signature = signature
    self.source = source
    self.wallClock = wallClock
    self.stillOurs = stillOurs
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
