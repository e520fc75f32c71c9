import FlowModel
import FlowStore

/// Tables that the nodes of a cluster use to coordinate. They hold no team data: a single daemon has none of them, and a copy
/// of the store leaves them out.
enum NodeTables {
  /// The epoch that owns each partition; 0 if its owner has released it.
  static let partitions = "node_shares"
  /// Hand-off requests: partitions that an epoch needs for a change it was asked for.
  static let handoffRequests = "node_wishes"
  /// Drained nodes, which acquire no partitions.
  static let drained = "node_drained"
  /// Token of each process's newest transaction, like `engine.last_commit` of a single daemon.
  static let words = "node_words"
  /// Counter of changes that concern teams of other nodes.
  static let news = "node_news"

  /// Name of each epoch's node.
  static let epochs = "node_lives"
  /// Orphaned partitions: the epoch that ended without releasing them, the epoch that acquired them, and the time.
  static let takeovers = "node_takeovers"
  /// Secret names of published pages. `owner` is `office` or a technician's number. A row for team 0 marks that the names are
  /// kept here.
  static let pages = "node_pages"

  /// Notification channel: signals that a row in these tables changed or a partition became free.
  static let channel = "poolflow_nodes"

  static let all = [partitions, handoffRequests, drained, words, news, epochs, takeovers, pages]

  // Keys of transaction-level advisory locks, above those of the partitions.
  static let making = Int32.max
  static let telling = Int32.max - 1

  /// Creates the tables, unless an earlier node has done so.
  static func prepare(_ session: PostgresSession) throws(StoreError) {
    guard try session.ask("SELECT to_regclass('\(PostgresSchema.name).\(pages)')") == nil else { return }
    try session.execute(
      """
      BEGIN;
      SELECT pg_advisory_xact_lock(\(Schema.applicationID), \(making));
      CREATE TABLE IF NOT EXISTS \(partitions) (share bigint PRIMARY KEY, epoch bigint NOT NULL);
      INSERT INTO \(partitions) SELECT share, 0 FROM generate_series(0, \(PartitionSet.count - 1)) AS all_of (share)
      ON CONFLICT DO NOTHING;
      CREATE TABLE IF NOT EXISTS \(handoffRequests) (
        share bigint NOT NULL, epoch bigint NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (share, epoch));
      CREATE TABLE IF NOT EXISTS \(drained) (name text PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS \(words) (mark text PRIMARY KEY, last_commit text NOT NULL, at timestamptz NOT NULL);
      CREATE TABLE IF NOT EXISTS \(news) (only_row bigint PRIMARY KEY CHECK (only_row = 1), number bigint NOT NULL);
      INSERT INTO \(news) VALUES (1, 0) ON CONFLICT DO NOTHING;
      CREATE TABLE IF NOT EXISTS \(epochs) (epoch bigint PRIMARY KEY, name text NOT NULL);
      CREATE TABLE IF NOT EXISTS \(takeovers) (
        at_ms bigint NOT NULL, share bigint NOT NULL, epoch bigint NOT NULL, by_epoch bigint NOT NULL,
        PRIMARY KEY (share, at_ms, epoch));
      CREATE TABLE IF NOT EXISTS \(pages) (
        team_id bigint NOT NULL, owner text NOT NULL, name text NOT NULL, PRIMARY KEY (team_id, owner));
      COMMIT
      """, operation: "make the tables of several nodes")
  }
}
