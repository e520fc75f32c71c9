import FlowModel

/// Finds a rule's instants by walking the segments of its zone.
///
/// A segment has a constant offset, so it is a contiguous range of local times. An interval rule fires at every local time it
/// names in every segment, which follows elapsed time. A clock-time rule fires once per local time: if two segments show it,
/// the policy chooses; if none does, it moves to the start of the segment after the gap.
final class CompiledRule: Sendable {
  let expression: CalendarExpression
  let zone: Zone
  let policy: DaylightPolicy
  private let matcher: RuleMatcher
  private let table: ZoneTable
  private let isInterval: Bool
  private let movesOutOfGaps: Bool

  /// Search limits in seconds, a day before 1970 and a day after 2199 in any zone: no rule has an instant outside.
  private static let earliest: Int64 = -2 * 86_400
  private static let latest: Int64 = 7_258_118_400 + 2 * 86_400

  init(_ expression: CalendarExpression, _ zone: Zone, _ policy: DaylightPolicy) {
    self.expression = expression
    self.zone = zone
    self.policy = policy
    let parts = expression.parts
    matcher = RuleMatcher(parts)
    table = zone.table
    isInterval = expression.isInterval
    movesOutOfGaps = !expression.isInterval && policy.gap == .after
  }

  /// The first local time that the expression names in `from ..< end`, even if clocks skip it; nil if there is none.
  func firstNamedLocal(from: Int64, before end: Int64) -> Int64? {
    let match = matcher.next(atOrAfter: from)
    return match < end ? match : nil
  }

  // MARK: Forward

  /// The first occurrence at or after `seconds`, or nil.
  func next(atOrAfter seconds: Int64) -> Occurrence? {
    let start = max(seconds, Self.earliest)
    guard start <= Self.latest else { return nil }
    var index = table.index(at: start)
    let local = start &+ table.segments[index].offset
    if start == table.segments[index].start, movesOutOfGaps, let moved = moved(to: index) { return moved }
    // Invariant: the rule names no local time in searchedFrom ..< match; the search began at the instant `origin`.
    var searchedFrom = local
    var origin = start
    var match = matcher.next(atOrAfter: local)
    while true {
      let segment = table.segments[index]
      if match < segment.localEnd {
        if match >= segment.firstUnsharedLocal, match < segment.firstSharedLocal {
          return Occurrence(segment, match, .plain)
        }
        if let occurrence = foldedOccurrence(index, match) { return occurrence }
        searchedFrom = afterFold(index, match)
        // The next segments show these local times again, so none may be skipped.
        origin = segment.end
        match = matcher.next(atOrAfter: searchedFrom)
        if match < segment.localEnd { continue }
      }
      guard segment.end <= Self.latest else { return nil }
      index &+= 1
      var following = table.segments[index]
      if match >= following.localStart, following.start &- origin > ZoneTable.reach {
        // The rule names nothing before `match`, so skip the segments up to it.
        guard match != .max else { return nil }
        index = max(index, table.index(at: match &- ZoneTable.reach))
        following = table.segments[index]
      }
      if match < following.localStart {
        if movesOutOfGaps, let moved = moved(to: index) { return moved }
        searchedFrom = following.localStart
        origin = following.start
        match = matcher.next(atOrAfter: searchedFrom)
      } else if following.localStart < searchedFrom {
        searchedFrom = following.localStart
        origin = following.start
        match = matcher.next(atOrAfter: searchedFrom)
      }
    }
  }

  // MARK: Backward

  /// The last occurrence at or before `seconds`, or nil.
  func previous(atOrBefore seconds: Int64) -> Occurrence? {
    let start = min(seconds, Self.latest)
    guard start >= Self.earliest else { return nil }
    var index = table.index(at: start)
    var searchedFrom = start &+ table.segments[index].offset
    var origin = start
    // Invariant: the rule names no local time after `match` up to `searchedFrom`; the search began at the instant `origin`.
    var match = matcher.previous(atOrBefore: searchedFrom)
    while true {
      let segment = table.segments[index]
      if match >= segment.localStart {
        if match >= segment.firstUnsharedLocal, match < segment.firstSharedLocal {
          return Occurrence(segment, match, .plain)
        }
        if let occurrence = foldedOccurrence(index, match) { return occurrence }
        searchedFrom = beforeFold(index, match)
        // The previous segments show these local times too, so none may be skipped.
        origin = segment.start
        match = matcher.previous(atOrBefore: searchedFrom)
        if match >= segment.localStart { continue }
      }
      guard segment.start >= Self.earliest, index > 0 else { return nil }
      if movesOutOfGaps, let moved = moved(to: index) { return moved }
      index &-= 1
      var preceding = table.segments[index]
      if match < preceding.localEnd, origin &- preceding.end > ZoneTable.reach {
        guard match != .min else { return nil }
        let nearer = table.index(at: match &+ ZoneTable.reach)
        if nearer < index {
          index = nearer
          preceding = table.segments[index]
        }
      }
      if match >= preceding.localEnd || searchedFrom < preceding.localEnd &- 1 {
        searchedFrom = preceding.localEnd &- 1
        origin = preceding.end
        match = matcher.previous(atOrBefore: searchedFrom)
      }
    }
  }

