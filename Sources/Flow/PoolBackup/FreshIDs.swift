import FoundationEssentials
import PoolModel

/// Identities of new pools that sort by day, then in the order in which they were made: version 7 of RFC 9562 (§5.7, with a
/// counter as of §6.2, method 1). Put into the store in this order, a thousand of them lie side by side in its indexes, those
/// of the routes as well.
///
/// Foundation's own opens /dev/urandom for each, which takes a quarter of the time a customers file does.
struct FreshIDs {
  private let milliseconds: UInt64
  /// What tells these identities from others of the same millisecond: to ask the kernel for each takes longer than to make
  /// a pool of a row.
  private let random: UInt64
  /// Of each day, Sunday first.
  private var counters: [UInt64] = Array(repeating: 0, count: 7)

  init(at now: Timestamp) {
    milliseconds = UInt64(clamping: now.milliseconds)
    random = UInt64.random(in: 0..<1 << 44)
  }

  mutating func next(on day: Weekday) -> UUID {
    // Three bits of the day and 27 that count.
    let counter = UInt64(day.rawValue) << 27 | counters[day.rawValue - 1]
    counters[day.rawValue - 1] += 1
    // 48 bits of time, the version, 12 bits of the counter; the variant, 18 more of the counter, 44 at random.
    let high = milliseconds << 16 | 0x7000 | counter >> 18
    let low = 1 << 63 | (counter & 0x3_FFFF) << 44 | random
    return UUIDText.uuid(high: high, low: low)
  }
}
