extension InterfaceDescription {
  /// `org.poolflow.Pools`, as the daemon serves it: customers' pools.
  package static let pools = InterfaceDescription(
    name: "org.poolflow.Pools",
    text: """
      # Customers' pools. Figures are imperial (US gallons, °F), as they are stored.
      interface org.poolflow.Pools

      # One pool, as a route lists it.
      type PoolView (
        id: string,
        customer: string,
        address: string,
        day: string,
        order: int,
        technician: string,
        volume_gallons: float,
        lsi: ?float,
        last_visit: ?string,
        last_visit_local: ?string
      )

      # What a test kit said; °F and parts per million.
      type ReadingsView (
        ph: float,
        water_temp_f: float,
        calcium_hardness: float,
        total_alkalinity: float,
        cyanuric_acid: float,
        total_dissolved_solids: ?float
      )

      # Who is at the pool; the sensitive fields come only when they are asked for.
      type ProfileView (
        contact_name: string,
        contact_phone: ?string,
        contact_email: ?string,
        gate_access: ?string,
        arrival_window: string,
        tags: []string
      )

      # A pump, filter or heater.
      type EquipmentView (name: string, kind: string, manufacturer: string, model: string)

      # One visit.
      type VisitView (at: string, local: string, lsi: float, chemical_cost: float, photo: bool)

      # Everything about one pool.
      type PoolDetailsView (
        pool: PoolView,
        team: string,
        units: string,
        latitude: ?float,
        longitude: ?float,
        monthly_fee: float,
        readings: ReadingsView,
        profile: ?ProfileView,
        notes: ?string,
        equipment: []EquipmentView,
        visits: int,
        recent_visits: []VisitView
      )

      # The pools of a team, by day and route order.
      method List(team: string, technician: ?string, day: ?string) -> (units: string, pools: []PoolView)

      # One pool, by id or by the beginning of its customer's name; phone, e-mail, gate and notes only with
      # `reveal`.
      method Show(team: string, pool: string, reveal: bool) -> (details: PoolDetailsView)

      # The team has no such pool.
      error NoSuchPool (message: string, name: string, suggestion: ?string)

      # More than one pool begins like this.
      error AmbiguousPool (message: string, name: string, matches: string)
      """)
}
