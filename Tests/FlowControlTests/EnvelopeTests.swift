import FlowControl
import Testing

struct EnvelopeTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `a call is encoded as the protocol requires`() throws {
    let call = try Envelope.call(SchedulerCall.Next(job: "morning-summary", team: nil, count: 4))
    #expect(
      text(call)
        == #"{"method":"org.poolflow.Scheduler.Next","parameters":{"count":4,"job":"morning-summary"}}"#)
    let stream = try Envelope.call(SchedulerCall.Simulate(days: 1), more: true)
    #expect(try Envelope.head(of: stream).more)
    #expect(try Envelope.head(of: Envelope.call(TeamsCall.List(), oneway: true)).oneway)
  }

  @Test func `a call is decoded as encoded`() throws {
    let call = TeamsCall.Set(name: "desert", changes: [SettingChangeView(key: "zone", value: "Europe/Berlin")])
    let again = try Envelope.parameters(of: Envelope.call(call), as: TeamsCall.Set.self)
    #expect(String(reflecting: again) == String(reflecting: call))
  }

  @Test(arguments: [
    #"{"method":"org.poolflow.Teams.List"}"#, #"{"method":"org.poolflow.Teams.List","parameters":{}}"#,
    #"{"method":"org.poolflow.Teams.List","parameters":null}"#,
  ])
  func `a call may omit parameters that are all optional`(frame: String) throws {
    let call = try Envelope.parameters(of: Array(frame.utf8), as: TeamsCall.List.self)
    #expect(String(reflecting: call) == String(reflecting: TeamsCall.List()))
    #expect(try Envelope.head(of: Array(frame.utf8)).method == "org.poolflow.Teams.List")
  }

  @Test(arguments: [
    (#"{"method":"org.poolflow.Teams.Set"}"#, "name"),
    (#"{"parameters":{"name":1,"changes":[]}}"#, "name"),
    (#"{"parameters":{"name":"x","changes":[{"key":"zone"}]}}"#, "changes.0.value"),
    (#"{"parameters":{"name":"x","changes":[],"force":true}}"#, "force"),
    (#"{"parameters":[]}"#, ""),
  ])
  func `a missing, invalid or unknown parameter is named`(frame: String, parameter: String) {
    #expect {
      try Envelope.parameters(of: Array(frame.utf8), as: TeamsCall.Set.self)
    } throws: { error in
      let error = error as? ControlError
      return error?.kind == .invalidParameter && error?.facts["parameter"] == parameter
    }
  }

  @Test(arguments: ["", "x", "[]", "{}", "{\"method\":5}", "{\"method\":\"a\",\"more\":1}", "\u{0}", "[[[[", "1e999"])
  func `bytes that are no call are refused`(frame: String) {
    #expect(throws: ControlError.self) { try Envelope.head(of: Array(frame.utf8)) }
  }

  @Test(arguments: [
    (#"{"method":"org.poolflow.Teams.List","method":"org.poolflow.Teams.Clear"}"#, "method"),
    (#"{"method":"a","parameters":{},"parameters":{}}"#, "parameters"),
    (#"{"method":"a","oneway":false,"\u006fneway":true}"#, "oneway"),
    (#"{"method":"a","parameters":{"name":"x","name":"y"}}"#, "name"),
    (#"{"method":"a","parameters":{"changes":[{"key":"zone","value":"a","key":"plan"}]}}"#, "changes.0.key"),
    (#"{"method":"a","unknown":{"x":1,"x":1}}"#, "unknown.x"),
  ])
  func `a call with a duplicate key is refused with the key`(frame: String, key: String) {
    #expect {
      try Envelope.head(of: Array(frame.utf8))
    } throws: { error in
      let error = error as? ControlError
      return error?.kind == .badValue && error?.facts["field"] == key && error?.message.contains("twice") == true
    }
  }

  @Test(arguments: [
    (#""name":"a","plan":"gold""#, "plan cannot be 'gold': it is one of free, trial, paid"),
    (#""name":"a","plan":"""#, "plan is missing: it is one of free, trial, paid"),
    (#""name":"a","plan":"\u202Epaid""#, "it is one of free, trial, paid"),
  ])
  func `an unknown enum value is refused and the valid ones are listed`(parameters: String, said: String) {
    let frame = Array(#"{"method":"org.poolflow.Teams.Plan","parameters":{\#(parameters)}}"#.utf8)
    #expect {
      try Envelope.parameters(of: frame, as: TeamsCall.Plan.self)
    } throws: { error in
      let error = error as? ControlError
      return error?.kind == .badValue && error?.facts["field"] == "plan" && error?.message.contains(said) == true
    }
  }

  @Test func `an answer with an unknown enum value fails and names the field`() {
    let answer = #"{"parameters":{"findings":[{"area":"disk","gravity":"odd","message":""}]}}"#
    #expect {
      try Envelope.read(Array(answer.utf8), as: DaemonCall.Examine.Reply.self)
    } throws: { error in
      let error = error as? ControlError
      return error?.kind == .internal && error?.message.contains("findings.0.gravity") == true
    }
  }

  @Test func `the pages of a list add up to the whole list`() throws {
    let teams = (0..<450).map { number in
      TeamView(
        name: "team-\(number)", zone: "UTC", language: "en", units: .imperial, objective: .time, plan: .paid,
        trialExpiresAt: nil, trialExpiresLocal: nil, clock: "auto", currency: .USD, settings: Samples.team.settings,
        technicians: [], pools: number, createdAt: "2026-11-01T00:00:00Z")
    }
    let whole = TeamsCall.List.Reply(teams: teams)
    var joined = whole.page(from: 0, count: 200)
    #expect(joined.teams.count == 200)
    joined.append(whole.page(from: 200, count: 200))
    joined.append(whole.page(from: 400, count: 200))
    #expect(try Envelope.answer(joined) == Envelope.answer(whole))
    #expect(whole.page(from: 450, count: 200).teams.isEmpty)
  }

  @Test func `nesting without end is refused and not followed`() {
    #expect(throws: ControlError.self) { try Envelope.head(of: Array(repeating: UInt8(ascii: "["), count: 500_000)) }
  }

  @Test func `an answer and its continuation are read back`() throws {
    let reply = TeamsCall.Plan.Reply(team: Samples.team, replanned: [ReplannedView(job: "trial-reminder")])
    let last = try Envelope.read(Envelope.answer(reply), as: TeamsCall.Plan.Reply.self)
    #expect(String(reflecting: last.reply) == String(reflecting: reply))
    #expect(!last.continues)
    #expect(try Envelope.read(Envelope.answer(reply, continues: true), as: TeamsCall.Plan.Reply.self).continues)
  }

  @Test func `an error arrives with its name, sentence and facts`() {
    let error = ControlError.noSuchTeam("dsert", suggestion: "desert")
    #expect(
      text(Envelope.error(error)) == #"{"error":"org.poolflow.Teams.NoSuchTeam","parameters":"#
        + #"{"message":"no team is called 'dsert'; did you mean 'desert'?","name":"dsert","suggestion":"desert"}}"#)
    #expect(throws: error) { try Envelope.read(Envelope.error(error), as: TeamsCall.List.Reply.self) }
  }

  @Test func `an unknown error is shown with its name and parameters`() {
    let unknown = #"{"error":"org.poolflow.Teams.OnFire","parameters":{"degrees":4,"where":"attic"}}"#
    #expect {
      try Envelope.read(Array(unknown.utf8), as: TeamsCall.List.Reply.self)
    } throws: { error in
      guard let error = error as? ControlError else { return false }
      let catalogue = InterfaceCatalogue([.flowControl])
      return !catalogue.errors.contains { $0.kind == error.kind } && error.name == "org.poolflow.Teams.OnFire"
        && error.message == "the daemon answers OnFire: where 'attic'"
        && catalogue.exitCode(of: error) == ExitCode.internalFault
    }
  }

  @Test func `an answer that cannot be understood is a fault, not a crash`() {
    for frame in ["", "{}", "{\"parameters\":{}}", "{\"parameters\":{\"team\":{}}}", "\u{FFFD}"] {
      #expect(throws: ControlError.self) { try Envelope.read(Array(frame.utf8), as: TeamsCall.Show.Reply.self) }
    }
  }
}

enum Samples {
  static let team = TeamView(
    name: "desert", zone: "America/Phoenix", language: "en", units: .imperial, objective: .time, plan: .trial,
    trialExpiresAt: "2026-12-05T07:00:00Z", trialExpiresLocal: "Sat 2026-12-05 00:00 MST", clock: "auto",
    currency: .USD,
    settings: TeamSettingsView(
      notifications: true, morningSummary: true, lowStock: true, weeklyDigest: false, morningTime: "07:00"),
    technicians: [TechnicianView(name: "Maria", isDefault: true, pools: 3)], pools: 3,
    createdAt: "2026-11-01T00:00:00Z")
}
