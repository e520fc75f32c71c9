package import PoolNotices
package import PoolPlatform

/// What a drop folder has beside and in its files, where its section of the settings says so.
package struct DropExtras: Sendable {
  let signature: WebhookSignature?
  let access: (any AccessSource)?
  /// A page for people, nil for a notice that has none.
  let page: @Sendable (Notice, [PoolAccess]) -> [UInt8]?
  private let hasPages: Bool
  let wallClock: any WallClock

  /// - Parameters:
  ///   - signature: `ID.headers` beside each file.
  ///   - access: gate codes and telephone numbers in the files.
  ///   - page: `ID.html` beside the file, which refers to it, made of the notice and, for a sensitive sink, what opens
  ///     gates; nil for none.
  package init(
    signature: WebhookSignature? = nil, access: (any AccessSource)? = nil,
    page: (@Sendable (Notice, [PoolAccess]) -> [UInt8]?)? = nil, wallClock: any WallClock = SystemWallClock()
  ) {
    self.signature = signature
    self.access = access
    self.page = page ?? { _, _ in nil }
    hasPages = page != nil
    self.wallClock = wallClock
  }

  func has(_ companion: Companion) -> Bool {
    switch companion {
    case .page: hasPages
    case .headers: signature != nil
    }
  }
}

/// A file that comes with a notice's own and is named like it.
enum Companion: String, CaseIterable {
  case page = "html"
  case headers

  func fileName(_ noticeID: String) -> String { "\(noticeID).\(rawValue)" }
}
