import FlowModel
import FoundationEssentials
package import PoolModel

/// The data of a notice that sends a visit report to a customer: the visit, and optionally an address.
///
/// The report is rendered and the customer's address read only when the file for a sensitive sink is written. Only an address
/// that the caller gave instead is stored here.
package struct VisitMail: Codable, Sendable {
  private let pool: UUID
  private let visit: UUID
  package let to: String?

  package init(pool: PoolID, visit: ServiceEventID, to: String?) {
    (self.pool, self.visit, self.to) = (pool.uuid, visit.uuid, to)
  }

  /// Nil if the JSON is the data of another kind of notice.
  package init?(json: String) {
    guard let read = try? UntrustedJSON.decode(VisitMail.self, from: Array(json.utf8)) else { return nil }
    self = read
  }

  /// - Throws: the encoder's errors; in practice it accepts every value.
  package func json() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

  package var poolID: PoolID { PoolID(pool) }
  package var visitID: ServiceEventID { ServiceEventID(visit) }
}
