import FlowDelivery
import FlowModel
import FlowNotices
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// Notifies offices of deliveries that did not reach their technicians, once for each delivery.
struct LossReport: Sendable {
  let store: any Ledger & OutboxAdmin & People & Receipts & Teams
  let dispatcher: Dispatcher?
  let settings: EffectiveSettings
  let clock: any WallClock
  let log: DaemonLog

  /// Sends the notices that are due about losses not yet reported.
  func notify() async {
    do {
      let losses = try await store.unreportedLosses(limit: Limits.receiptsAtOnce)
      guard !losses.isEmpty else { return }
      let now = clock.now()
      let notified = try await store.lossReportTimes(to: Set(losses.map(\.team)))
      for losses in Self.due(losses, notified: notified, now: now) { try await notify(losses, now: now) }
    } catch {
      log.error("the offices could not be notified of missed notices: \(error); trying again within a minute")
    }
  }

  /// The losses to report now, by team. Losses are collected for `Limits.lossReportDelay` and reported together; an office gets
  /// at most one such notice every `Limits.lossReportInterval`.
  ///
  /// - Parameter notified: when each team last got such a notice.
  static func due(_ losses: [DeliveryLoss], notified: [TeamID: Timestamp], now: Timestamp) -> [[DeliveryLoss]] {
    let teams = Dictionary(grouping: losses, by: \.team).sorted { $0.key.number < $1.key.number }
    return teams.compactMap { team, losses in
      // A time in the future, after the clock was set back, does not count as recent.
      func isRecent(_ instant: Timestamp?, _ time: Duration) -> Bool {
        instant.map { $0 <= now && now.since($0) < time } ?? false
      }
      let isGathering = isRecent(losses.map(\.knownAt).min(), Limits.lossReportDelay)
      return isGathering || isRecent(notified[team], Limits.lossReportInterval) ? nil : losses
    }
  }

  private func notify(_ losses: [DeliveryLoss], now: Timestamp) async throws {
    guard let first = losses.first, let team = try await store.team(first.team) else { return }
    let routes = await settings.reading.settings.sinks.map(\.route)
    let office = try await store.person(.office(team.id))
    let names = try await store.names(of: Set(losses.compactMap { PersonKey($0.receipt.recipient) }))
    let known = losses.map { UndeliveredDigest.Loss($0.receipt, title: $0.title, names: names) }
    let digest = UndeliveredDigest(known, in: office?.language ?? team.language)
    var notice = Self.notice(digest, about: first, of: team, install: store.install, now: now)
    // An office without any channel cannot be notified: the operator gets the notice instead.
    if office?.person.channels.isEmpty ?? true || !routes.contains(where: { $0.takes(notice) }) {
      let english = UndeliveredDigest(known, in: .english)
      notice = OperatorNotice.peopleNotReached(team: team.name, lines: english.lines, count: losses.count)
        .notice(at: now, install: store.install)
    }
    let notified = try await store.notify(notice, of: losses, routes: routes, now: now)
    dispatcher?.wake(Set(notified))
  }

  /// The notice to the office; it belongs to the run of the first lost notice.
  static func notice(
    _ digest: UndeliveredDigest, about first: DeliveryLoss, of team: Team, install: String, now: Timestamp
  ) -> Notice {
    Notice(
      id: "\(first.slot.compact)-\(first.work)-\(first.job.number)-\(install)-undelivered-\(now.seconds)",
      teamID: team.id, teamName: team.name, jobID: first.job, job: first.work, slot: first.slot,
      identifier: PersonalNoticeIdentifier.undelivered, title: digest.title, body: digest.body, lines: digest.lines,
      dataJSON: "", lateness: .zero, createdAt: now, expiresAt: now.advanced(by: .hours(24)), severity: .warning,
      person: .office(team.id))
  }
}
