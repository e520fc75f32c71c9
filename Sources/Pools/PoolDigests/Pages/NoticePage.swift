package import FlowNotices

/// The page attached to a notice.
package enum NoticePage {
  /// The page of a notice as HTML, with equal bytes on every call; nil for a notice without a page.
  package static func html(_ notice: Notice) -> [UInt8]? {
    if notice.identifier == NoticeIdentifier.week {
      return DigestJSON.week(notice.dataJSON).map { $0.document().htmlBytes }
    }
    if NoticeIdentifier.isReminder(notice.identifier) {
      return DigestJSON.reminder(notice.dataJSON).map { $0.document().htmlBytes }
    }
    return morning(of: notice).map { html($0, access: []) }
  }

  /// - Parameter access: gate codes and contact data of the stops; pass them only for a sensitive sink.
  package static func html(_ digest: MorningDigest, access: [PoolAccess]) -> [UInt8] {
    digest.document(access: access, hasSentences: false).htmlBytes
  }

  /// The digest of a route notice, decoded from its data; nil for other notices.
  package static func morning(of notice: Notice) -> MorningDigest? {
    NoticeIdentifier.isRoute(notice.identifier) ? DigestJSON.morning(notice.dataJSON) : nil
  }
}

extension MorningDigest: PagedDigest {
  package var page: [UInt8] { NoticePage.html(self, access: []) }
}
