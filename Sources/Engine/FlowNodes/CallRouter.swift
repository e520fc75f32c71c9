package import FlowControl
package import FlowModel
package import FlowServices
import FlowSettings
package import FlowStore

/// Routes changes that reach one of several nodes: the node first acquires the partitions that a call concerns, so that the
/// owner of a team makes all of its changes.
package struct CallRouter: Sendable {
  let store: any ClusterPartitions & Teams
  let handoff: PartitionHandoff
  let uploads: Uploads
  let settings: EffectiveSettings
  let mappingErrors: StoreErrorMapper

  package init(
    store: any ClusterPartitions & Teams, handoff: PartitionHandoff, uploads: Uploads, settings: EffectiveSettings,
    mappingErrors: StoreErrorMapper
  ) {
    self.store = store
    self.handoff = handoff
    self.uploads = uploads
    self.settings = settings
    self.mappingErrors = mappingErrors
  }

  /// Runs `body` once this node owns the partitions that `call` concerns.
  package func changing<Value>(
    by call: any ControlMethod, _ caller: Caller, _ body: () async throws -> Value
  ) async throws -> Value {
    let wanted = try await mappingErrors { try await partitions(of: call, caller) }
    let value = try await whileOwning(wanted, body)
    // New rules of jobs already reached their owner with the transaction. Broadcast the change for the owner of partition 0,
    // which writes the published pages.
    if call.auditWords != nil, await concernsOtherNodes(wanted) { try await store.notifyOtherNodes() }
    return value
  }

  /// True if a change in these partitions must reach other nodes, too.
  private func concernsOtherNodes(_ wanted: PartitionSet) async -> Bool {
    if wanted.isEmpty { return true }
    guard !store.servesServer else { return false }
    return await settings.reading.settings.sinks.contains { $0.kind == .publish }
  }

  /// Runs `body` for a change that does not arrive as a call, once this node owns the team's partition.
  package func changing<Value>(team: TeamID, _ body: () async throws -> Value) async throws -> Value {
    try await whileOwning(PartitionSet(of: team), body)
  }

  /// Runs `body` only if this node owns partition 0, which does server-wide work.
  package func ifOwningServerWork(_ body: () async throws -> Void) async rethrows {
    guard await handoff.pinIfOwned(.ofServer) else { return }
    do {
      try await body()
      await handoff.release(.ofServer)
    } catch {
      await handoff.release(.ofServer)
      throw error
    }
  }

  /// Runs `body` while this node owns `wanted`.
  private func whileOwning<Value>(_ wanted: PartitionSet, _ body: () async throws -> Value) async throws -> Value {
    if wanted.isEmpty { return try await body() }
    try await mappingErrors { try await handoff.hold(wanted) }
    do {
      let value = try await body()
      await handoff.release(wanted)
      return value
    } catch {
      await handoff.release(wanted)
      throw error
    }
  }

  /// The partitions that a call concerns, as its interface declares them (`#@ partition: …`).
  private func partitions(of call: any ControlMethod, _ caller: Caller) async throws -> PartitionSet {
    var partition = call.partition
    if case .teamOfUpload(let id, let otherwise) = partition {
      let upload = try? await uploads.finished(id, connection: caller.connection)
      partition = upload.map { .team($0.team) } ?? otherwise
    }
    switch partition {
    case .team(let name):
      // An unknown name concerns no partition; the call itself refuses it.
      do { return PartitionSet(of: try await store.team(named: name).id) } catch StoreError.noSuchTeam { return .none }
    case .server: return .ofServer
    case .all: return .all
    case .teamOfUpload, .none: return .none
    }
  }
}
