import FlowModel

/// An offset and abbreviation used by a zone, such as EDT, four hours behind UTC.
struct ZoneType: Hashable, Sendable {
  /// Seconds east of UTC.
  let offset: Int
  let abbreviation: String
}

/// A change to type number `type` at `time` (seconds since 1970).
struct ZoneChange: Hashable, Sendable {
  let time: Int64
  let type: Int
}

/// A period with constant offset: the instants `start ..< end`.
struct ZoneSegment: Hashable, Sendable {
  let start: Int64
  let end: Int64
  /// Seconds east of UTC.
  let offset: Int64
  let type: Int
  /// First local time that no earlier segment shows; normally the segment's own start.
  var firstUnsharedLocal: Int64
  /// First local time that a later segment shows too; normally the segment's end.
  var firstSharedLocal: Int64

  var localStart: Int64 { start + offset }
  var localEnd: Int64 { end + offset }
  /// True if clocks show `local` within this segment.
  func contains(_ local: Int64) -> Bool { localStart <= local && local < localEnd }
}

/// All segments of a zone; a footer's rule is expanded up to `horizon`.
///
/// An offset lookup reads one entry of a table of half-year buckets and does one or two comparisons.
final class ZoneTable: Sendable {
  let types: [ZoneType]
  let segments: [ZoneSegment]
  let footer: PosixRule?
  private let buckets: [UInt16]

  /// 2201-01-01T00:00:00Z: rules end in 2199, and local times of 2200 end within 26 hours of UTC.
  static let horizon: Int64 = 7_289_654_400
  /// Substitutes for minus and plus infinity that leave space for adding offsets.
  static let beginning: Int64 = -(1 << 50)
  static let end: Int64 = 1 << 50
  /// Upper limit of the difference between two offsets: RFC 8536 allows -25 to +26 hours. Segments further apart never show the
  /// same local time.
  static let reach: Int64 = 3 * 86_400

  private static let bucketBase: Int64 = -(1 << 26)
  private static let bucketShift: Int64 = 24

  /// - Parameters:
  ///   - initial: index of the type before the first change.
  ///   - changes: ascending by time, with valid indices into `types`.
  init(types: [ZoneType], initial: Int, changes: [ZoneChange], footer: PosixRule?) {
    var types = types
    var all = changes
    if let footer {
      let last = changes.last?.time ?? Self.beginning
      let lastYear = CivilDate(daysSince1970: Int(floorDivide(max(last, -(1 << 33)), 86_400))).year
      let standard = Self.typeIndex(footer.standard, in: &types)
      let daylight = Self.typeIndex(footer.type(isDaylight: true), in: &types)
      for (time, isDaylight) in footer.changes(years: min(max(lastYear - 1, 1_900), 2_200)...2_200) where time > last {
        all.append(ZoneChange(time: time, type: isDaylight ? daylight : standard))
      }
      if all.isEmpty { all.append(ZoneChange(time: Self.beginning + 1, type: standard)) }
    }
    var segments: [ZoneSegment] = []
    segments.reserveCapacity(all.count + 1)
    var start = Self.beginning
    var type = initial
    for change in all where types[change.type] != types[type] && change.time > start && change.time < Self.end {
      segments.append(Self.segment(start, change.time, types[type].offset, type))
      start = change.time
      type = change.type
    }
    segments.append(Self.segment(start, Self.end, types[type].offset, type))
    Self.markOverlaps(&segments)
    self.types = types
    self.segments = segments
    self.footer = footer
    buckets = Self.makeBuckets(segments)
  }

  /// - Returns: the index of `type`, which is appended if missing.
  private static func typeIndex(_ type: ZoneType, in types: inout [ZoneType]) -> Int {
    if let index = types.firstIndex(of: type) { return index }
    types.append(type)
    return types.count - 1
  }

  private static func segment(_ start: Int64, _ end: Int64, _ offset: Int, _ type: Int) -> ZoneSegment {
    ZoneSegment(
      start: start, end: end, offset: Int64(offset), type: type, firstUnsharedLocal: .min, firstSharedLocal: .max)
  }

  /// Sets `firstUnsharedLocal` and `firstSharedLocal` of all segments.
  private static func markOverlaps(_ segments: inout [ZoneSegment]) {
    var latest = Int64.min
    for index in segments.indices {
      segments[index].firstUnsharedLocal = max(latest, segments[index].localStart)
      latest = max(latest, segments[index].localEnd)
    }
    var earliest = Int64.max
    for index in segments.indices.reversed() {
      segments[index].firstSharedLocal = min(earliest, segments[index].localEnd)
      earliest = min(earliest, segments[index].localStart)
    }
  }

  /// For each bucket, the index of the segment that contains its first instant.
  private static func makeBuckets(_ segments: [ZoneSegment]) -> [UInt16] {
    let count = Int((horizon - bucketBase) >> bucketShift) + 1
    var buckets: [UInt16] = []
    buckets.reserveCapacity(count)
    var index = 0
    for bucket in 0..<count {
      let time = bucketBase + Int64(bucket) << bucketShift
      while segments[index].end <= time { index += 1 }
      buckets.append(UInt16(clamping: index))
    }
    return buckets
  }

  /// Index of the segment that contains `time`.
  func index(at time: Int64) -> Int {
    guard time >= Self.bucketBase, time < Self.horizon else { return slowIndex(at: time) }
    var index = Int(buckets[Int((time &- Self.bucketBase) &>> Self.bucketShift)])
    while segments[index].end <= time { index &+= 1 }
    return index
  }

  /// `index(at:)` by binary search, for times outside the buckets.
  private func slowIndex(at time: Int64) -> Int {
    var low = 0
    var high = segments.count - 1
    while low < high {
      let middle = (low + high + 1) / 2
      if segments[middle].start <= time { low = middle } else { high = middle - 1 }
    }
    return low
  }

  /// Type at `time`; beyond the horizon, computed from the footer's rule.
  func type(at time: Int64) -> ZoneType {
    if time >= Self.horizon, time < Self.end, let footer {
      let year = CivilDate(daysSince1970: Int(time / 86_400)).year
      var type = footer.standard
      for (change, isDaylight) in footer.changes(years: year - 1...year + 1) where change <= time {
        type = footer.type(isDaylight: isDaylight)
      }
      return type
    }
    return types[segments[index(at: time)].type]
  }

  /// Indices of all segments that could show the local time `local`, possibly some more.
  func segments(around local: Int64) -> ClosedRange<Int> {
    let low = min(max(local, Self.beginning + Self.reach), Self.end - Self.reach)
    return index(at: low - Self.reach)...index(at: low + Self.reach)
  }

  /// The local times skipped when segment `index` begins; nil if there is no gap.
  func gap(before index: Int) -> Range<Int64>? {
    guard index > 0, segments[index - 1].localEnd < segments[index].localStart else { return nil }
    return segments[index - 1].localEnd..<segments[index].localStart
  }

  func hasSameContent(as other: ZoneTable) -> Bool {
    types == other.types && segments == other.segments && footer == other.footer
  }
}

/// Division rounded towards minus infinity; `divisor` must be positive.
@inline(__always)
func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
  value >= 0 ? value / divisor : (value &- divisor &+ 1) / divisor
}
