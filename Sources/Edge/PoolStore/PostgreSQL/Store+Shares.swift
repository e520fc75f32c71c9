package import PoolModel
import PoolWork
import Synchronization

/// What a daemon that is one of several of a database has of its teams.
package protocol NodeShares: Sendable {
  /// The shares that this daemon works; all where it is alone with its store.
  var shares: ShareSet { get }

  /// Takes those of these shares that nobody has. Whatever is done for a team or the server is from now on this daemon's.
  ///
  /// - Returns: what it got, and of which lives of daemons that ended without a word: their numbers, and when they were last heard of.
  func take(_ wanted: ShareSet) async throws -> (taken: ShareSet, lost: [(epoch: Int64, last: Timestamp)])

  /// The first of these shares, about so many teams of them: at least one share of any.
  func first(of wanted: ShareSet, teams: Int) async throws -> ShareSet

  /// Begins nothing more of these shares. What is claimed of them is to be settled, then they are to be given.
  func layDown(_ given: ShareSet) async throws

  /// How many runs of these shares this life has claimed and not settled.
  func claimed(of shares: ShareSet) async throws -> Int

  /// What was laid down and could not be given: nobody else can take it.
  func laidDownHere() async throws -> ShareSet

  /// Works on with what was laid down.
  func takeUp(_ kept: ShareSet) async throws

  /// Lets others take what was laid down.
  func give(_ given: ShareSet) async throws

  /// Says that this daemon wants to have these, or with none that it wants nothing more.
  func wish(for wanted: ShareSet) async throws

  /// Others forget what they know of their teams: something about them was changed here. Of jobs that have other rules their node is
  /// told by the transaction that changes them.
  func tellOthers() async throws

  /// What others have changed is no longer as it was when this daemon looked at it.
  func noteOthersChanges() async throws

  /// Whether a node is to take nothing, by its name.
  func drain(_ node: String, _ isDrained: Bool) async throws

  /// Which nodes took a team's share up, or the server's, between two instants, because the one that had it was gone without a word.
  func takeovers(of team: TeamID?, from: Timestamp, to: Timestamp) async throws -> [Takeover]

  /// The secret names of published pages, by owner: of one team or of all.
  func pageNames(of team: TeamID?) async throws -> [TeamID: [String: String]]

  /// Puts a team's names in the place of those it has.
  func putPageNames(_ names: [String: String], of team: TeamID) async throws

  /// - Parameters:
  ///   - team: nil for all of them.
  ///   - owner: nil for all of the team.
  func forgetPageNames(of team: TeamID?, owner: String?) async throws

  /// Takes these where no names have been kept for nodes yet.
  func adoptPageNames(_ names: [TeamID: [String: String]]) async throws

  /// Asks a server for nothing, so that a session which broke is begun anew, with what it has.
  ///
  /// - Throws: `takenOver` where another has any of it now.
  func keepHold() async throws
}

extension NodeShares {
  /// Whether this daemon does what one does for all: alone, or as the one of several nodes that has the server's share.
  package var servesServer: Bool { shares.isSuperset(of: .ofServer) }
}

extension Store {
  package func noticeIDsOfOthers(sink: String) throws -> Set<String> {
    guard connection.isOneOfMany else { return [] }
    return Set(
      try connection.rows(
        "SELECT notice_id FROM outbox WHERE sink = ? AND state IN ('pending', 'staged')", .text(sink)
      ) { row throws(StoreError) in row.text(0) })
  }
}

extension Store: NodeShares {
  package nonisolated var shares: ShareSet { held.withLock { $0 } }

  private var session: PostgresSession? {
    guard case .postgresql(let session) = connection.driver, session.server.node != nil else { return nil }
    return session
  }

  package func take(_ wanted: ShareSet) throws -> (taken: ShareSet, lost: [(epoch: Int64, last: Timestamp)]) {
    guard let session else { return (.none, []) }
    let (taken, lives) = try session.take(wanted, epoch: epoch)
    // What is laid down stays so until it is given or taken up.
    held.withLock { $0 = $0 + taken }
    // What was decided here of these teams was decided without what others have changed.
    if !taken.isEmpty { connection.changes.note(taken) }
    var lost: [(epoch: Int64, last: Timestamp)] = []
    // What cannot be asked now is not told of; the shares are ours all the same.
    for life in lives.sorted() where life != epoch {
      // Whoever finds it first ends it, so that one alone tells of it.
      let last = try? connection.rows(
        "UPDATE epochs SET ended_ms = seen_ms WHERE epoch = ? AND ended_ms IS NULL RETURNING seen_ms", .integer(life)
      ) { row throws(StoreError) in row.instant(0) }
      if let last = last?.first { lost.append((life, last)) }
    }
    return (taken, lost)
  }

  package func first(of wanted: ShareSet, teams: Int) throws -> ShareSet {
    let all = try connection.first("SELECT count(*) FROM teams") { row throws(StoreError) in row.number(0) } ?? 0
    return wanted.first(max(1, teams * ShareSet.count / max(1, all)))
  }

  package func layDown(_ given: ShareSet) throws {
    guard let session else { return }
    try session.lay(down: given, epoch: epoch)
    held.withLock { $0 = $0 - given }
  }

  package func claimed(of shares: ShareSet) throws -> Int {
    let teams = try connection.rows(
      "SELECT team_id FROM runs WHERE outcome IN ('running', 'waiting') AND outcome = 'running' AND epoch = ?",
      .integer(epoch)
    ) { row throws(StoreError) in row.optionalInteger(0).map { TeamID($0) } }
    return teams.count { shares.contains(team: $0) }
  }

