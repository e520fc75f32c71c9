package import FlowModel
package import PoolModel

/// Access and contact data of a pool. Its description is `<redacted>`, so that no log or error can contain it.
package struct PoolAccess: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package let poolID: PoolID
  package let customer: String
  package let notes: String
  package let contact: String
  package let phone: String
  package let email: String
  package let gate: String

  package init(
    poolID: PoolID, customer: String, notes: String, contact: String, phone: String, email: String, gate: String
  ) {
    self.poolID = poolID
    self.customer = customer
    self.notes = notes
    self.contact = contact
    self.phone = phone
    self.email = email
    self.gate = gate
  }

  package var isEmpty: Bool { notes.isEmpty && contact.isEmpty && phone.isEmpty && email.isEmpty && gate.isEmpty }

  package var description: String { "<redacted>" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension PoolAccess: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("contact_email", email)
    json.member("contact_name", contact)
    json.member("contact_phone", phone)
    json.member("customer", customer)
    json.member("gate_access", gate)
    json.member("notes", notes)
  }

  /// One JSON object with a member per pool, keyed by pool id.
  package static func text(_ pools: [PoolAccess]) -> String {
    var json = JSONText()
    json.object { object in for pool in pools { object.member(pool.poolID.description, pool) } }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
