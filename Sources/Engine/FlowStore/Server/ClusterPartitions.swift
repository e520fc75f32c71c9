package import FlowModel
import FlowWork

/// The partitions of a daemon that is a node of a cluster.
package protocol ClusterPartitions: Sendable {
  /// The partitions that this daemon owns; all for a single daemon.
  var partitions: PartitionSet { get }

  /// Acquires the free partitions among `wanted`. From then on this daemon works for their teams, and for the server if
  /// partition 0 is among them.
  ///
  /// - Returns: the acquired partitions, and the dead epochs that owned any of them, with the time of their last heartbeat.
  func take(_ wanted: PartitionSet) async throws -> (taken: PartitionSet, lost: [(epoch: Int64, last: Timestamp)])

  /// A prefix of `wanted` with about `teams` teams; at least one partition if any is wanted.
  func first(of wanted: PartitionSet, teams: Int) async throws -> PartitionSet

  /// Releases partitions: starts no more runs in them. After the claimed runs are settled, the caller calls `handOff`.
  func releasePartitions(_ given: PartitionSet) async throws

  /// The number of runs in these partitions that this epoch has claimed and not settled.
  func claimed(of partitions: PartitionSet) async throws -> Int

  /// Partitions that were released but not handed off; no other node can acquire them.
  func releasedHere() async throws -> PartitionSet

  /// Takes back released partitions.
  func acquire(_ kept: PartitionSet) async throws

  /// Lets other nodes acquire released partitions.
  func handOff(_ given: PartitionSet) async throws

  /// Replaces this node's hand-off requests; an empty set withdraws them.
  func requestHandoff(for wanted: PartitionSet) async throws

  /// Makes other nodes drop cached facts of their teams, because something about them changed here. Changed job rules are
  /// broadcast by the transaction that changes them.
  func notifyOtherNodes() async throws

  /// Drops cached facts after another node has changed data.
  func dropCachedFacts() async throws

  /// Drains a node, so that it acquires no partitions, or ends the draining.
  func drain(_ node: String, _ isDrained: Bool) async throws

  /// Takeovers of the partition of a team (nil: the server) in a time range, each after its owner had died.
  func takeovers(of team: TeamID?, from: Timestamp, to: Timestamp) async throws -> [Takeover]

  /// Secret names of published pages, by team and owner.
  ///
  /// - Parameter team: nil for all teams.
  func pageNames(of team: TeamID?) async throws -> [TeamID: [String: String]]

  /// Replaces a team's page names.
  func putPageNames(_ names: [String: String], of team: TeamID) async throws

  /// Deletes page names.
  ///
  /// - Parameters:
  ///   - team: nil for all teams.
  ///   - owner: nil for all owners of the team.
  func forgetPageNames(of team: TeamID?, owner: String?) async throws

  /// Stores the names if no page names have been stored for nodes yet.
  func adoptPageNames(_ names: [TeamID: [String: String]]) async throws

  /// Queries the server once, so that a lost session is reopened with its locks.
  ///
  /// - Throws: `takenOver` if another node now owns one of its partitions.
  func verifyLocks() async throws
}

extension ClusterPartitions {
  /// True for a single daemon and for the node that owns partition 0, which does server-wide work.
  package var servesServer: Bool { partitions.isSuperset(of: .ofServer) }
}
