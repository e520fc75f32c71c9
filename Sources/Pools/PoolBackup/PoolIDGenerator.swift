import FlowModel
import FoundationEssentials

/// Makes ids for new pools that sort by weekday and then by creation: version 7 of RFC 9562 (§5.7, with a counter as of §6.2,
/// method 1). Pools inserted in this order are adjacent in the store's indexes, including those of the routes.
///
/// `UUID()` of Foundation opens /dev/urandom for each id, which would take a quarter of the time of a customers file's import.
struct PoolIDGenerator {
  private let milliseconds: UInt64
  /// Distinguishes these ids from other ids of the same millisecond. It is drawn once, because a system call per id takes
  /// longer than creating a pool from a row.
  private let random: UInt64
  /// The counters by weekday, Sunday first.
  private var counters: [UInt64] = Array(repeating: 0, count: 7)

  init(at now: Timestamp) {
    milliseconds = UInt64(clamping: now.milliseconds)
    random = UInt64.random(in: 0..<1 << 44)
  }

  /// Returns the next id for a pool that is served on this weekday.
  mutating func next(on day: Weekday) -> UUID {
    // Three bits for the weekday and 27 for the counter.
    let counter = UInt64(day.rawValue) << 27 | counters[day.rawValue - 1]
    counters[day.rawValue - 1] += 1
    // 48 bits of time, the version, 12 bits of the counter; the variant, 18 more bits of the counter, 44 random bits.
    let high = milliseconds << 16 | 0x7000 | counter >> 18
    let low = 1 << 63 | (counter & 0x3_FFFF) << 44 | random
    return UUIDText.uuid(high: high, low: low)
  }
}
