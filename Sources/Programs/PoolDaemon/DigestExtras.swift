import PoolDelivery
import PoolDigests
import PoolJobs
import PoolModel
import PoolNotices
import PoolStore
import PoolWork
import StableDigests
import PoolTrades

/// A digest's page, and what no notice holds, only the file of a sink that is set to `Sensitive=yes`: what opens a gate and
/// rings a telephone, and where whoever is told is reached.
struct DigestExtras: NoticeExtrasSource {
  /// Nil for a sink that is not.
  let sensitive: (any People & Pools)?
  let fresh: FreshDigests

  func extras(of notice: Notice) async throws -> NoticeExtras {
    guard let store = sensitive else { return NoticeExtras(page: { [fresh] in fresh.page(of: notice) }) }
    var members: [(key: String, json: String)] = []
    if let recipient = try await recipient(of: notice, in: store) { members.append(("recipient", recipient)) }
    guard let team = notice.teamID, let digest = fresh.digest(of: notice) else {
      return NoticeExtras(
        page: { [fresh] in fresh.page(of: notice) }, calendar: { BarnPage.calendar(notice) }, sensitive: members)
    }
    let pools = digest.sections.flatMap(\.stops).compactMap { PoolID($0.poolID) }
    let access = try await store.access(to: pools, team: team)
    if !access.isEmpty { members.append(("access", PoolAccess.text(access))) }
    let isOwn = notice.person != nil
    return NoticeExtras(
      page: { NoticePage.html(digest, access: access) },
      calendar: { isOwn ? Array(digest.calendar.utf8) : nil }, sensitive: members)
  }

  /// Nil where nobody is to be reached: the server's own news have no recipient, and an office none for what it does not
  /// want.
  private func recipient(of notice: Notice, in store: any People) async throws -> String? {
    guard let key = notice.person ?? notice.teamID.map({ .office($0) }) else { return nil }
    guard let known = try await store.person(key) else {
      // Somebody's own stays so when he has left meanwhile: without a recipient it would be for the whole team.
      return notice.person.map { KnownPerson(Person(key: $0, wants: [])).recipient }
    }
    if notice.person == nil {
      guard !known.person.channels.isEmpty else { return nil }
      if let wants = JobKind(rawValue: notice.job)?.decision?.wants, !wants.isEmpty,
        known.person.wants.isDisjoint(with: wants)
      {
        return nil
      }
    }
    return known.recipient
  }
}
