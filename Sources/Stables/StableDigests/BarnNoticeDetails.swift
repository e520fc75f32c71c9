package import FlowModel
package import FlowNotices

/// The types of the details of a stable's notices.
package enum BarnNoticeDetails {
  /// The type for a notice's identifier; nil for notices without details.
  package static func type(of identifier: String) -> (any NoticeDetails.Type)? {
    switch identifier {
    case BarnIdentifier.digest: BarnDigest.self
    case BarnIdentifier.week: BarnWeek.self
    default: nil
    }
  }
}

extension BarnDigest: NoticeDetails {
  package func document(access: [String: AccessData]) -> Document { document }
}

extension BarnWeek: NoticeDetails {
  package func document(access: [String: AccessData]) -> Document { document }
}
