internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

extension SetupRun {
  /// The contact with the name of the matching technician, or of a new one.
  ///
  /// - Returns: nil if the person at the terminal withdraws the answer.
  /// - Throws: `CommandFailure` if the name is ambiguous and there is no terminal.
  func resolvingName(_ contact: SetupContact, of team: String) throws -> SetupContact? {
    if contact.name.lowercased() == SetupContact.office { return contact }
    let option = isInteractive ? "" : "--tell: "
    if NameMatch.areEqual(contact.name, team) {
      return try refuse("\(option)\(contact.name) is the team, not a technician; write office=… for its office")
    }
    func named(_ name: String) -> SetupContact { SetupContact(name: name, addresses: contact.addresses) }
    switch NameMatch(contact.name, among: try currentState(team).technicians(of: team).map(\.name)) {
    case .same(let name): return named(name)
    case .none: return contact
    case .part(let name):
      say("\(contact.name) means \(name), the only technician with that name")
      return named(name)
    case .near(let names):
      guard isInteractive else {
        return try refuse(
          "\(option)\(team) has no technician \(contact.name); did you mean \(names.joined(separator: " or "))? Write "
            + "the whole name; to add a new technician of this name: `pfctl technician add \(shellWord(contact.name)) "
            + "--team \(team)`"
        )
      }
      return try ask(contact, near: names)
    }
  }

  private func refuse(_ sentence: String) throws(CommandFailure) -> SetupContact? {
    guard isInteractive else { throw CommandFailure.usage(visible(sentence)) }
    say("! \(sentence)")
    return nil
  }

  private func ask(_ contact: SetupContact, near names: [String]) throws -> SetupContact? {
    for name in names {
      let isConfirmed = try confirms("No technician is called \(contact.name). Do you mean \(name)?")
      if isConfirmed { return SetupContact(name: name, addresses: contact.addresses) }
    }
    return try confirms("Add \(contact.name) as a new technician?", standard: false) ? contact : nil
  }
}
