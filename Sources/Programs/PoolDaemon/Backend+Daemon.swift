import PoolControl
import PoolDelivery
import PoolModel
import PoolNotices
import PoolPlatform
import PoolSettings
import PoolStore

extension Backend {
  func settings(_ call: DaemonCall.Settings, _ caller: Caller) async throws -> DaemonCall.Settings.Reply {
    let reading = await settings.reading
    return DaemonCall.Settings.Reply(
      path: await settings.path, files: reading.files, loadedAt: await settings.loadedAt.description,
      values: await settings.values.map {
        SettingView(section: $0.section, key: $0.key, value: $0.value, origin: $0.origin)
      })
  }

  func reload(_ call: DaemonCall.Reload, _ caller: Caller) async throws -> DaemonCall.Reload.Reply {
    let sinksBefore = Set(await settings.reading.settings.sinks.map(\.name))
    let loadedAt = await settings.loadedAt
    let differences: [SettingsDifference]
    do {
      differences = try await settings.reload(at: clock.now())
    } catch let refusal as SettingsInForce.Refusal {
      throw ControlError(.busy, "\(refusal)")
    } catch {
      log.tell(
        .settingsRefused, .warning,
        "a reload by \(caller.words) was refused; the settings of \(loadedAt) stay in force",
        [("POOLFLOW_CALLER_UID", String(caller.uid))])
      throw ControlError.badSettings(
        "the settings on disk cannot be used; the daemon keeps those it loaded at \(local(loadedAt, zone: "UTC"))",
        problems: "\(error)")
    }
    log.tell(
      .settingsTaken, .notice, "settings read again by \(caller.words)", [("POOLFLOW_CALLER_UID", String(caller.uid))])
    let words = differences.isEmpty ? "nothing has changed" : differences.map(\.words).joined(separator: "; ")
    events.publish(.settings(words), at: clock.now())
    for difference in differences { log.notice("settings: \(difference.words)") }
    let reading = await settings.reading
    return DaemonCall.Reload.Reply(
      files: reading.files,
      changes: differences.map {
        SettingDifferenceView(
          section: $0.section, key: $0.key, before: $0.before, after: $0.after, takesRestart: $0.takesRestart)
      },
      remarks: try await stranded(by: sinksBefore.subtracting(reading.settings.sinks.map(\.name))))
  }

  /// Notices that wait for sinks which are no longer there.
  private func stranded(by sinks: Set<String>) async throws -> [String] {
    var remarks: [String] = []
    for sink in sinks.sorted() {
      let waiting = try await store.outbox(OutboxQuery(sink: sink, state: .pending, limit: Limits.rowsPerAnswer)).count
      guard waiting > 0 else { continue }
      remarks.append("\(waiting) notices wait for the sink '\(sink)' until it is there again")
    }
    return remarks
  }
}
