extension InterfaceDescription {
  /// `org.poolflow.Field`, as the daemon serves it: what an office and a technician keep: visits, pools, profiles, stock and equipment.
  package static let field = InterfaceDescription(
    name: "org.poolflow.Field",
    text: """
      # What an office and a technician keep: visits, pools, profiles, stock and equipment.
      interface org.poolflow.Field

      # One value to set.
      type SettingChangeView (key: string, value: string)

      # A dose that was poured by measure, from the stock item that begins so.
      type MeasuredDoseView (chemical: string, ounces: float)

      # A recommended dose.
      type DoseAdviceView (
        kind: string, chemical: string, type: string, ounces: float, text: string, cost: float, message: ?string,
        note: ?string
      )

      # A dose that was recorded; `short` is what the stock lacked for it.
      type DoseView (chemical: string, ounces: float, text: string, cost: float, left: ?float, short: ?float)

      # A visit as it was logged.
      type LoggedVisitView (
        id: string, pool: string, customer: string, at: string, local: string, lsi: float, condition: string,
        cost: float, advice: []DoseAdviceView, doses: []DoseView
      )

      # A visit in a list.
      type VisitLineView (
        id: string, pool: string, customer: string, at: string, local: string, ph: float, lsi: float,
        condition: string, cost: float, doses: int, photo: bool, undoable: bool
      )

      # A chemical in stock; ounces.
      type StockItemView (
        id: string, name: string, type: string, technician: ?string, stock: float, text: string, threshold: float,
        low: bool, cost: float, concentration: float, unit: string
      )

      # A pump, filter or heater; dates are days in the team's zone.
      type EquipmentItemView (
        id: string, pool: string, customer: string, kind: string, name: string, manufacturer: string, model: string,
        serial: string, warranty: ?string, service: ?string, expired: bool, overdue: bool
      )

      # Logs a visit; a reading that is not named stays as it was measured last. `dose` is all, none or measured. `photo`
      # is an upload of this connection, made with org.poolflow.Import.Open and Piece; it is used up.
      method LogVisit(
        team: string, pool: string, readings: []SettingChangeView, dose: string, measured: []MeasuredDoseView,
        notes: ?string, photo: ?string
      ) -> (visit: LoggedVisitView)

      # Takes back the last visit to a pool that was logged here, stock included.
      method UndoVisit(team: string, pool: string) -> (visit: VisitLineView)

      # Visits of a team or of one pool, newest first.
      method ListVisits(team: string, pool: ?string, limit: int) -> (visits: []VisitLineView)

      # Adds a pool at the end of its day.
      method AddPool(
        team: string, customer: string, address: string, region: ?string, changes: []SettingChangeView
      ) -> (id: string, customer: string, day: string, order: int)

      # Changes a pool, all or nothing.
      method SetPool(team: string, pool: string, changes: []SettingChangeView) -> (id: string, customer: string)

      # Removes a pool with its visits, equipment and profile.
      method RemovePool(team: string, pool: string) -> (customer: string, visits: int, equipment: int)

      # Changes what is known about the people at a pool.
      method SetProfile(team: string, pool: string, changes: []SettingChangeView) -> (id: string, customer: string)

      # What a team has in stock.
      method ListStock(team: string) -> (items: []StockItemView)

      # Adds one item, or those of the default catalogue that are not there.
      method AddStock(team: string, catalogue: bool, changes: []SettingChangeView) -> (items: []StockItemView)

      # Changes an item, by id or by the beginning of its name.
      method SetStock(team: string, item: string, changes: []SettingChangeView) -> (item: StockItemView)

      # Removes an item; what was dosed of it stays on record.
      method RemoveStock(team: string, item: string) -> (item: StockItemView)

      # Equipment of a team or of one pool.
      method ListEquipment(team: string, pool: ?string) -> (items: []EquipmentItemView)

      # Adds equipment at a pool.
      method AddEquipment(team: string, pool: string, changes: []SettingChangeView) -> (item: EquipmentItemView)

      # Changes equipment, by id or by the beginning of its name.
      method SetEquipment(
        team: string, pool: string, equipment: string, changes: []SettingChangeView
      ) -> (item: EquipmentItemView)

      # Removes equipment.
      method RemoveEquipment(team: string, pool: string, equipment: string) -> (item: EquipmentItemView)

      # There is no such stock item or equipment, or more than one begins so.
      error NoSuchItem (message: string, name: string, suggestion: ?string)

      # The pool has no visit that could be taken back.
      error NothingToUndo (message: string, name: string)

      # A measured dose is larger than the stock.
      error StockTooLow (message: string, name: string, stock: string)
      """)
}
