import FlowWire
import Testing

/// The annotation of its partition, which every call needs.
struct CallAnnotationTests {
  private static func made(_ body: String) throws -> String {
    try WireModule([("org.poolflow.X.varlink", "interface org.poolflow.X\n" + body)]).sources[0].text
  }

  private func expectFault(_ body: String, _ fault: String) {
    do {
      _ = try Self.made(body)
      Issue.record("it was accepted")
    } catch {
      #expect("\(error)" == "org.poolflow.X.varlink:\(fault)")
    }
  }

  // MARK: Partition

  @Test func `a call without its partition is refused with file, line and remedy`() {
    let remedy = "write '#@ partition: team', 'server', 'all' or 'none'"
    expectFault("\n#@ reads\nmethod Say() -> ()", "4: error: method Say needs exactly one partition: \(remedy)")
    expectFault(
      "#@ changes, unaudited\nmethod Set() -> ()", "3: error: method Set needs exactly one partition: \(remedy)")
    expectFault(
      "#@ changes, unaudited\n#@ partition: all\n#@ partition: none\nmethod Set() -> ()",
      "5: error: method Set needs exactly one partition: \(remedy)")
  }

  @Test(arguments: [
    ("team", "", "has no parameter team, which its partition needs"),
    ("team in name", "team: string", "has no parameter name, which its partition needs"),
    ("team in name", "name: int", "has a name that is no string, so it names no team"),
    ("team", "team: ?string", "needs the partition for calls without team: '#@ partition: team, else server'"),
    ("team, else server", "team: string", "always has a team: write its partition without 'else'"),
    ("team of upload, else all", "", "has no parameter upload of type string, which its partition needs"),
    (
      "team of file", "file: string",
      "needs the partition for an unknown upload: '#@ partition: team of file, else all'"
    ),
  ])
  func `a partition that does not fit the parameters is refused`(partition: String, input: String, why: String) {
    expectFault(
      "#@ changes, unaudited\n#@ partition: \(partition)\nmethod Set(\(input)) -> ()", "4: error: method Set \(why)")
  }

  @Test func `a reading call concerns no partition`() {
    expectFault(
      "#@ reads\n#@ partition: team\nmethod Say(team: string) -> ()",
      "4: error: method Say only reads, so any node answers it: write '#@ partition: none'")
  }

  @Test(arguments: ["teams", "server, else all", "team, else", "team, else nowhere", "team in", "team of a b"])
  func `an unknown partition is refused`(partition: String) {
    expectFault(
      "#@ changes, unaudited\n#@ partition: \(partition)\nmethod Set(team: string) -> ()",
      "3: error: no annotation is written 'partition: \(partition)'")
  }

  @Test(arguments: [
    ("none", "", ".none"), ("server", "", ".server"), ("all", "team: string", ".all"),
    ("team", "team: string", ".team(team)"), ("team in group_name", "group_name: string", ".team(groupName)"),
    ("team, else server", "team: ?string", "team.map { CallPartition.team($0) } ?? CallPartition.server"),
    ("team of upload, else all", "upload: string", ".teamOfUpload(upload, otherwise: .all)"),
  ])
  func `the generated call states its partition`(partition: String, input: String, expression: String) throws {
    let text = try Self.made("#@ changes, unaudited\n#@ partition: \(partition)\nmethod Set(\(input)) -> ()\n")
    #expect(text.contains("package var partition: CallPartition { \(expression) }"))
  }

  @Test func `a parameter team is the named team of the call`() throws {
    func isNamed(_ input: String) throws -> Bool {
      try Self.made("#@ reads\n#@ partition: none\nmethod Say(\(input)) -> ()\n").contains(
        "package var namedTeam: String? { team }")
    }
    #expect(try isNamed("team: string") && isNamed("team: ?string"))
    #expect(try !isNamed("team: int") && !isNamed("name: string"))
  }
}
