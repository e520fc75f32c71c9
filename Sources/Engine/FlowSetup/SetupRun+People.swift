internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

extension SetupRun {
  /// Sets the addresses of the named contacts, then asks for those of the office and the technicians.
  func setUpPeople(_ name: String) throws {
    var named: Set<String> = []
    for contact in flags.contacts {
      guard let known = try resolvingName(contact, of: name) else { continue }
      named.insert(known.name.lowercased())
      _ = try setUpContact(known, of: name, again: false)
    }
    guard isInteractive else { return }
    let state = try currentState(name)
    let setup = trade.setup
    let workers = state.technicians(of: name).filter { !setup.technicianNeedsRecords || $0.records > 0 }
    var asked = (state.people.filter(\.isOffice) + workers).filter { !named.contains($0.name.lowercased()) }
    if !asked.contains(where: \.isOffice), !named.contains(SetupContact.office) {
      asked.append(SetupState.Person(name: SetupContact.office, isOffice: true, addresses: [:], records: 0))
    }
    for person in asked {
      guard person.addresses.isEmpty else {
        say("\(person.name): reached by \(person.addresses.keys.sorted().joined(separator: ", "))")
        continue
      }
      let whose =
        person.isOffice
        ? "the office, which gets notices of \(setup.officeSubjects)"
        : person.name
          + (setup.technicianNeedsRecords ? ", \(TextFormat.count(person.records, trade.records.one))" : "")
      while true {
        let addresses = try optionalAnswer(
          "Address of \(whose), such as mail:a@example.com [none]", SetupContact.addresses)
        guard let addresses else { break }
        if try setUpContact(SetupContact(name: person.name, addresses: addresses), of: name, again: true) { break }
      }
    }
    while true {
      let contact = try optionalAnswer("Another technician, NAME=CHANNEL:ADDRESS [none]") {
        text throws(InvalidAnswer) in try SetupContact(text)
      }
      guard let contact else { return }
      if let known = try resolvingName(contact, of: name) { _ = try setUpContact(known, of: name, again: true) }
    }
  }

  /// - Returns: false if the address was refused; the reason has been printed.
  private func setUpContact(_ contact: SetupContact, of name: String, again: Bool) throws -> Bool {
    let state = try currentState(name)
    let plan = SetupPlan(team: name, state: state)
    let steps = plan.personSteps(contact)
    // A known contact that can be reached only now also gets a test notice.
    guard !steps.isEmpty || hasNewServers else { return true }
    guard try attempt(steps, again: again) else { return false }
    for channel in contact.addresses.map(\.channel) {
      if servedChannels == nil, state.sinks.isEmpty {
        say("no program delivers \(channel.rawValue) yet: \(SetupServers.advice(for: channel, team: name))")
      } else if servedChannels?.contains(channel.rawValue) == false {
        say("no program delivers \(channel.rawValue) yet: poolflow-post(1) explains how to set up its channel")
      }
    }
    guard flags.sendsTests, !state.sinks.isEmpty || (isDryRun && !flags.servers.isEmpty) else { return true }
    if again, try !confirms("Send \(contact.name) a test now?") { return true }
    for step in plan.testSteps(contact) { try performContinuingOnFailure(step) }
    return true
  }
}
