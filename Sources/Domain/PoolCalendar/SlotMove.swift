package import PoolModel

/// A slot that new time zone data puts at another instant.
package struct SlotMove: Hashable, Sendable {
  /// The clock time the rule names; it stays.
  package let nominal: LocalDateTime
  /// Nil where the old, or the new, data has no such slot.
  package let before: Timestamp?
  package let after: Timestamp?
}

extension CalendarRule {
  /// The same rule under other data of its zone.
  package func with(zone: Zone) -> CalendarRule {
    CalendarRule(expression, zone: zone, policy: policy)
  }

  /// The slots after `start` and up to `end` that move when the zone's data becomes that of `zone`, at most `limit`.
  ///
  /// Slots are matched by the clock time they name, so one that is only reached by another offset has moved; it is not one
  /// lost and one new.
  package func slotsMoved(by zone: Zone, from start: Timestamp, to end: Timestamp, limit: Int) -> [SlotMove] {
    guard zone != self.zone else { return [] }
    var old = occurrences(after: start).makeIterator()
    var new = with(zone: zone).occurrences(after: start).makeIterator()
    var before = old.next()
    var after = new.next()
    var moves: [SlotMove] = []
    while moves.count < limit {
      let left = before.flatMap { $0.instant <= end ? $0 : nil }
      let right = after.flatMap { $0.instant <= end ? $0 : nil }
      switch (left, right) {
      case (nil, nil): return moves
      case (let left?, let right?) where left.nominal == right.nominal:
        if left.instant != right.instant {
          moves.append(SlotMove(nominal: left.nominal, before: left.instant, after: right.instant))
        }
        before = old.next()
        after = new.next()
      case (let left?, let right) where right.map({ left.nominal < $0.nominal }) ?? true:
        moves.append(SlotMove(nominal: left.nominal, before: left.instant, after: nil))
        before = old.next()
      case (_, let right?):
        moves.append(SlotMove(nominal: right.nominal, before: nil, after: right.instant))
        after = new.next()
      case (_?, nil): return moves
      }
    }
    return moves
  }
}
