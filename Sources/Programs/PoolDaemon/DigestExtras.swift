import PoolDelivery
import PoolDigests
import PoolModel
import PoolNotices
import PoolStore

/// A digest's page, and what opens a gate and rings a telephone: no notice holds that, only the file of a sink that is set
/// to `Sensitive=yes`.
struct DigestExtras: NoticeExtrasSource {
  /// Nil for a sink that is not.
  let sensitive: (any Pools)?

  func extras(of notice: Notice) async throws -> NoticeExtras {
    guard let store = sensitive, let team = notice.teamID, let digest = NoticePage.morning(of: notice) else {
      return NoticeExtras(page: { NoticePage.html(notice) })
    }
    let pools = digest.sections.flatMap(\.stops).compactMap { PoolID($0.poolID) }
    let access = try await store.access(to: pools, team: team)
    return NoticeExtras(
      page: { NoticePage.html(digest, access: access) },
      sensitive: access.isEmpty ? nil : ("access", PoolAccess.text(access)))
  }
}
