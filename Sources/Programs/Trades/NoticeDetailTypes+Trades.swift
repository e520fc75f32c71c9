package import FlowNotices
import PoolDigests
import StableDigests  // Stables

extension NoticeDetailTypes {
  /// The details of all trades' notices.
  package static let ofAllTrades = NoticeDetailTypes([
    PoolNoticeDetails.type(of:),
    BarnNoticeDetails.type(of:),  // Stables
  ])
}
