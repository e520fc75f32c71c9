extension InterfaceDescription {
  /// `org.poolflow.Routes`, as the daemon serves it: the order of technicians' days.
  package static let routes = InterfaceDescription(
    name: "org.poolflow.Routes",
    text: """
      # The order of technicians' days. Places in a day count from 1; `day` is a weekday such as Mon, or all; today in the
      # team's zone without it.
      interface org.poolflow.Routes

      # A stop of a day.
      type RouteStopView (
        id: string, customer: string, address: string, latitude: ?float, longitude: ?float, place: int,
        best_place: ?int, pin: ?int, window: ?string, opens_minute: ?int, closes_minute: ?int
      )

      # A technician's day: the order of now and, where it was worked out, the best one.
      type RouteView (
        technician: string, day: string, objective: string, stops: []RouteStopView, minutes: float, miles: float,
        best_minutes: ?float, best_miles: ?float, saved_minutes: ?float, provider: string, proven: bool, fresh: bool,
        computed_at: ?string, computed_local: ?string, unpinned: []string
      )

      # What one order of a day takes.
      type RouteFiguresView (minutes: float, miles: float)

      # A day as it is, as the app would order it, and in the best order.
      type RouteComparisonView (
        technician: string, day: string, objective: string, stops: int, unresolved: int, now: RouteFiguresView,
        app: RouteFiguresView, best: RouteFiguresView, provider: string, proven: bool
      )

      # How far a technician's day is.
      type RouteProgressView (
        technician: string, day: string, stops: int, serviced: int, complete: bool, missing: []string
      )

      # Days as they are, with the best order as far as it is known.
      method Show(team: string, day: ?string, technician: ?string) -> (routes: []RouteView)

      # Works the best order out and keeps it; the order of now stays.
      method Optimise(team: string, day: ?string, technician: ?string) -> (routes: []RouteView)

      # The order of now, the app's and the best one, in minutes and miles.
      method Compare(team: string, day: ?string, technician: ?string) -> (comparisons: []RouteComparisonView)

      # Gives days their best order; Undo takes it back.
      method Apply(team: string, day: ?string, technician: ?string) -> (routes: []RouteView)

      # Gives days the order back that they had before the last change.
      method Undo(team: string, day: ?string, technician: ?string) -> (routes: []RouteView)

      # Gives a stop another place in its day.
      method Move(team: string, pool: string, place: int) -> (route: RouteView)

      # Keeps a place in the day for a stop, or sets it free again.
      method Pin(team: string, pool: string, place: ?int) -> (customer: string, place: ?int)

      # How many of today's stops were visited.
      method Progress(team: string, technician: ?string) -> (progress: []RouteProgressView)

      # Takes measured times out of an upload of this connection: the answer of an OSRM table request, or rows of from and to.
      method ImportTable(team: string, upload: string) -> (places: int, known: int, pairs: int)

      # Forgets a team's measured times.
      method RemoveTable(team: string) -> (removed: bool)

      # Nobody drives on that day.
      error NoSuchRoute (message: string, name: string)

      # The day has other stops, or another order, than was thought.
      error RouteChanged (message: string, name: string)
      """)
}
