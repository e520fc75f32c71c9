import FlowCalendar
package import FlowModel

extension ServiceDates {
  /// The stops of an absent technician that others can take: those of the date that were not visited yet.
  ///
  /// - Throws: `ServiceDateError` if there is none, if the team is closed, if one of `others` is away, and for a past date.
  package func checkCover(
    _ date: CivilDate, of absent: TechnicianID, by others: [TechnicianID]
  ) throws(ServiceDateError) -> [Line] {
    guard !others.isEmpty else { throw .noCover }
    guard !others.contains(absent) else { throw .coversItself(technician: name(of: absent)) }
    guard date >= today else { throw .past(date, today: today) }
    if let off = daysOff.closure(on: date) { throw .closed(date, off) }
    for other in others {
      if let off = daysOff.absence(of: other, on: date) {
        throw .coverAway(technician: name(of: other), date, off)
      }
    }
    let all = stops(on: date, of: absent)
    guard !all.isEmpty else {
      let batch = stops(on: date).lazy.filter { $0.technicianID == absent }.compactMap { line in
        services.changedStop(of: line.pool.id, on: date)?.changes.last { $0.isCover }?.batch
      }.first
      if let batch { throw .covered(date, technician: name(of: absent), batch: batch) }
      throw .noStops(date, technician: name(of: absent))
    }
    let done = visitedStops(on: date, of: absent)
    let rest = all.filter { !done.contains($0) }
    guard !rest.isEmpty else { throw .allVisited(date, stops: done.count) }
    return rest
  }

  /// Gives stops of a date to other technicians.
  ///
  /// - Parameters:
  ///   - days: each technician's stops of the date in visiting order, with the covered ones.
  ///   - absent: the technician whose stops are covered.
  /// - Throws: `ServiceDateError` if a stop cannot be given away.
  package func cover(
    _ date: CivilDate, of absent: TechnicianID, by days: [(technician: TechnicianID, stops: [PoolID])],
    _ note: ServiceChangeNote
  ) throws(ServiceDateError) -> [ServiceDateChange] {
    var changes: [ServiceDateChange] = []
    for day in days {
      for (position, pool) in day.stops.enumerated() {
        guard let line = lines.first(where: { $0.pool.id == pool }) else { throw .poolRemoved }
        guard technician(of: line, on: date) == absent else { continue }
        try checkMove(of: line, from: date, to: date, technician: day.technician)
        changes.append(
          ServiceDateChange(
            pool: pool, from: date, to: date, technician: day.technician == line.technicianID ? nil : day.technician,
            routeOrder: position, reason: note.reason, setBy: note.setBy, madeAt: note.madeAt))
      }
    }
    return changes
  }

  /// The new positions of stops that later changes put among others, after a batch is undone, so that their order stays.
  package func positions(without batch: [ServiceDateChange]) -> [(change: ServiceDateChange, position: Int)] {
    var moved: [Int64: (change: ServiceDateChange, position: Int)] = [:]
    let dates = Set(batch.filter { $0.routeOrder != nil }.compactMap(\.to))
    for date in dates {
      let placed = lines.compactMap { line -> (change: ServiceDateChange, position: Int, technician: TechnicianID)? in
        guard let change = services.changedStop(of: line.pool.id, on: date)?.changes.last,
          let position = change.routeOrder
        else { return nil }
        return (change, position, technician(of: line, on: date))
      }.sorted { $0.change.id < $1.change.id }
      for technician in Set(placed.map(\.technician)) {
        var day = placed.filter { $0.technician == technician }.map { (change: $0.change, position: $0.position) }
        for undone in batch.sorted(by: { $0.id > $1.id }) {
          guard let index = day.firstIndex(where: { $0.change.id == undone.id }) else { continue }
          var place = day.remove(at: index).position
          for later in day.indices.dropFirst(index) {
            if day[later].position <= place { place += 1 } else { day[later].position -= 1 }
          }
        }
        for one in day where one.position != one.change.routeOrder { moved[one.change.id] = one }
      }
    }
    return moved.values.sorted { $0.change.id < $1.change.id }
  }
}
