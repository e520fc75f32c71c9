package import PoolNotices

/// The page that comes with a notice.
package enum NoticePage {
  /// HTML of a digest's notice, the same at every call; nil for a notice that has no page.
  package static func html(_ notice: Notice) -> [UInt8]? {
    if notice.identifier == NoticeIdentifier.week {
      return DigestJSON.week(notice.dataJSON).map { $0.document().htmlBytes }
    }
    if NoticeIdentifier.isReminder(notice.identifier) {
      return DigestJSON.reminder(notice.dataJSON).map { $0.document().htmlBytes }
    }
    return morning(of: notice).map { html($0, access: []) }
  }

  /// - Parameter access: what opens gates at its stops; only for a sink that may have it.
  package static func html(_ digest: MorningDigest, access: [PoolAccess]) -> [UInt8] {
    digest.document(access: access).htmlBytes
  }

  /// What a morning's notice was made of; nil for any other.
  package static func morning(of notice: Notice) -> MorningDigest? {
    NoticeIdentifier.isRoute(notice.identifier) ? DigestJSON.morning(notice.dataJSON) : nil
  }
}

extension MorningDigest: PagedDigest {
  package var page: [UInt8] { NoticePage.html(self, access: []) }
}