  // MARK: Where clocks change

  /// The occurrence that a gap before segment `index` moves to the segment's first instant; nil if there is none or the rule
  /// fires at that instant anyway. A local time in two gaps moves to the end of the first.
  private func moved(to index: Int) -> Occurrence? {
    guard let gap = table.gap(before: index) else { return nil }
    let segment = table.segments[index]
    var match = matcher.next(atOrAfter: gap.lowerBound)
    while match < gap.upperBound {
      if !isShown(match, near: index), !isInEarlierGap(match, before: index) {
        guard !fires(segment.localStart, in: index) else { return nil }
        return Occurrence(
          instant: Timestamp(seconds: segment.start), nominal: LocalDateTime(secondsAsIfUTC: match), event: .movedByGap)
      }
      match = matcher.next(atOrAfter: match &+ 1)
    }
    return nil
  }

  /// True if the rule names `local` and fires for it in segment `index`.
  private func fires(_ local: Int64, in index: Int) -> Bool {
    guard matcher.matches(local) else { return false }
    let segment = table.segments[index]
    return local >= segment.firstUnsharedLocal && local < segment.firstSharedLocal
      || foldedOccurrence(index, local) != nil
  }

  /// The occurrence at a local time of segment `index` that other segments may show too; nil if the policy assigns it to
  /// another segment.
  private func foldedOccurrence(_ index: Int, _ local: Int64) -> Occurrence? {
    let isEarlier = isShown(local, near: index, before: true)
    let isLater = isShown(local, near: index, before: false)
    let segment = table.segments[index]
    guard isEarlier || isLater else { return Occurrence(segment, local, .plain) }
    if !isInterval {
      switch policy.fold {
      case .first: if isEarlier { return nil }
      case .second: if isLater { return nil }
      case .both: break
      }
    }
    return Occurrence(segment, local, isEarlier ? .secondPass : .firstPass)
  }

  /// Local time at which the search continues after a match that the policy assigned to another pass. Only a simple overlap of
  /// two adjacent segments is skipped as a whole.
  private func afterFold(_ index: Int, _ local: Int64) -> Int64 {
    let segment = table.segments[index]
    if policy.fold == .first, index > 0, local < segment.firstUnsharedLocal {
      let before = table.segments[index - 1]
      if before.localEnd == segment.firstUnsharedLocal, before.localStart <= segment.localStart {
        return segment.firstUnsharedLocal
      }
    }
    if policy.fold == .second, index + 1 < table.segments.count, local >= segment.firstSharedLocal {
      let after = table.segments[index + 1]
      if after.localStart == segment.firstSharedLocal, after.localEnd >= segment.localEnd { return segment.localEnd }
    }
    return local &+ 1
  }

  /// The counterpart of `afterFold` for a backward search.
  private func beforeFold(_ index: Int, _ local: Int64) -> Int64 {
    let segment = table.segments[index]
    if policy.fold == .first, index > 0, local < segment.firstUnsharedLocal {
      let before = table.segments[index - 1]
      if before.localEnd == segment.firstUnsharedLocal, before.localStart <= segment.localStart {
        return segment.localStart &- 1
      }
    }
    if policy.fold == .second, index + 1 < table.segments.count, local >= segment.firstSharedLocal {
      let after = table.segments[index + 1]
      if after.localStart == segment.firstSharedLocal, after.localEnd >= segment.localEnd {
        return segment.firstSharedLocal &- 1
      }
    }
    return local &- 1
  }

  /// True if a gap earlier than the one before segment `index` contains `local`.
  private func isInEarlierGap(_ local: Int64, before index: Int) -> Bool {
    var later = index - 1
    while later > 0, table.segments[later].start >= local &- ZoneTable.reach {
      if let gap = table.gap(before: later), gap.contains(local) { return true }
      later -= 1
    }
    return false
  }

  /// True if any segment shows `local`.
  private func isShown(_ local: Int64, near index: Int) -> Bool {
    table.segments[index].contains(local) || isShown(local, near: index, before: true)
      || isShown(local, near: index, before: false)
  }

  /// True if a segment before (or after) segment `index` shows `local`.
  private func isShown(_ local: Int64, near index: Int, before: Bool) -> Bool {
    var other = before ? index - 1 : index + 1
    while table.segments.indices.contains(other) {
      let segment = table.segments[other]
      if before ? segment.end < local &- ZoneTable.reach : segment.start > local &+ ZoneTable.reach { return false }
      if segment.contains(local) { return true }
      other += before ? -1 : 1
    }
    return false
  }
}

extension Occurrence {
  /// An occurrence at a local time that `segment` shows.
  @inline(__always)
  fileprivate init(_ segment: ZoneSegment, _ local: Int64, _ event: Event) {
    self.init(
      instant: Timestamp(seconds: local &- segment.offset), nominal: LocalDateTime(secondsAsIfUTC: local), event: event)
  }
}
