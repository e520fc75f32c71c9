// What org.poolflow.Routes tells. Times of day are local; places in a day count from 1.

/// A stop of a day.
package struct RouteStopView: Codable, Sendable {
  package let id: String
  package let customer: String
  package let address: String
  /// None where nobody knows the place.
  package let latitude: Double?
  package let longitude: Double?
  /// In the order of now.
  package let place: Int
  /// In the best order known.
  package let bestPlace: Int?
  /// The place that its profile keeps for it.
  package let pin: Int?
  /// The profile's words about when to come, where they bind the route.
  package let window: String?
  /// Of that, in minutes after midnight.
  package let opensMinute: Int?
  package let closesMinute: Int?

  package init(
    id: String, customer: String, address: String, latitude: Double? = nil, longitude: Double? = nil, place: Int,
    bestPlace: Int? = nil, pin: Int? = nil, window: String? = nil, opensMinute: Int? = nil, closesMinute: Int? = nil
  ) {
    self.id = id
    self.customer = customer
    self.address = address
    self.latitude = latitude
    self.longitude = longitude
    self.place = place
    self.bestPlace = bestPlace
    self.pin = pin
    self.window = window
    self.opensMinute = opensMinute
    self.closesMinute = closesMinute
  }

  private enum CodingKeys: String, CodingKey {
    case id, customer, address, latitude, longitude, place, pin, window
    case bestPlace = "best_place"
    case opensMinute = "opens_minute"
    case closesMinute = "closes_minute"
  }
}

/// A technician's day: the order of now and, where it was worked out, the best one.
package struct RouteView: Codable, Sendable {
  package let technician: String
  package let day: String
  package let objective: String
  /// In the order of now.
  package let stops: [RouteStopView]
  /// Of driving, over the located stops.
  package let minutes: Double
  package let miles: Double
  package let bestMinutes: Double?
  package let bestMiles: Double?
  package let savedMinutes: Double?
  /// Who knew the times: haversine, table, or both.
  package let provider: String
  /// No order is better.
  package let proven: Bool
  /// The best order is of the stops of now.
  package let fresh: Bool
  package let computedAt: String?
  package let computedLocal: String?
  /// Customers whose pin could not be.
  package let unpinned: [String]

  package init(
    technician: String, day: String, objective: String, stops: [RouteStopView], minutes: Double, miles: Double,
    bestMinutes: Double? = nil, bestMiles: Double? = nil, savedMinutes: Double? = nil, provider: String,
    proven: Bool, fresh: Bool, computedAt: String? = nil, computedLocal: String? = nil, unpinned: [String]
  ) {
    self.technician = technician
    self.day = day
    self.objective = objective
    self.stops = stops
    self.minutes = minutes
    self.miles = miles
    self.bestMinutes = bestMinutes
    self.bestMiles = bestMiles
    self.savedMinutes = savedMinutes
    self.provider = provider
    self.proven = proven
    self.fresh = fresh
    self.computedAt = computedAt
    self.computedLocal = computedLocal
    self.unpinned = unpinned
  }

  private enum CodingKeys: String, CodingKey {
    case technician, day, objective, stops, minutes, miles, provider, proven, fresh, unpinned
    case bestMinutes = "best_minutes"
    case bestMiles = "best_miles"
    case savedMinutes = "saved_minutes"
    case computedAt = "computed_at"
    case computedLocal = "computed_local"
  }
}

/// What one order of a day takes.
package struct RouteFiguresView: Codable, Sendable {
  package let minutes: Double
  package let miles: Double

  package init(minutes: Double, miles: Double) {
    self.minutes = minutes
    self.miles = miles
  }
}

/// A day as it is, as the app would order it, and in the best order.
package struct RouteComparisonView: Codable, Sendable {
  package let technician: String
  package let day: String
  package let objective: String
  package let stops: Int
  package let unresolved: Int
  package let now: RouteFiguresView
  package let app: RouteFiguresView
  package let best: RouteFiguresView
  package let provider: String
  package let proven: Bool

  package init(
    technician: String, day: String, objective: String, stops: Int, unresolved: Int, now: RouteFiguresView,
    app: RouteFiguresView, best: RouteFiguresView, provider: String, proven: Bool
  ) {
    self.technician = technician
    self.day = day
    self.objective = objective
    self.stops = stops
    self.unresolved = unresolved
    self.now = now
    self.app = app
    self.best = best
    self.provider = provider
    self.proven = proven
  }
}

/// How far a technician's day is.
package struct RouteProgressView: Codable, Sendable {
  package let technician: String
  package let day: String
  package let stops: Int
  package let serviced: Int
  package let complete: Bool
  /// Customers not visited yet.
  package let missing: [String]

  package init(technician: String, day: String, stops: Int, serviced: Int, complete: Bool, missing: [String]) {
    self.technician = technician
    self.day = day
    self.stops = stops
    self.serviced = serviced
    self.complete = complete
    self.missing = missing
  }
}
