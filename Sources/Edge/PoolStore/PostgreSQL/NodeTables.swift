import PoolModel

/// What several daemons of one database write down for each other. No record stands in it: whoever is alone with a store has none
/// of these tables, and a copy of the store takes none along.
enum NodeTables {
  /// epoch: whose life works a share; 0 where who had it has handed it over.
  static let shares = "node_shares"
  /// A share that a life wants to have for a change that it was asked for.
  static let wishes = "node_wishes"
  /// Nodes that are to take nothing.
  static let drained = "node_drained"
  /// The word of each process's newest transaction, as `engine.last_commit` of a daemon that is alone.
  static let words = "node_words"
  /// Counts changes that concern teams of other nodes.
  static let news = "node_news"

  /// What each life of a daemon is called.
  static let lives = "node_lives"
  /// Shares of a life that ended without a word, and which life took them up, and when.
  static let takeovers = "node_takeovers"
  /// The secret names of published pages; owner: `office`, or a technician's number. A row of nobody says that they are kept here.
  static let pages = "node_pages"

  /// What the server calls out to all nodes that listen where something stands in these tables, or has become free, that they
  /// should look at.
  static let channel = "poolflow_nodes"

  static let all = [shares, wishes, drained, words, news, lives, takeovers, pages]

  // Places of locks that last as long as a transaction, above those of the shares.
  static let making = Int32.max
  static let telling = Int32.max - 1

  /// Made by the first node that comes.
  static func prepare(_ session: PostgresSession) throws(StoreError) {
    guard try session.ask("SELECT to_regclass('\(PostgresSchema.name).\(pages)')") == nil else { return }
    try session.execute(
      """
      BEGIN;
      SELECT pg_advisory_xact_lock(\(Schema.applicationID), \(making));
      CREATE TABLE IF NOT EXISTS \(shares) (share bigint PRIMARY KEY, epoch bigint NOT NULL);
      INSERT INTO \(shares) SELECT share, 0 FROM generate_series(0, \(ShareSet.count - 1)) AS all_of (share)
      ON CONFLICT DO NOTHING;
      CREATE TABLE IF NOT EXISTS \(wishes) (
        share bigint NOT NULL, epoch bigint NOT NULL, at timestamptz NOT NULL, PRIMARY KEY (share, epoch));
      CREATE TABLE IF NOT EXISTS \(drained) (name text PRIMARY KEY);
      CREATE TABLE IF NOT EXISTS \(words) (mark text PRIMARY KEY, last_commit text NOT NULL, at timestamptz NOT NULL);
      CREATE TABLE IF NOT EXISTS \(news) (only_row bigint PRIMARY KEY CHECK (only_row = 1), number bigint NOT NULL);
      INSERT INTO \(news) VALUES (1, 0) ON CONFLICT DO NOTHING;
      CREATE TABLE IF NOT EXISTS \(lives) (epoch bigint PRIMARY KEY, name text NOT NULL);
      CREATE TABLE IF NOT EXISTS \(takeovers) (
        at_ms bigint NOT NULL, share bigint NOT NULL, epoch bigint NOT NULL, by_epoch bigint NOT NULL,
        PRIMARY KEY (share, at_ms, epoch));
      CREATE TABLE IF NOT EXISTS \(pages) (
        team_id bigint NOT NULL, owner text NOT NULL, name text NOT NULL, PRIMARY KEY (team_id, owner));
      COMMIT
      """, operation: "make the tables of several nodes")
  }
}
