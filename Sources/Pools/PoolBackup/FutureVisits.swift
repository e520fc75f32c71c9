import FlowCalendar
import FlowModel
import PoolModel

extension RecordSet {
  /// The warning about visits dated later than `now`; empty if there are none.
  func futureVisits(of now: Timestamp) -> [ArchiveWarning] {
    let ahead = serviceEvents.filter { $0.timestamp > now }.map(\.timestamp)
    guard let last = ahead.max() else { return [] }
    return [.futureVisits(ahead.count, last: Zone.utc.local(at: last).date)]
  }
}
