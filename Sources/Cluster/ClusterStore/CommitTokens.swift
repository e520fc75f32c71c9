/// Tokens of a session's transactions. Each writing transaction stores its token, so that after a broken COMMIT the token in the
/// database shows whether the transaction was committed.
struct CommitTokens {
  /// Token of the current transaction: `random` and the transaction's number.
  private(set) var current = ""
  private let random = UInt64.random(in: 0 ... .max)
  private var number = 0
  /// Token of a COMMIT whose result is unknown.
  private var uncertain: String?
  /// The database's token, read after an uncertain COMMIT.
  private var stored: String?
  /// Number of commits that succeeded although the connection broke; read after reconnecting.
  private var lateCommits = 0

  /// Makes the token of the next transaction.
  mutating func beginTransaction() {
    number += 1
    current = "\(random)-\(number)"
  }

  /// True if the result of a COMMIT is unknown.
  var hasUncertainCommit: Bool { uncertain != nil }

  /// Notes that the connection broke during the current transaction's COMMIT.
  mutating func noteUncertainCommit() { uncertain = current }

  /// Notes the database's token, after reconnecting.
  mutating func resolve(_ stored: String?) {
    self.stored = stored
    if stored == uncertain { lateCommits += 1 }
    uncertain = nil
  }

  /// True, once, if the current transaction was committed although the connection broke.
  mutating func takeLateCommit() -> Bool {
    guard lateCommits > 0, stored == current else { return false }
    lateCommits -= 1
    return true
  }
}
