import FlowCalendar
import FlowModel
package import FlowWork
package import PoolDigests
import PoolModel

/// The routes that one notice shows, each of another day.
package struct SentRoutes: Hashable, Sendable {
  package let routes: [SentRoute]

  package init(_ routes: [SentRoute]) { self.routes = routes }
}

/// Makes the routes shown in a notice storable, so that the next notice can be compared with them.
extension SentRoutes: TradeRecord {
  package func write(to fields: inout ByteFields) -> Bool {
    fields.put(routes.count)
    for route in routes { route.write(to: &fields) }
    return true
  }

  package init?(from fields: inout ByteFields) {
    guard let count = fields.length() else { return nil }
    var routes: [SentRoute] = []
    for _ in 0..<count {
      guard let route = SentRoute(from: &fields) else { return nil }
      routes.append(route)
    }
    self.init(routes)
  }
}

extension SentRoute {
  fileprivate func write(to fields: inout ByteFields) {
    fields.put(date.daysSince1970)
    fields.put(stops.count)
    for stop in stops {
      for text in [stop.poolID.description, stop.customer, stop.technician] { fields.put(text) }
    }
    fields.put(currentDays.count)
    for (pool, day) in currentDays {
      fields.put(pool.description)
      fields.put(day.rawValue)
    }
  }

  fileprivate init?(from fields: inout ByteFields) {
    guard let date = fields.number(), let count = fields.length() else { return nil }
    var stops: [Stop] = []
    for _ in 0..<count {
      guard let pool = fields.text().flatMap(PoolID.init), let customer = fields.text(),
        let technician = fields.text()
      else { return nil }
      stops.append(Stop(poolID: pool, customer: customer, technician: technician))
    }
    guard let dayCount = fields.length() else { return nil }
    var days: [PoolID: Weekday] = [:]
    for _ in 0..<dayCount {
      guard let pool = fields.text().flatMap(PoolID.init), let day = fields.number().flatMap(Weekday.init(rawValue:))
      else { return nil }
      days[pool] = day
    }
    self.init(date: CivilDate(daysSince1970: date), stops: stops, currentDays: days)
  }
}
