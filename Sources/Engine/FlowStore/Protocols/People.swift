package import FlowModel

/// People who get notices of their own, and their addresses.
package protocol People: Sendable {
  /// The people with stored contact data, the office first.
  func people(of team: TeamID) async throws -> [KnownPerson]

  /// Nil if no contact data is stored.
  func person(_ key: PersonKey) async throws -> KnownPerson?

  /// Display names of these people; removed ones are left out.
  func names(of keys: Set<PersonKey>) async throws -> [PersonKey: String]

  /// Changes a person's contact data; begins with empty data if there is none.
  func changePerson(
    _ key: PersonKey, of team: TeamID, change: @Sendable (inout KnownPerson) throws -> Void
  ) async throws -> KnownPerson

  /// Adds a technician with contact data.
  ///
  /// - Parameter make: returns the contact data; takes the new key and the team's number of technicians.
  /// - Returns: nil if the team has a technician of this name, ignoring case; nothing is changed then.
  func addTechnician(
    _ name: String, to team: TeamID, make: @Sendable (PersonKey, _ technicians: Int) throws -> KnownPerson
  ) async throws -> KnownPerson?

  /// Deletes a person's addresses and subscriptions.
  func forget(_ key: PersonKey, of team: TeamID) async throws

  /// Removes a technician who has nothing but addresses and days off.
  ///
  /// - Returns: the holdings that prevent the removal; empty if the technician was removed.
  func removeTechnician(_ id: TechnicianID, of team: TeamID) async throws -> TechnicianHoldings
}

/// Holdings that prevent the removal of a technician.
package struct TechnicianHoldings: Hashable, Sendable {
  /// Pools assigned to the technician or imported for the technician alone.
  package let pools: Int
  /// Chemicals on the technician's truck, and profiles imported for the technician alone.
  package let records: Int
  package let reminders: Int
  package let isDefault: Bool

  package var isEmpty: Bool { pools + records + reminders == 0 && !isDefault }
}

extension Store: People {}
