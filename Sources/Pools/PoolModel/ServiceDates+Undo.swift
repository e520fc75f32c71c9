package import FlowCalendar
package import FlowModel

extension ServiceDates {
  /// The date on which a changed stop was visited; nil if it was not visited since its new date.
  ///
  /// A stop that was moved to a date now past can still be taken back to a later date, unless it was served meanwhile.
  func visitDate(of change: ServiceDateChange, _ lastVisits: [PoolID: CivilDate]) -> CivilDate? {
    guard let to = change.to, to <= today,
      let last = visited.contains(change.pool) ? today : lastVisits[change.pool], last >= to
    else { return nil }
    return last
  }

  /// The command that takes back the first of these changes alone; nil if none of them moved or gave away a stop.
  func remedy(instead changes: [ServiceDateChange]) -> UndoRemedy? {
    changes.lazy.compactMap { change -> UndoRemedy? in
      guard let to = change.to, to >= today, let line = lines.first(where: { $0.pool.id == change.pool }),
        service(of: line.pool).isEffective(change)
      else { return nil }
      return UndoRemedy(
        customer: line.pool.customerName, from: to, to: change.from,
        technician: name(of: technician(before: change, line)))
    }.first
  }

  /// The stops that the undo of a batch puts on a date on which the team is closed, or gives to a technician who is away then;
  /// in the order of their dates.
  package func stopsOnDaysOff(afterUndoOf batch: [ServiceDateChange]) -> [StopsOnDayOff] {
    var found: [StopsOnDayOff] = []
    for change in batch {
      guard let line = lines.first(where: { $0.pool.id == change.pool }), service(of: line.pool).isEffective(change)
      else { continue }
      let technician = technician(before: change, line)
      let (off, absent): (DayOff, TechnicianID?)
      if let closure = daysOff.closure(on: change.from) {
        (off, absent) = (closure, nil)
      } else if let absence = daysOff.absence(of: technician, on: change.from) {
        (off, absent) = (absence, technician)
      } else {
        continue
      }
      if let index = found.firstIndex(where: { $0.date == change.from && $0.technician == absent }) {
        found[index].stops += 1
      } else {
        found.append(StopsOnDayOff(date: change.from, technician: absent, off: off, stops: 1))
      }
    }
    return found.sorted { ($0.date, $0.technician?.number ?? 0) < ($1.date, $1.technician?.number ?? 0) }
  }

  /// The technician who served a stop before its last change.
  private func technician(before change: ServiceDateChange, _ line: Line) -> TechnicianID {
    let service = service(of: line.pool)
    let stop = change.to.map { service.changedStop(on: $0) } ?? service.skippedStop(on: change.from)
    return stop?.changes.last { $0.id < change.id }?.technician ?? line.technicianID
  }
}

/// The command that takes back one stop of a batch: `pfctl stop move …`.
package struct UndoRemedy: Hashable, Sendable, CustomStringConvertible {
  package let customer: String
  /// The present date of the stop.
  package let from: CivilDate
  /// The date of the stop before the batch.
  package let to: CivilDate
  /// The technician of the stop before the batch.
  package let technician: String

  package init(customer: String, from: CivilDate, to: CivilDate, technician: String) {
    self.customer = customer
    self.from = from
    self.to = to
    self.technician = technician
  }

  package var description: String {
    "`pfctl stop move \(shellWord(customer)) --from \(from) --to \(to) --technician \(shellWord(technician))`"
  }
}

/// Stops on a date on which the team is closed, or of a technician who is away then.
package struct StopsOnDayOff: Hashable, Sendable {
  package let date: CivilDate
  /// The technician who is away; nil if the team is closed.
  package let technician: TechnicianID?
  package let off: DayOff
  package fileprivate(set) var stops: Int
}
