import FlowWork
package import FlowModel

extension Store {
  package func people(of team: TeamID) throws -> [KnownPerson] { try connection.people(of: team) }

  package nonisolated func person(_ key: PersonKey) async throws -> KnownPerson? {
    try await readConcurrently(isMany: true) { try $0.person(key) }
  }

  package func names(of keys: Set<PersonKey>) throws -> [PersonKey: String] {
    var names: [PersonKey: String] = [:]
    for key in keys {
      switch key {
      case .office: names[key] = key.word
      case .customer: names[key] = "a customer"
      case .technician(let id):
        names[key] = try connection.first("SELECT name FROM technicians WHERE technician_id = ?", .integer(id.number)) {
          row throws(StoreError) in row.text(0)
        }
      }
    }
    return names
  }

  package func changePerson(
    _ key: PersonKey, of team: TeamID, change: @Sendable (inout KnownPerson) throws -> Void
  ) throws -> KnownPerson {
    try connection.transaction(of: [team]) {
      var person =
        try connection.person(key)
        ?? KnownPerson(Person(key: key, wants: try connection.defaultSubscriptions(of: key, team)))
      try change(&person)
      try connection.keep(person, of: team)
      return try connection.person(key) ?? person
    }
  }

  package func addTechnician(
    _ name: String, to team: TeamID, make: @Sendable (PersonKey, Int) throws -> KnownPerson
  ) throws -> KnownPerson? {
    try connection.transaction(of: [team]) {
      let known = try connection.technicians(of: team)
      guard !known.contains(where: { $0.name.lowercased() == name.lowercased() }) else { return nil }
      let person = try make(.technician(try connection.technician(named: name, of: team)), known.count)
      try connection.keep(person, of: team)
      return person
    }
  }

  package func forget(_ key: PersonKey, of team: TeamID) throws {
    try connection.transaction(of: [team]) { try connection.forget(key, of: team) }
  }

  package func removeTechnician(_ id: TechnicianID, of team: TeamID, today: CivilDate) throws -> TechnicianHoldings {
    try connection.transaction(of: [team]) {
      let holdings = try connection.holdings(of: id, team: team, today: today)
      if holdings.isEmpty {
        try connection.run(
          "DELETE FROM technicians WHERE team_id = ? AND technician_id = ?", .integer(team.number), .integer(id.number))
      }
      return holdings
    }
  }
}

extension Connection {
  /// The subscriptions of a person without a stored choice.
  fileprivate func defaultSubscriptions(of key: PersonKey, _ id: TeamID) throws(StoreError) -> Set<
    Person.Subscription
  > {
    guard let team = try self.team(id) else { return [] }
    return trades.jobs.of(team.trade).defaultSubscriptions(of: key)
  }

  private static let personColumns = """
    people.technician_id, people.team_id, people.language, quiet, wants, addresses, teams.language AS team_language,
    teams.zone AS team_zone,
    coalesce(technicians.name, teams.name) AS person_name
    FROM people JOIN teams ON teams.team_id = people.team_id
      LEFT JOIN technicians ON technicians.technician_id = people.technician_id
    """

  package func people(of team: TeamID) throws(StoreError) -> [KnownPerson] {
    try rows(
      "SELECT \(Self.personColumns) WHERE people.team_id = ? ORDER BY coalesce(people.technician_id, 0)",
      .integer(team.number)
    ) { row throws(StoreError) in try Self.person(row) }
  }

  func person(_ key: PersonKey) throws(StoreError) -> KnownPerson? {
    switch key {
    case .technician(let id):
      try first("SELECT \(Self.personColumns) WHERE people.technician_id = ?", .integer(id.number)) {
        row throws(StoreError) in try Self.person(row)
      }
    case .office(let team):
      try first(
        "SELECT \(Self.personColumns) WHERE people.team_id = ? AND people.technician_id IS NULL", .integer(team.number)
      ) {
        row throws(StoreError) in try Self.person(row)
      }
    // A customer has no record here; the notice names the pool.
    case .customer: nil
    }
  }

  /// Reads a row with `personColumns`.
  ///
  /// - Throws: `StoreError.damaged` for unreadable quiet hours, subscriptions or addresses.
  private static func person(_ row: Statement) throws(StoreError) -> KnownPerson {
    let quiet = row.text("quiet")
    let hours = QuietHours(quiet)
    guard quiet.isEmpty || hours != nil else { throw .damaged(table: "people", column: "quiet", value: quiet) }
    let words = row.text("wants").split(separator: " ").map(String.init)
    let known = row.trades.jobs.every.subscriptions
    let wants = words.map { Person.Subscription(rawValue: $0) }.filter(known.contains)
    guard wants.count == words.count else {
      throw .damaged(table: "people", column: "wants", value: row.text("wants"))
    }
    // Never quote addresses in an error.
    guard let addresses = Addresses(lines: row.text("addresses")) else {
      throw .damaged(table: "people", column: "addresses", value: "…")
    }
    let technician = row.optionalInteger("technician_id").map { TechnicianID($0) }
    return KnownPerson(
      Person(
        key: technician.map { .technician($0) } ?? .office(TeamID(row.integer("team_id"))),
        language: row.isNull("language") ? nil : try row.word("language", table: "people"), quiet: hours,
        wants: Set(wants)),
      addresses: addresses, name: row.text("person_name"), zone: row.text("team_zone"),
      teamLanguage: try row.word("team_language", table: "teams"))
  }

  /// Deletes a person's contact data.
  fileprivate func forget(_ key: PersonKey, of team: TeamID) throws(StoreError) {
    var technician: Int64?
    if case .technician(let id) = key { technician = id.number }
    try run(
      "DELETE FROM people WHERE team_id = ? AND technician_id IS ?", .integer(team.number), .optional(technician))
  }

  /// Replaces a person's contact data.
  fileprivate func keep(_ known: KnownPerson, of team: TeamID) throws(StoreError) {
    let person = known.person
    var technician: Int64?
    if case .technician(let id) = person.key { technician = id.number }
    let wants = trades.jobs.every.subscriptions.filter(person.wants.contains).map(\.rawValue).joined(separator: " ")
    try forget(person.key, of: team)
    try run(
      "INSERT INTO people (team_id, technician_id, language, quiet, wants, addresses) VALUES (?, ?, ?, ?, ?, ?)",
      .integer(team.number), .optional(technician), .optional(person.language?.rawValue),
      .text(person.quiet?.description ?? ""), .text(wants), .text(known.addresses.lines))
  }

  /// Counts the holdings that prevent the removal of a technician.
  fileprivate func holdings(
    of id: TechnicianID, team: TeamID, today: CivilDate
  ) throws(StoreError) -> TechnicianHoldings {
    var (main, others) = (0, 0)
    var coming: ComingWork?
    for tables in trades.stores {
      let held = try tables.holdings(of: id, team: team, on: self)
      (main, others) = (main + held.main, others + held.others)
      if let work = try tables.comingWork(of: id, team: team, from: today, on: self) { coming = work }
    }
    let found = try first(
      """
      SELECT (SELECT count(*) FROM reminders WHERE team_id = ?1 AND technician_id = ?2) AS reminders,
        (SELECT count(*) FROM technicians WHERE technician_id = ?2 AND is_default = 1) AS standard
      """, .integer(team.number), .integer(id.number)
    ) { row throws(StoreError) in (reminders: row.number("reminders"), isDefault: row.number("standard") > 0) }
    return TechnicianHoldings(
      records: main, others: others, reminders: found?.reminders ?? 0, isDefault: found?.isDefault ?? false,
      coming: coming)
  }
}
