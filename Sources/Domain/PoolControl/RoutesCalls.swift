// The calls of org.poolflow.Routes.

/// What a call does with some days of a team, and what it answers.
package protocol RouteVerb: Sendable {
  associatedtype Reply: Codable & Sendable

  static var method: String { get }
  static var changes: Bool { get }
  static var work: CallWork { get }
}

extension RouteVerb {
  package static var work: CallWork { .short }
}

/// A call on a team's days: which ones is asked for in the same way by all of them.
package struct RouteDaysCall<Verb: RouteVerb>: ControlMethod {
  package typealias Reply = Verb.Reply

  package static var method: String { Verb.method }
  package static var changes: Bool { Verb.changes }
  package static var work: CallWork { Verb.work }
  /// A day may have 20,000 stops.
  package static var answersAtLength: Bool { true }

  package let team: String
  /// A weekday such as Mon, or `all`; today in the team's zone without it.
  package let day: String?
  /// All of them without it.
  package let technician: String?

  package init(team: String, day: String? = nil, technician: String? = nil) {
    self.team = team
    self.day = day
    self.technician = technician
  }
}

/// Days as they are after the call.
package struct RoutesReply: Codable, Sendable {
  package let routes: [RouteView]

  package init(routes: [RouteView]) {
    self.routes = routes
  }
}

package enum RoutesCall {
  /// Days as they are, with the best order as far as it is known.
  package typealias Show = RouteDaysCall<Verbs.Show>
  /// Works the best order out and keeps it; the order of now stays.
  package typealias Optimise = RouteDaysCall<Verbs.Optimise>
  /// The order of now, the app's and the best one, in minutes and miles.
  package typealias Compare = RouteDaysCall<Verbs.Compare>
  /// Gives days their best order; `Undo` takes it back.
  package typealias Apply = RouteDaysCall<Verbs.Apply>
  /// Gives days the order back that they had before the last change.
  package typealias Undo = RouteDaysCall<Verbs.Undo>

  package enum Verbs {
    package enum Show: RouteVerb {
      package static let method = "org.poolflow.Routes.Show"
      package static let changes = false
      package typealias Reply = RoutesReply
    }

    package enum Optimise: RouteVerb {
      package static let method = "org.poolflow.Routes.Optimise"
      package static let work = CallWork.long
      package static let changes = true
      package typealias Reply = RoutesReply
    }

    package enum Compare: RouteVerb {
      package static let method = "org.poolflow.Routes.Compare"
      package static let work = CallWork.long
      package static let changes = false

      package struct Reply: Codable, Sendable {
        package let comparisons: [RouteComparisonView]

        package init(comparisons: [RouteComparisonView]) {
          self.comparisons = comparisons
        }
      }
    }

    package enum Apply: RouteVerb {
      package static let method = "org.poolflow.Routes.Apply"
      package static let work = CallWork.long
      package static let changes = true
      package typealias Reply = RoutesReply
    }

    package enum Undo: RouteVerb {
      package static let method = "org.poolflow.Routes.Undo"
      package static let changes = true
      package typealias Reply = RoutesReply
    }
  }

  /// Gives a stop another place in its day.
  package struct Move: ControlMethod {
    package static let method = "org.poolflow.Routes.Move"
    package static let changes = true

    package let team: String
    package let pool: String
    package let place: Int

    package init(team: String, pool: String, place: Int) {
      self.team = team
      self.pool = pool
      self.place = place
    }

    package struct Reply: Codable, Sendable {
      package let route: RouteView

      package init(route: RouteView) {
        self.route = route
      }
    }
  }

  /// Keeps a place in the day for a stop, or sets it free again.
  package struct Pin: ControlMethod {
    package static let method = "org.poolflow.Routes.Pin"
    package static let changes = true

    package let team: String
    package let pool: String
    /// None sets it free.
    package let place: Int?

    package init(team: String, pool: String, place: Int? = nil) {
      self.team = team
      self.pool = pool
      self.place = place
    }

    package struct Reply: Codable, Sendable {
      package let customer: String
      package let place: Int?

      package init(customer: String, place: Int? = nil) {
        self.customer = customer
        self.place = place
      }
    }
  }

  /// How many of today's stops were visited.
  package struct Progress: ControlMethod {
    package static let method = "org.poolflow.Routes.Progress"

    package let team: String
    package let technician: String?

    package init(team: String, technician: String? = nil) {
      self.team = team
      self.technician = technician
    }

    package struct Reply: Codable, Sendable {
      package let progress: [RouteProgressView]

      package init(progress: [RouteProgressView]) {
        self.progress = progress
      }
    }
  }

  /// Takes measured times out of an upload of this connection: the answer of an OSRM `table` request, or rows of from and to.
  package struct ImportTable: ControlMethod {
    package static let method = "org.poolflow.Routes.ImportTable"
    package static let work = CallWork.long
    package static let changes = true

    package let team: String
    package let upload: String

    package init(team: String, upload: String) {
      self.team = team
      self.upload = upload
    }

    package struct Reply: Codable, Sendable {
      package let places: Int
      /// Pairs with a time.
      package let known: Int
      package let pairs: Int

      package init(places: Int, known: Int, pairs: Int) {
        self.places = places
        self.known = known
        self.pairs = pairs
      }
    }
  }

  /// Forgets a team's measured times.
  package struct RemoveTable: ControlMethod {
    package static let method = "org.poolflow.Routes.RemoveTable"
    package static let changes = true

    package let team: String

    package init(team: String) {
      self.team = team
    }

    package struct Reply: Codable, Sendable {
      package let removed: Bool

      package init(removed: Bool) {
        self.removed = removed
      }
    }
  }
}
