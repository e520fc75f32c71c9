internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowPlatform

/// Redaction of the report's documents, member by member.
extension Redaction {
  /// How a member's value is redacted.
  private enum Treatment {
    /// A time, a code or an enum value.
    case kept
    case name(PersonalName.Kind)
    /// Team names separated by spaces, as in the settings.
    case teams
    /// A caller such as `anna (uid 1000)`.
    case caller
    case job
    case id
    /// An audit line.
    case command
    /// Free text, removed.
    case omitted
    /// Anything else: a sentence, a path, a sink's name.
    case sentence
  }

  private static let kept: Set<String> = [
    "version", "started_at", "now", "clock", "disk", "at", "local", "zone", "rule", "state", "next", "next_local",
    "last", "last_local", "last_result", "last_reason", "trigger", "outcome", "reason", "slot", "slot_local", "kind",
    "from", "until", "until_local", "finished_at", "since", "result", "gravity", "area", "key", "engine", "loaded_at",
    "pfctl",
    // The report's own members.
    "slotLocal", "nextTryAt", "startedAt", "finishedAt", "createdAt", "sentAt",
  ]

  private static func treatment(of member: String) -> Treatment {
    switch member {
    case "team": .name(.team)
    case "Teams": .teams
    case "recipient": .name(.technician)
    case "user": .name(.user)
    case "set_by": .caller
    case "job", "Jobs": .job
    case "id", "notice_id", "noticeId": .id
    case "command": .command
    // The note of the next slot can be the text of a day off.
    case "note", "Connection", "BaseURL": .omitted
    default: kept.contains(member) ? .kept : .sentence
    }
  }

  /// A redacted document of the report.
  mutating func document(_ value: some Encodable) throws -> JSONTree {
    let tree = try JSONTree(try Envelope.encode(value))
    // The first pass learns all names: a sentence may contain a name whose own member comes later.
    _ = redacted(tree, member: "")
    return redacted(tree, member: "")
  }

  private mutating func redacted(_ tree: JSONTree, member: String) -> JSONTree {
    switch tree {
    case .object(let members):
      // In a list of settings, the member `key` decides how its `value` is redacted.
      var key: String?
      if case .text(let text)? = tree["key"] { key = text }
      var result: [(name: String, value: JSONTree)] = []
      for (name, value) in members {
        result.append((name, redacted(value, member: name == "value" ? key ?? name : name)))
      }
      return .object(result)
    case .list(let values):
      var result: [JSONTree] = []
      for value in values { result.append(redacted(value, member: member)) }
      return .list(result)
    case .text(let text): return .text(redacted(text, member: member))
    case .integer, .number, .boolean, .null: return tree
    }
  }

  private mutating func redacted(_ text: String, member: String) -> String {
    switch Self.treatment(of: member) {
    case .kept: return text
    case .name(let kind): return name(text, kind)
    case .teams: return text.split(separator: " ").map { word(for: String($0), .team) }.joined(separator: " ")
    case .caller:
      let name = String(text[..<(text.ranges(of: " (uid ").last?.lowerBound ?? text.startIndex)])
      return self.name(name, .user) + text.dropFirst(name.count)
    case .job: return text.split(separator: " ").map { job(String($0)) }.joined(separator: " ")
    case .id: return id(text)
    case .command: return command(text)
    case .omitted: return text.isEmpty ? text : Self.placeholder
    case .sentence: return sentence(text)
    }
  }

  /// Offices and system users are kept: they identify no person.
  private mutating func name(_ text: String, _ kind: PersonalName.Kind) -> String {
    switch kind {
    case .user where Self.systemUsers.contains(text): text
    case .technician where text == "office": text
    default: word(for: text, kind)
    }
  }

  private static let systemUsers: Set<String> = ["root", "poolflow", "user"]

  // MARK: Known names

  /// Learns the user names of the caller, which often occur in paths.
  mutating func learn(environment: [String: String]) {
    for user in [Accounts.userName(Accounts.ownUID), environment["SUDO_USER"]] {
      if let user { _ = name(user, .user) }
    }
  }

  /// Learns every name that the daemon knows.
  mutating func learn(from daemon: DaemonConnection, _ catalogue: CommandCatalogue) throws {
    for team in try daemon.ask(TeamsCall.List()).teams {
      word(for: team.name, .team)
      for technician in team.technicians { word(for: technician.name, .technician) }
      let trade = catalogue.trade(named: team.trade)
      for name in try trade?.personalNames(team.name, daemon) ?? [] {
        word(for: name.text, name.kind)
      }
    }
    for entry in try daemon.ask(DaemonCall.Audit(limit: 200)).entries {
      if let user = entry.user { _ = name(user, .user) }
    }
    for view in try daemon.ask(SchedulerCall.List()).jobs {
      let job = job(view.job)
      if job == view.job { addSafeWord(job) }
      addSafeWord(view.zone)
    }
    for sink in try daemon.ask(SchedulerCall.Status()).sinks { addSafeWord(sink.name) }
  }
}
