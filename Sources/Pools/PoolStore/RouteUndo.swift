import FlowModel
import FlowStore
import PoolModel

/// The stops of a technician's weekday before and after its order was changed, as `route_undos` stores them.
struct RouteUndo {
  struct Stop: Hashable {
    let pool: PoolID
    /// The stop's number in the order; of a stop with a changed date its position on that date, nil if it had none. Nil for
    /// every stop in records of earlier versions, whose numbers are the indices of the stops.
    let number: Int?
    /// The number of the change that put the stop on the date of the order; nil for a stop of every week.
    let change: Int64?
  }

  let before: [Stop]
  let after: [Stop]

  /// The stops whose numbers the change of the order sets: those of every week only if their order is another one, because it
  /// is also that of later weeks.
  var changedStops: [Stop] { before.regular == after.regular ? after.filter { $0.change != nil } : after }

  /// The stops whose numbers the undo sets. A stop whose date was changed again, or got another position, stays as it is.
  func restorable(_ services: ServiceCalendar) -> [Stop] {
    let present = Dictionary(services.changes.map { ($0.id, $0.routeOrder) }, uniquingKeysWith: { first, _ in first })
    let applied = Dictionary(after.map { ($0.pool, $0.number) }, uniquingKeysWith: { first, _ in first })
    return before.enumerated().compactMap { index, stop in
      guard let change = stop.change else { return Stop(pool: stop.pool, number: stop.number ?? index, change: nil) }
      return present[change] == applied[stop.pool] ? stop : nil
    }
  }

  /// Parses the stops, separated by spaces: `POOL=3`, `POOL=2@25` for a stop of change 25, and `POOL` of earlier versions.
  ///
  /// - Throws: `StoreError.damaged` for other texts.
  static func stops(_ text: String) throws(StoreError) -> [Stop] {
    var stops: [Stop] = []
    for word in text.split(separator: " ") {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let numbers = parts.count > 1 ? parts[1].split(separator: "@", omittingEmptySubsequences: false) : []
      guard let pool = PoolID(String(parts[0])), numbers.allSatisfy({ $0.isEmpty || Int64($0) != nil }) else {
        throw .damaged(table: "route_undos", column: "before", value: String(word))
      }
      stops.append(
        Stop(
          pool: pool, number: numbers.first.flatMap { Int($0) }, change: numbers.count > 1 ? Int64(numbers[1]) : nil))
    }
    return stops
  }
}

extension [RouteUndo.Stop] {
  /// The stops of every week.
  var regular: [PoolID] { filter { $0.change == nil }.map(\.pool) }

  var words: String {
    map { stop in
      "\(stop.pool)=\(stop.number.map { "\($0)" } ?? "")\(stop.change.map { "@\($0)" } ?? "")"
    }.joined(separator: " ")
  }
}
