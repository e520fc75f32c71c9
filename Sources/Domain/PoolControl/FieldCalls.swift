// The calls of org.poolflow.Field.

package enum FieldCall {
  /// Logs a visit; a reading that is not named stays as it was measured last. `dose` is all, none or measured.
  package struct LogVisit: ControlMethod {
    package static let method = "org.poolflow.Field.LogVisit"
    package static let changes = true

    package let team: String
    package let pool: String
    package let readings: [SettingChangeView]
    package let dose: String
    package let measured: [MeasuredDoseView]
    package let notes: String?
    /// An upload of this connection (org.poolflow.Import.Open and Piece).
    package let photo: String?

    package init(
      team: String, pool: String, readings: [SettingChangeView], dose: String, measured: [MeasuredDoseView],
      notes: String? = nil, photo: String? = nil
    ) {
      self.team = team
      self.pool = pool
      self.readings = readings
      self.dose = dose
      self.measured = measured
      self.notes = notes
      self.photo = photo
    }

    package struct Reply: Codable, Sendable {
      package let visit: LoggedVisitView

      package init(visit: LoggedVisitView) {
        self.visit = visit
      }
    }
  }

  /// Takes back the last visit to a pool that was logged here, stock included.
  package struct UndoVisit: ControlMethod {
    package static let method = "org.poolflow.Field.UndoVisit"
    package static let changes = true

    package let team: String
    package let pool: String

    package init(team: String, pool: String) {
      self.team = team
      self.pool = pool
    }

    package struct Reply: Codable, Sendable {
      package let visit: VisitLineView

      package init(visit: VisitLineView) {
        self.visit = visit
      }
    }
  }

  /// Visits of a team or of one pool, newest first.
  package struct ListVisits: ControlMethod {
    package static let method = "org.poolflow.Field.ListVisits"

    package let team: String
    package let pool: String?
    package let limit: Int

    package init(team: String, pool: String? = nil, limit: Int) {
      self.team = team
      self.pool = pool
      self.limit = limit
    }

    package struct Reply: Codable, Sendable {
      package internal(set) var visits: [VisitLineView]

      package init(visits: [VisitLineView]) {
        self.visits = visits
      }
    }
  }

  /// Adds a pool at the end of its day.
  package struct AddPool: ControlMethod {
    package static let method = "org.poolflow.Field.AddPool"
    package static let changes = true

    package let team: String
    package let customer: String
    package let address: String
    package let region: String?
    package let changes: [SettingChangeView]

    package init(
      team: String, customer: String, address: String, region: String? = nil, changes: [SettingChangeView]
    ) {
      self.team = team
      self.customer = customer
      self.address = address
      self.region = region
      self.changes = changes
    }

    package struct Reply: Codable, Sendable {
      package let id: String
      package let customer: String
      package let day: String
      package let order: Int

      package init(id: String, customer: String, day: String, order: Int) {
        self.id = id
        self.customer = customer
        self.day = day
        self.order = order
      }
    }
  }

  /// Changes a pool, all or nothing.
  package struct SetPool: ControlMethod {
    package static let method = "org.poolflow.Field.SetPool"
    package static let changes = true

    package let team: String
    package let pool: String
    package let changes: [SettingChangeView]

    package init(team: String, pool: String, changes: [SettingChangeView]) {
      self.team = team
      self.pool = pool
      self.changes = changes
    }

    package struct Reply: Codable, Sendable {
      package let id: String
      package let customer: String

      package init(id: String, customer: String) {
        self.id = id
        self.customer = customer
      }
    }
  }

  /// Removes a pool with its visits, equipment and profile.
  package struct RemovePool: ControlMethod {
    package static let method = "org.poolflow.Field.RemovePool"
    package static let changes = true

    package let team: String
    package let pool: String

    package init(team: String, pool: String) {
      self.team = team
      self.pool = pool
    }

    package struct Reply: Codable, Sendable {
      package let customer: String
      package let visits: Int
      package let equipment: Int

      package init(customer: String, visits: Int, equipment: Int) {
        self.customer = customer
        self.visits = visits
        self.equipment = equipment
      }
    }
  }

  /// Changes what is known about the people at a pool.
  package struct SetProfile: ControlMethod {
    package static let method = "org.poolflow.Field.SetProfile"
    package static let changes = true

    package let team: String
    package let pool: String
    package let changes: [SettingChangeView]

    package init(team: String, pool: String, changes: [SettingChangeView]) {
      self.team = team
      self.pool = pool
      self.changes = changes
    }

    package struct Reply: Codable, Sendable {
      package let id: String
      package let customer: String

      package init(id: String, customer: String) {
        self.id = id
        self.customer = customer
      }
    }
  }

  /// What a team has in stock.
  package struct ListStock: ControlMethod {
    package static let method = "org.poolflow.Field.ListStock"

    package let team: String

    package init(team: String) {
      self.team = team
    }

    package struct Reply: Codable, Sendable {
      package internal(set) var items: [StockItemView]

      package init(items: [StockItemView]) {
        self.items = items
      }
    }
  }

  /// Adds one item, or those of the default catalogue that are not there.
  package struct AddStock: ControlMethod {
    package static let method = "org.poolflow.Field.AddStock"
    package static let changes = true

    package let team: String
    package let catalogue: Bool
    package let changes: [SettingChangeView]

    package init(team: String, catalogue: Bool, changes: [SettingChangeView]) {
      self.team = team
      self.catalogue = catalogue
      self.changes = changes
    }

    package struct Reply: Codable, Sendable {
      package let items: [StockItemView]

      package init(items: [StockItemView]) {
        self.items = items
      }
    }
  }

  /// Changes an item, by id or by the beginning of its name.
  package struct SetStock: ControlMethod {
    package static let method = "org.poolflow.Field.SetStock"
    package static let changes = true

    package let team: String
    package let item: String
    package let changes: [SettingChangeView]

    package init(team: String, item: String, changes: [SettingChangeView]) {
      self.team = team
      self.item = item
      self.changes = changes
    }

    package struct Reply: Codable, Sendable {
      package let item: StockItemView

      package init(item: StockItemView) {
        self.item = item
      }
    }
  }

  /// Removes an item; what was dosed of it stays on record.
  package struct RemoveStock: ControlMethod {
    package static let method = "org.poolflow.Field.RemoveStock"
    package static let changes = true

    package let team: String
    package let item: String

    package init(team: String, item: String) {
      self.team = team
      self.item = item
    }

    package struct Reply: Codable, Sendable {
      package let item: StockItemView

      package init(item: StockItemView) {
        self.item = item
      }
    }
  }

  /// Equipment of a team or of one pool.
  package struct ListEquipment: ControlMethod {
    package static let method = "org.poolflow.Field.ListEquipment"

    package let team: String
    package let pool: String?

    package init(team: String, pool: String? = nil) {
      self.team = team
      self.pool = pool
    }

    package struct Reply: Codable, Sendable {
      package internal(set) var items: [EquipmentItemView]

      package init(items: [EquipmentItemView]) {
        self.items = items
      }
    }
  }

  /// Adds equipment at a pool.
  package struct AddEquipment: ControlMethod {
    package static let method = "org.poolflow.Field.AddEquipment"
    package static let changes = true

    package let team: String
    package let pool: String
    package let changes: [SettingChangeView]

    package init(team: String, pool: String, changes: [SettingChangeView]) {
      self.team = team
      self.pool = pool
      self.changes = changes
    }

    package struct Reply: Codable, Sendable {
      package let item: EquipmentItemView

      package init(item: EquipmentItemView) {
        self.item = item
      }
    }
  }

  /// Changes equipment, by id or by the beginning of its name.
  package struct SetEquipment: ControlMethod {
    package static let method = "org.poolflow.Field.SetEquipment"
    package static let changes = true

    package let team: String
    package let pool: String
    package let equipment: String
    package let changes: [SettingChangeView]

    package init(team: String, pool: String, equipment: String, changes: [SettingChangeView]) {
      self.team = team
      self.pool = pool
      self.equipment = equipment
      self.changes = changes
    }

    package struct Reply: Codable, Sendable {
      package let item: EquipmentItemView

      package init(item: EquipmentItemView) {
        self.item = item
      }
    }
  }

  /// Removes equipment.
  package struct RemoveEquipment: ControlMethod {
    package static let method = "org.poolflow.Field.RemoveEquipment"
    package static let changes = true

    package let team: String
    package let pool: String
    package let equipment: String

    package init(team: String, pool: String, equipment: String) {
      self.team = team
      self.pool = pool
      self.equipment = equipment
    }

    package struct Reply: Codable, Sendable {
      package let item: EquipmentItemView

      package init(item: EquipmentItemView) {
        self.item = item
      }
    }
  }
}
