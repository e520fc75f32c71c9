/// The page that comes with a notice.
package enum NoticePage {
  /// HTML of a digest's notice, the same at every call; nil for a notice that has no page.
  ///
  /// - Parameter access: what opens gates at its stops; only for a sink that may have it.
  package static let html: @Sendable (Notice, [PoolAccess]) -> [UInt8]? = { notice, access in
    guard !notice.dataJSON.isEmpty else { return nil }
    if notice.identifier == NoticeIdentifier.week {
      return DigestJSON.week(notice.dataJSON).map { Array($0.document().html.utf8) }
    }
    guard NoticeIdentifier.isMorning(notice.identifier) else { return nil }
    return DigestJSON.morning(notice.dataJSON).map { Array($0.document(access: access).html.utf8) }
  }
}
