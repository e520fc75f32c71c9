import PoolControl
import PoolModel
import PoolSettings
import PoolStore

/// Changes that are asked of one of several nodes: it gets the shares that they concern first, so that whoever works a team makes
/// all of its changes.
struct CallsOfMany: Sendable {
  let store: any NodeShares & Teams
  let hands: ShareHands
  let uploads: Uploads
  let settings: SettingsInForce
  let refusing: StoreRefusals

  func changing<Value>(
    by call: any ControlMethod, _ caller: Caller, _ body: () async throws -> Value
  ) async throws -> Value {
    let wanted = try await refusing { try await shares(of: call, caller) }
    let value = try await holding(wanted, body)
    // Of jobs that it gave other rules their owner was told with them; pages are written where the server's share is.
    if call.auditWords != nil, await isOthersToo(wanted) { try await store.tellOthers() }
    return value
  }

  private func isOthersToo(_ wanted: ShareSet) async -> Bool {
    if wanted.isEmpty { return true }
    guard !store.servesServer else { return false }
    return await settings.reading.settings.sinks.contains { $0.kind == .publish }
  }

  /// The same for what comes by another way than a call.
  func changing<Value>(team: TeamID, _ body: () async throws -> Value) async throws -> Value {
    try await holding(ShareSet(of: team), body)
  }

  /// The same for what one node does for all, where this is the one; else nothing is done.
  func ifServer(_ body: () async throws -> Void) async rethrows {
    guard await hands.pinIfHere(.ofServer) else { return }
    do {
      try await body()
      await hands.release(.ofServer)
    } catch {
      await hands.release(.ofServer)
      throw error
    }
  }

  private func holding<Value>(_ wanted: ShareSet, _ body: () async throws -> Value) async throws -> Value {
    if wanted.isEmpty { return try await body() }
    try await refusing { try await hands.hold(wanted) }
    do {
      let value = try await body()
      await hands.release(wanted)
      return value
    } catch {
      await hands.release(wanted)
      throw error
    }
  }

  /// What a call concerns: its team's share, the server's, all where it may be anybody's, and none for what is this machine's or makes
  /// something new.
  private func shares(of call: any ControlMethod, _ caller: Caller) async throws -> ShareSet {
    // One node publishes for all.
    if call is PublishCall.Rotate { return .ofServer }
    if let name = await call.namedTeam(in: uploads, caller) ?? Self.named(call) {
      // Who names none that there is, is told so by the call itself.
      do { return ShareSet(of: try await store.team(named: name).id) } catch StoreError.noSuchTeam { return .none }
    }
    return switch call {
    case is SchedulerCall.Run, is SchedulerCall.Pause, is SchedulerCall.Resume, is SchedulerCall.Skip,
      is OutboxCall.Test,
      is ImportCall.TakeInbox:
      .ofServer
    case is ImportCall.Open, is ImportCall.Piece, is ImportCall.Cancel, is DaemonCall.Reload,
      is DaemonCall.Drain, is DaemonCall.Undrain, is BackupCall.Create, is BackupCall.Verify, is BackupCall.Prune,
      is TeamsCall.Add:
      .none
    default: .all
    }
  }

  private static func named(_ call: any ControlMethod) -> String? {
    switch call {
    case let call as TeamsCall.Set: call.name
    case let call as TeamsCall.Plan: call.name
    case let call as TeamsCall.Clear: call.name
    case let call as TeamsCall.Rename: call.name
    case let call as TeamsCall.Remove: call.name
    default: nil
    }
  }
}
