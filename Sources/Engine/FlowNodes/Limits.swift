package import FlowModel

extension Limits {
  /// A partition is acquired once it has had no owner for this long; a node that only lost its session reconnects within that
  /// time.
  static let unownedPartitionWait: Duration = .milliseconds(300)
  /// Partitions are rebalanced once the set of nodes has not changed for this long, so that a node that joins and leaves at
  /// once moves none.
  static let rebalanceDelay: Duration = .seconds(2)
  /// Maximum partitions that a node hands off in one tick of rebalancing.
  static let partitionsPerHandoff = 16
  /// A node that starts is ready once it has planned about this many teams; the rest follows in portions of
  /// `teamsPlannedAtOnce`. Nodes that start together divide the teams meanwhile, and due jobs of planned teams start at once.
  static let teamsPlannedBeforeReady = 10_000
  /// Maximum teams planned in one portion after the start; a call waits for at most one portion.
  static let teamsPlannedAtOnce = 5_000
  /// The time limit for running work of a partition before its hand-off; heavy work continues on the old node.
  static let handoffDrainTime: Duration = .seconds(3)
  /// The time that a call that changes data waits for partitions of other nodes.
  static let partitionWait: Duration = .seconds(5)
  /// The time for which a partition acquired for a call stays on this node; the next call is often about the same team.
  static let partitionStickyTime: Duration = .seconds(30)
  /// Maximum recent events kept for new subscribers.
  static let eventsRemembered = 200
  /// Maximum events buffered for a slow subscriber.
  static let eventsBuffered = 4_096
  /// Maximum events of one tick that are broadcast to other nodes; of older ones only the number is broadcast.
  package static let eventsBroadcast = 500
}
