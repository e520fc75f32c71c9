import FlowControl
import FlowModel
import FlowNotices
import FlowStore

/// The health of the senders behind the sinks, in the form that callers get.
struct SenderViews: Sendable {
  let reports: SenderReports
  let store: any Teams

  /// The present reports of all senders.
  ///
  /// - Parameter teams: names of all teams, to find unknown names in the senders' settings; nil to skip this check.
  /// - Returns: nil if no sender reports.
  func views(teams: Set<String>?) async -> [SenderView]? {
    let senders = await reports.read()
    return senders.isEmpty
      ? nil
      : senders.map { sender in
        SenderView(
          sink: sender.sink, state: sender.isSilent ? .silent : .ok, reportedAt: sender.report.at,
          channels: sender.report.channels.map(ChannelView.init),
          failures: sender.failures.map {
            SenderFailureView(about: $0.about, title: $0.title, detail: $0.words, since: $0.since)
          },
          warnings: teams.map { Self.warnings(sender.report.channels, teams: $0) } ?? [])
      }
  }

  func views() async throws -> [SenderView]? { await views(teams: Set(try await store.teams().map(\.name))) }

  /// Warnings about team names in the sender's settings that no team has.
  private static func warnings(_ channels: [SenderReport.Channel], teams: Set<String>) -> [String] {
    channels.flatMap { channel in
      (channel.teams ?? []).filter { !teams.contains($0) }.map {
        UnknownChannelTeam(name: $0, channel: channel.name).words(teams)
      }
    }
  }

  func findings() async throws -> [FindingView] {
    var findings: [FindingView] = []
    for sender in try await views() ?? [] {
      findings += sender.failures.map {
        FindingView("sender", $0.about.hasPrefix("team ") ? .warning : .error, "\($0.title): \($0.detail)")
      }
      findings += sender.warnings.map {
        FindingView("sender", .warning, $0, remedy: "change it in post.conf, then `systemctl reload poolflow-post`")
      }
      for channel in sender.channels where channel.state == .slow {
        findings.append(
          FindingView(
            "sender", .warning, "[Channel \(channel.name)] of sink '\(sender.sink)': \(channel.overdueText)",
            remedy: "`pfctl outbox list` shows for whom and why"))
      }
      if sender.failures.isEmpty {
        findings.append(
          FindingView(
            "sender", .ok, "poolflow-post of sink '\(sender.sink)' delivers, \(sender.channels.count) channels"))
      }
    }
    for (_, fault) in await reports.faults.sorted(by: { $0.key < $1.key }) {
      findings.append(
        FindingView(
          "sender", .warning, fault, remedy: "check its owner and mode; poolflow-post rewrites it by itself"))
    }
    return findings
  }
}

extension ChannelView {
  init(_ channel: SenderReport.Channel) {
    self.init(
      name: channel.name, kind: channel.kind, state: ChannelStateView(channel.health), waiting: channel.waiting,
      overdue: channel.overdue ?? 0, dueSince: channel.dueSince, lastDelivered: channel.lastDelivered,
      lastError: channel.lastError, lastErrorAt: channel.lastErrorAt, teams: channel.teams ?? [])
  }

  /// `3 messages are overdue: the mail server does not take it yet (450)`.
  var overdueText: String {
    let count = overdue == 1 ? "1 message is" : "\(overdue) messages are"
    return "\(count) overdue" + (lastError.map { ": \($0)" } ?? "")
  }
}

extension ChannelStateView {
  init(_ health: SenderReport.Health?) {
    self =
      switch health {
      case .ok, nil: .ok
      case .slow: .slow
      case .stuck: .stuck
      case .broken: .broken
      }
  }
}
