/// The faults and actions that can occur in a simulated world.
enum Trouble: String, CaseIterable, Sendable {
  case restart, crash
  case smallStep = "small-step"
  case largeStep = "large-step"
  case glitch, suspension
  case wrongClock = "wrong-clock"
  case fullDisk = "full-disk"
  case powerCut = "power-cut"
  case writeFails = "write-fails"
  case shortWrite = "short-write"
  case noRoom = "no-room"
  case deadDisk = "dead-disk"
  case sinkFails = "sink-fails"
  case sinkDies = "sink-dies"
  case settings, choice, hold
  case barn  // Stables
  case byHand = "by-hand"
}

/// Pairs of faults within one day of one seed. Two faults that never met were never tested together.
struct Meetings {
  private struct Pair: Hashable {
    let first: Trouble
    let second: Trouble
  }

  private var counts: [Pair: Int] = [:]
  private var today: [Trouble: Int] = [:]

  mutating func add(_ trouble: Trouble) { today[trouble, default: 0] += 1 }

  mutating func endDay() {
    let all = Trouble.allCases.filter { today[$0] != nil }
    for (index, first) in all.enumerated() {
      // A fault that occurred twice also meets itself.
      if today[first, default: 0] > 1 { counts[Pair(first: first, second: first), default: 0] += 1 }
      for second in all[(index + 1)...] { counts[Pair(first: first, second: second), default: 0] += 1 }
    }
    today = [:]
  }

  mutating func merge(_ other: Meetings) { counts.merge(other.counts, uniquingKeysWith: +) }

  var met: Int { counts.count }
  static var possible: Int { Trouble.allCases.count * (Trouble.allCases.count + 1) / 2 }

  /// Pairs that never met.
  var never: [String] {
    Trouble.allCases.enumerated().flatMap { index, first in
      Trouble.allCases[index...].compactMap { second in
        counts[Pair(first: first, second: second)] == nil ? "\(first.rawValue)+\(second.rawValue)" : nil
      }
    }
  }

  /// The rarest pair that met.
  var rarest: String? {
    counts.min {
      ($0.value, $0.key.first.rawValue, $0.key.second.rawValue) < (
        $1.value, $1.key.first.rawValue, $1.key.second.rawValue
      )
    }
    .map { "\($0.key.first.rawValue)+\($0.key.second.rawValue), \($0.value) times" }
  }

  var words: String {
    let none = never
    return "\(met) of \(Self.possible) pairs of troubles met within a day"
      + (none.isEmpty ? "; the rarest was \(rarest ?? "none")" : "; never: \(none.joined(separator: " "))")
  }
}
