/// Access and contact data of one record, as parsed from the `access` member of a sensitive sink's event.
package struct AccessData: Decodable, Sendable {
  package let customer, notes, contact, phone, email, gate: String

  private enum CodingKeys: String, CodingKey {
    case customer, notes
    case contact = "contact_name"
    case phone = "contact_phone"
    case email = "contact_email"
    case gate = "gate_access"
  }
}
