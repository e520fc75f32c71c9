package import FlowModel

/// A slot whose instant changes with new time zone data.
package struct SlotMove: Hashable, Sendable {
  /// The clock time that the rule names; it does not change.
  package let nominal: LocalDateTime
  /// Instant by the old data; nil if the slot does not exist there. `after` is the same for the new data.
  package let before: Timestamp?
  package let after: Timestamp?
}

extension CalendarRule {
  /// The same rule with other data for its zone.
  package func with(zone: Zone) -> CalendarRule {
    CalendarRule(expression, zone: zone, policy: policy)
  }

  /// The slots in `start < slot <= end` that move when the zone's data is replaced by `zone`.
  ///
  /// Old and new slots are matched by their nominal clock time, so a changed offset is one move, not a removed slot and an
  /// added one.
  /// - Returns: at most `limit` moves, oldest first.
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
