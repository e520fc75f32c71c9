import FlowModel

/// Decides whether a refusal is the fault of the message or of the channel, such as for a 404 or a 530, by whether the channel
/// accepts another message. A message's own tries never decide that it is at fault, nor that the channel is, if another message
/// can be tried.
///
/// After a refusal other messages are tried, at most `Limits.postRefusalsBeforePause` in a round; then the channel pauses.
struct RefusalEvidence: Sendable {
  /// A message that the channel has refused.
  private struct Suspect: Sendable {
    /// The number of messages accepted by the channel before it first refused this one.
    let acceptedBefore: Int
    /// The sequence number of its last refusal.
    var lastRefusal: Int
  }

  /// The refused messages by delivery id.
  private var suspects: [String: Suspect] = [:]
  private var refusals = 0
  /// The ids of the messages refused in this round.
  private var refusedThisRound: Set<String> = []
  /// The number of messages that the channel has accepted.
  private var acceptedCount = 0

  /// True if the channel has refused a message and accepted none since.
  var isDoubted: Bool { !refusedThisRound.isEmpty }

  /// True if enough messages were tried in this round.
  var isExhausted: Bool { refusedThisRound.count >= Limits.postRefusalsBeforePause }

  /// Whether the message was refused, and not accepted since.
  func isSuspect(_ id: String) -> Bool { suspects[id] != nil }

  /// Returns the sequence number of the message's last refusal; nil if it was not refused.
  func lastRefusal(of id: String) -> Int? { suspects[id]?.lastRefusal }

  /// Whether the message was refused in this round.
  func wasProbed(_ id: String) -> Bool { refusedThisRound.contains(id) }

  /// Whether the message is at fault: the channel has accepted others since it first refused this one, and refuses no other
  /// now.
  func isMessageAtFault(_ id: String) -> Bool {
    guard let suspect = suspects[id] else { return false }
    return acceptedCount > suspect.acceptedBefore && refusedThisRound.subtracting([id]).isEmpty
  }

  /// Records a refusal.
  mutating func refused(_ id: String) {
    refusals += 1
    suspects[id, default: Suspect(acceptedBefore: acceptedCount, lastRefusal: 0)].lastRefusal = refusals
    refusedThisRound.insert(id)
  }

  /// Records that the channel accepted a message, which ends the round.
  mutating func accepted(_ id: String) {
    acceptedCount += 1
    suspects[id] = nil
    refusedThisRound = []
  }

  mutating func beginRound() { refusedThisRound = [] }

  /// Drops the record of a delivery that has ended.
  mutating func forget(_ id: String) { suspects[id] = nil }
}
