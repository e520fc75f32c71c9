package import FlowModel
package import FlowWork

/// Records that nodes share, besides team data. A single daemon may read them, too.
package protocol NodeRecords: AnyObject {
  func takeovers(
    of team: TeamID?, from: Timestamp, to: Timestamp, on connection: Connection
  ) throws(StoreError) -> [Takeover]

  func pageNames(of team: TeamID?, on connection: Connection) throws(StoreError) -> [TeamID: [String: String]]

  /// Replaces a team's page names.
  func putPageNames(_ names: [String: String], of team: TeamID, on connection: Connection) throws(StoreError)

  func forgetPageNames(of team: TeamID?, owner: String?, on connection: Connection) throws(StoreError)

  /// Stores the names if no page names have been stored for nodes yet.
  func adoptPageNames(_ names: [TeamID: [String: String]], on connection: Connection) throws(StoreError)
}

/// The session of a node, which owns some partitions.
package protocol NodeSession: AnyObject {
  /// The partitions that this session has locked.
  var partitions: PartitionSet { get }

  /// Begins the next epoch of a node; repeats if another node took the number at the same moment.
  func beginEpoch(now: Timestamp, version: String, on connection: Connection) throws(StoreError) -> Int64

  /// Downtimes of a cluster: times in which no node's epoch was running.
  func downtimes(since: Timestamp, limit: Int, on connection: Connection) throws(StoreError) -> [Downtime]

  /// Acquires the free partitions among `wanted` and records this epoch as their owner.
  ///
  /// - Returns: the acquired partitions, and the epochs that owned them before.
  func take(_ wanted: PartitionSet, epoch: Int64) throws(StoreError) -> (taken: PartitionSet, epochs: Set<Int64>)

  /// Releases partitions: records that this epoch starts no more runs in them. Their locks stay held until `handOff`.
  func release(partitions given: PartitionSet, epoch: Int64) throws(StoreError)

  /// Takes back partitions that were released but not handed off.
  func acquire(_ kept: PartitionSet, epoch: Int64) throws(StoreError)

  /// Unlocks released partitions, so that other nodes can acquire them.
  func handOff(_ given: PartitionSet) throws(StoreError)

  /// Replaces this node's hand-off requests; an empty set withdraws them.
  func requestHandoff(for wanted: PartitionSet, epoch: Int64) throws(StoreError)

  /// Notifies other nodes that jobs of these partitions have new rules.
  func notifyOtherNodes(planning partitions: PartitionSet) throws(StoreError)

  /// Drains a node, so that it acquires no partitions, or ends the draining.
  func drain(_ node: String, _ isDrained: Bool) throws(StoreError)

  /// Notes that a job of this partition has a new rule; its node is notified when this transaction commits.
  func noteRuleChange(in partition: Int)

  /// A SQL condition that restricts rows to this node's partitions: begins with AND; empty before the node has an epoch.
  ///
  /// - Parameters:
  ///   - team: the column with the team's number.
  ///   - partitions: restricts the condition to these partitions.
  func ours(_ team: String, of partitions: PartitionSet) -> String

  /// Waits for and takes a lock that lasts as long as the current transaction, so that only one node sends operator notices.
  func lockOperatorNotices() throws(StoreError)
}