  package func laidDownHere() -> ShareSet { session.map { $0.shares - shares } ?? .none }

  package func takeUp(_ kept: ShareSet) throws {
    guard let session else { return }
    try session.takeUp(kept, epoch: epoch)
    held.withLock { $0 = $0 + kept }
  }

  package func give(_ given: ShareSet) throws { try session?.give(given) }

  package func wish(for wanted: ShareSet) throws {
    guard let session else { return }
    let values = wanted.shares.map { "(\($0), \(epoch), now())" }.joined(separator: ", ")
    try session.execute(
      "DELETE FROM \(NodeTables.wishes) WHERE epoch = \(epoch)"
        + (values.isEmpty
          ? ""
          : "; INSERT INTO \(NodeTables.wishes) (share, epoch, at) VALUES \(values); NOTIFY \(NodeTables.channel)"),
      operation: "wish for shares")
  }

  package func tellOthers() throws { try session?.tellOthers(planning: .none) }

  package func noteOthersChanges() { connection.changes.note(nil) }

  package func drain(_ node: String, _ isDrained: Bool) throws {
    // A name has no sign that would have to be quoted.
    guard let session, NodeIdentity.isName(node) else { return }
    let change =
      isDrained
      ? "INSERT INTO \(NodeTables.drained) VALUES ('\(node)') ON CONFLICT DO NOTHING"
      : "DELETE FROM \(NodeTables.drained) WHERE name = '\(node)'"
    try session.execute("\(change); NOTIFY \(NodeTables.channel)", operation: "drain a node")
  }

  package func keepHold() throws {
    if case .postgresql(let session) = connection.driver { _ = try session.ask("SELECT 1") }
  }
}

extension Connection {
  /// A job has another rule: whoever works it plans it anew once this transaction holds.
  func notePlanned(_ team: TeamID?) {
    guard case .postgresql(let session) = driver, session.server.node != nil else { return }
    session.planned = session.planned + (ShareSet(share: ShareSet.share(of: team)) - session.shares)
  }

  /// Of several nodes each works only what it has: a condition for a column that names a team, which begins with AND; nothing where
  /// this daemon is alone with its store.
  ///
  /// The table says it, not what this process believes: what is laid down there is left alone from that moment on. An array of
  /// it is made once; a server that is to join it reads all teams' rows for each share.
  ///
  /// - Parameter shares: of these alone.
  func ours(_ team: String, of shares: ShareSet = .all) -> String {
    guard case .postgresql(let session) = driver, session.server.node != nil, let epoch = session.epoch else {
      return ""
    }
    let these =
      shares == .all ? "" : " AND share IN (\((shares.shares.map(String.init) + ["-1"]).joined(separator: ", ")))"
    return
      " AND coalesce(\(team), 0) % \(ShareSet.count) = ANY (ARRAY("
      + "SELECT share FROM \(NodeTables.shares) WHERE epoch = \(epoch)\(these)))"
  }

  /// A life of one of several daemons; others may begin at the same moment.
  func beginEpochAmongMany(now: Timestamp, version: String) throws(StoreError) -> Int64 {
    while true {
      let epoch = try rows(
        """
        INSERT INTO epochs (epoch, started_ms, seen_ms, version) SELECT coalesce(max(epoch), 0) + 1, ?1, ?1, ?2 FROM epochs
        ON CONFLICT (epoch) DO NOTHING RETURNING epoch
        """, .at(now), .text(version)
      ) { row throws(StoreError) in row.integer(0) }
      guard let epoch = epoch.first else { continue }
      if case .postgresql(let session) = driver, let node = session.server.node {
        try run("INSERT INTO \(NodeTables.lives) (epoch, name) VALUES (?, ?)", .integer(epoch), .text(node.name))
      }
      return epoch
    }
  }

  /// Where there are several daemons, the times between two lives are those in which none lived. One that lives says so once a minute.
  func absencesOfMany(since: Timestamp, limit: Int) throws(StoreError) -> [Absence] {
    let found = try rows(
      """
      SELECT kind, from_ms, to_ms FROM (
        SELECT kind, from_ms, to_ms FROM absences
        UNION ALL
        SELECT 'stopped', gaps.last_ms, gaps.started_ms FROM (
          SELECT epochs.started_ms, (SELECT max(coalesce(earlier.ended_ms, earlier.seen_ms + 90000)) FROM epochs AS earlier
            WHERE earlier.started_ms < epochs.started_ms) AS last_ms FROM epochs) AS gaps
        WHERE gaps.started_ms > gaps.last_ms
      ) AS away WHERE to_ms >= ?1 ORDER BY to_ms DESC, from_ms DESC LIMIT ?2
      """, .at(since), .integer(limit)
    ) { row throws(StoreError) in
      Absence(kind: try row.word(0, table: "absences", name: "kind"), from: row.instant(1), to: row.instant(2))
    }
    return found.reversed()
  }

  /// Has the transaction at hand to itself among the nodes that ask for the same place; where there are none it has that anyway.
  func lockAmongMany(_ place: Int32) throws(StoreError) {
    guard case .postgresql(let session) = driver, session.server.node != nil else { return }
    try session.execute(
      "SELECT pg_advisory_xact_lock(\(Schema.applicationID), \(place))", operation: "wait for other nodes")
  }

  /// Whether this is one of several daemons of its store.
  var isOneOfMany: Bool {
    guard case .postgresql(let session) = driver else { return false }
    return session.server.node != nil
  }

  /// Whether what belongs to no team is this daemon's.
  var servesServer: Bool {
    guard case .postgresql(let session) = driver, session.server.node != nil else { return true }
    return session.shares.contains(0)
  }
}
