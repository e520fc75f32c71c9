// What org.poolflow.Field tells.

/// A dose that was poured by measure, from the stock item that begins so.
package struct MeasuredDoseView: Codable, Sendable {
  package let chemical: String
  package let ounces: Double

  package init(chemical: String, ounces: Double) {
    self.chemical = chemical
    self.ounces = ounces
  }
}

/// A recommended dose.
package struct DoseAdviceView: Codable, Sendable {
  package let kind: String
  package let chemical: String
  package let type: String
  package let ounces: Double
  package let text: String
  package let cost: Double
  package let message: String?
  package let note: String?

  package init(
    kind: String, chemical: String, type: String, ounces: Double, text: String, cost: Double, message: String? = nil,
    note: String? = nil
  ) {
    self.kind = kind
    self.chemical = chemical
    self.type = type
    self.ounces = ounces
    self.text = text
    self.cost = cost
    self.message = message
    self.note = note
  }
}

/// A dose that was recorded; `short` is what the stock lacked for it.
package struct DoseView: Codable, Sendable {
  package let chemical: String
  package let ounces: Double
  package let text: String
  package let cost: Double
  package let left: Double?
  package let short: Double?

  package init(
    chemical: String, ounces: Double, text: String, cost: Double, left: Double? = nil, short: Double? = nil
  ) {
    self.chemical = chemical
    self.ounces = ounces
    self.text = text
    self.cost = cost
    self.left = left
    self.short = short
  }
}

/// A visit as it was logged.
package struct LoggedVisitView: Codable, Sendable {
  package let id: String
  package let pool: String
  package let customer: String
  package let at: String
  package let local: String
  package let lsi: Double
  package let condition: String
  package let cost: Double
  package let advice: [DoseAdviceView]
  package let doses: [DoseView]

  package init(
    id: String, pool: String, customer: String, at: String, local: String, lsi: Double, condition: String,
    cost: Double, advice: [DoseAdviceView], doses: [DoseView]
  ) {
    self.id = id
    self.pool = pool
    self.customer = customer
    self.at = at
    self.local = local
    self.lsi = lsi
    self.condition = condition
    self.cost = cost
    self.advice = advice
    self.doses = doses
  }
}

/// A visit in a list.
package struct VisitLineView: Codable, Sendable {
  package let id: String
  package let pool: String
  package let customer: String
  package let at: String
  package let local: String
  package let ph: Double
  package let lsi: Double
  package let condition: String
  package let cost: Double
  package let doses: Int
  package let photo: Bool
  package let undoable: Bool

  package init(
    id: String, pool: String, customer: String, at: String, local: String, ph: Double, lsi: Double, condition: String,
    cost: Double, doses: Int, photo: Bool, undoable: Bool
  ) {
    self.id = id
    self.pool = pool
    self.customer = customer
    self.at = at
    self.local = local
    self.ph = ph
    self.lsi = lsi
    self.condition = condition
    self.cost = cost
    self.doses = doses
    self.photo = photo
    self.undoable = undoable
  }
}

/// A chemical in stock; ounces.
package struct StockItemView: Codable, Sendable {
  package let id: String
  package let name: String
  package let type: String
  package let technician: String?
  package let stock: Double
  package let text: String
  package let threshold: Double
  package let low: Bool
  package let cost: Double
  package let concentration: Double
  package let unit: String

  package init(
    id: String, name: String, type: String, technician: String? = nil, stock: Double, text: String, threshold: Double,
    low: Bool, cost: Double, concentration: Double, unit: String
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.technician = technician
    self.stock = stock
    self.text = text
    self.threshold = threshold
    self.low = low
    self.cost = cost
    self.concentration = concentration
    self.unit = unit
  }
}

/// A pump, filter or heater; dates are days in the team's zone.
package struct EquipmentItemView: Codable, Sendable {
  package let id: String
  package let pool: String
  package let customer: String
  package let kind: String
  package let name: String
  package let manufacturer: String
  package let model: String
  package let serial: String
  package let warranty: String?
  package let service: String?
  package let expired: Bool
  package let overdue: Bool

  package init(
    id: String, pool: String, customer: String, kind: String, name: String, manufacturer: String, model: String,
    serial: String, warranty: String? = nil, service: String? = nil, expired: Bool, overdue: Bool
  ) {
    self.id = id
    self.pool = pool
    self.customer = customer
    self.kind = kind
    self.name = name
    self.manufacturer = manufacturer
    self.model = model
    self.serial = serial
    self.warranty = warranty
    self.service = service
    self.expired = expired
    self.overdue = overdue
  }
}
