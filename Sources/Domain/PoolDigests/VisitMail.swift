import FoundationEssentials
package import PoolModel

/// The details of a notice that sends the report of a visit to a customer: which visit, and where to.
///
/// The report is made of the records when the notice's file is written, for a sensitive sink alone, as is the customer's own
/// address. Only an address that the caller gave in its place is kept here.
package struct VisitMail: Codable, Sendable {
  private let pool: UUID
  private let visit: UUID
  package let to: String?

  package init(pool: PoolID, visit: ServiceEventID, to: String?) {
    (self.pool, self.visit, self.to) = (pool.uuid, visit.uuid, to)
  }

  /// Nil for details of another kind of notice.
  package init?(json: String) {
    guard let read = try? UntrustedJSON.decode(VisitMail.self, from: Array(json.utf8)) else { return nil }
    self = read
  }

  /// - Throws: what the encoder throws; there is no value that it refuses.
  package func json() throws -> String { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }

  package var poolID: PoolID { PoolID(pool) }
  package var visitID: ServiceEventID { ServiceEventID(visit) }
}
