package import FlowModel

/// The owner of a folder of published pages.
package enum SiteOwner: Hashable, Sendable {
  /// The team's office, for everything that is not about one technician.
  case office
  case technician(TechnicianID)

  /// The office and all technicians.
  package static func all(_ technicians: [Technician]) -> [SiteOwner] {
    [.office] + technicians.map { .technician($0.id) }
  }
}
