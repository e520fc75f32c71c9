import PoolModel

/// Whose fault a refusal is that may be the channel's as well as the message's, such as a 404 or a 530: decided by whether the
/// channel takes another message. A message is never judged by its own tries alone, and never judges the channel alone where
/// another one can be tried.
///
/// After a refusal others are tried, at most `Limits.postProbes` messages in a round; then the channel rests.
struct RefusalEvidence: Sendable {
  private struct Suspect: Sendable {
    /// How many others the channel had taken when it first refused this one.
    let takenBefore: Int
    /// Grows with each refusal of the channel.
    var lastRefusal: Int
  }

  /// By the id of a delivery.
  private var suspects: [String: Suspect] = [:]
  private var refusals = 0
  /// What was refused in this round.
  private var round: Set<String> = []
  /// How many messages the channel has taken.
  private var taken = 0

  /// The channel refused something, and has taken nothing since.
  var isDoubted: Bool { !round.isEmpty }

  /// Enough messages were tried for this round.
  var isExhausted: Bool { round.count >= Limits.postProbes }

  /// It was refused, and not taken since.
  func isSuspect(_ id: String) -> Bool { suspects[id] != nil }

  /// A number that is larger the later it was refused last; nil for one that was not.
  func lastRefusal(of id: String) -> Int? { suspects[id]?.lastRefusal }

  /// It was refused in this round.
  func wasProbed(_ id: String) -> Bool { round.contains(id) }

  /// The channel took others after it had refused this one, and refuses no other now.
  func isFaultOf(_ id: String) -> Bool {
    guard let suspect = suspects[id] else { return false }
    return taken > suspect.takenBefore && round.subtracting([id]).isEmpty
  }

  mutating func refused(_ id: String) {
    refusals += 1
    suspects[id, default: Suspect(takenBefore: taken, lastRefusal: 0)].lastRefusal = refusals
    round.insert(id)
  }

  mutating func took(_ id: String) {
    taken += 1
    suspects[id] = nil
    round = []
  }

  mutating func beginRound() { round = [] }

  /// It has ended.
  mutating func forget(_ id: String) { suspects[id] = nil }
}
