import FlowControl
import FlowControlServer
import FlowDelivery
import FlowModel
import FlowNodes
import FlowNotices
import FlowPlatform
import FlowServices
import FlowSettings
import FlowStore

/// Answers `org.poolflow.Daemon`.
struct DaemonAnswers: DaemonService {
  let store: any ClusterPartitions & OutboxAdmin
  let settings: EffectiveSettings
  /// Nil during an inspection, when no daemon runs whose settings could change.
  let reload: (any SettingsReloader)?
  let audit: AuditTrail
  let zones: SystemZones
  let clock: any WallClock
  let events: EventBus
  let log: DaemonLog
  let doctorChecks: DoctorChecks
  let node: ClusterMember?

  func audit(_ call: DaemonCall.Audit, _ caller: Caller) async throws -> DaemonCall.Audit.Reply {
    try FieldValue.check(call.limit, in: 1...Limits.rowsPerAnswer, field: "limit")
    let start = try call.since.map { try zones.instant($0, team: nil, now: clock.now(), field: "since") }
    let zone = LocalZone.own
    let records = try await audit.entries(since: start, limit: call.limit)
    return DaemonCall.Audit.Reply(
      entries: records.map {
        AuditView(
          at: $0.at.description, local: zones.local($0.at, zone: zone), uid: Int($0.uid), user: $0.userName,
          command: $0.command, result: $0.result, finishedAt: $0.finishedAt?.description)
      })
  }

  func examine(_ call: DaemonCall.Examine, _ caller: Caller) async throws -> DaemonCall.Examine.Reply {
    DaemonCall.Examine.Reply(findings: await doctorChecks.findings())
  }

  func nodes(_ call: DaemonCall.Nodes, _ caller: Caller) -> DaemonCall.Nodes.Reply {
    let zone = LocalZone.own
    return DaemonCall.Nodes.Reply(
      own: node?.identity.name,
      nodes: (node?.known ?? []).map { node, part, shares in
        NodeView(
          name: node.name, part: part, version: node.version, since: node.since.description,
          local: zones.local(node.since, zone: zone), silentS: node.timeSinceHeartbeat.inSeconds,
          clockAheadS: node.clockAhead.inSeconds, address: node.address, shares: shares.count)
      })
  }

  func drain(_ call: DaemonCall.Drain, _ caller: Caller) async throws -> DaemonCall.Drain.Reply {
    try await checkIsKnown(call.name)
    guard
      (node?.known ?? []).contains(where: { $0.node.name != call.name && ($0.part == .serves || $0.part == .standby) })
    else {
      throw ControlError.badValue(
        field: "name", value: call.name, why: "no other node could acquire its partitions; stop its daemon instead")
    }
    try await setDrained(call.name, true)
    return DaemonCall.Drain.Reply(name: call.name)
  }

  func undrain(_ call: DaemonCall.Undrain, _ caller: Caller) async throws -> DaemonCall.Undrain.Reply {
    try await checkIsKnown(call.name)
    try await setDrained(call.name, false)
    return DaemonCall.Undrain.Reply(name: call.name)
  }

  /// Refuses a name that is neither a running nor a drained node.
  private func checkIsKnown(_ name: String) async throws {
    // Scan now: a node may have just started, and a drained node may be away.
    let names = await node?.names() ?? []
    guard !names.contains(name) else { return }
    throw ControlError.badValue(
      field: "name", value: name,
      why: names.isEmpty
        ? "this daemon uses its store alone: set Node = in its settings to run several nodes"
        : "this node does not exist; the nodes are \(names.joined(separator: ", "))")
  }

  private func setDrained(_ name: String, _ isDrained: Bool) async throws {
    try await audit.mappingErrors { try await store.drain(name, isDrained) }
  }

  func settings(_ call: DaemonCall.Settings, _ caller: Caller) async throws -> DaemonCall.Settings.Reply {
    let reading = await settings.reading
    return DaemonCall.Settings.Reply(
      path: await settings.path, files: reading.files, loadedAt: await settings.loadedAt.description,
      values: await settings.values)
  }

  func checkSettings(
    _ call: DaemonCall.CheckSettings, _ caller: Caller
  ) async throws -> DaemonCall.CheckSettings.Reply {
    guard let reload else { throw ControlError.notRunning }
    do {
      try await reload.check()
    } catch {
      throw ControlError.badSettings(
        "a reload would be refused; the effective settings are not changed", problems: "\(error)")
    }
    return DaemonCall.CheckSettings.Reply(path: await settings.path ?? "")
  }

  func reload(_ call: DaemonCall.Reload, _ caller: Caller) async throws -> DaemonCall.Reload.Reply {
    guard let reload else { throw ControlError.notRunning }
    let sinksBefore = Set(await settings.reading.settings.sinks.map(\.name))
    let loadedAt = await settings.loadedAt
    let differences: [SettingDifferenceView]
    do {
      differences = try await reload(at: clock.now())
    } catch let refusal as ReloadUnderWay {
      throw ControlError(.busy, "\(refusal)")
    } catch {
      log.report(
        .settingsRefused, .warning,
        "a reload by \(caller.words) was refused; the settings of \(loadedAt) stay effective",
        [("POOLFLOW_CALLER_UID", String(caller.uid))])
      throw ControlError.badSettings(
        "the settings on disk cannot be used; the daemon keeps those it loaded at \(zones.local(loadedAt, zone: "UTC"))",
        problems: "\(error)")
    }
    log.report(
      .settingsApplied, .notice, "settings read again by \(caller.words)", [("POOLFLOW_CALLER_UID", String(caller.uid))]
    )
    let words = differences.isEmpty ? "nothing has changed" : differences.map(\.words).joined(separator: "; ")
    events.publish(.settings(words), at: clock.now())
    for difference in differences { log.notice("settings: \(difference.words)") }
    let reading = await settings.reading
    return DaemonCall.Reload.Reply(
      files: reading.files,
      changes: differences,
      remarks: try await strandedNotices(by: sinksBefore.subtracting(reading.settings.sinks.map(\.name))))
  }

  /// Warnings about notices that wait for removed sinks.
  private func strandedNotices(by sinks: Set<String>) async throws -> [String] {
    var warnings: [String] = []
    for sink in sinks.sorted() {
      let waiting = try await store.outbox(OutboxQuery(sink: sink, state: .pending, limit: Limits.rowsPerAnswer)).count
      guard waiting > 0 else { continue }
      warnings.append("\(waiting) notices wait for the sink '\(sink)' until it is configured again")
    }
    return warnings
  }
}
