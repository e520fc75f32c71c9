package import FlowNotices
import PoolDigests
import StableDigests

extension NoticeDetailTypes {
  /// The details of all trades' notices.
  package static let ofAllTrades = NoticeDetailTypes([PoolNoticeDetails.type(of:), BarnNoticeDetails.type(of:)])
}
