import FlowWire
import Testing

/// The annotations that every call needs: its partition, and what a bug report keeps of its audit text.
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

  // MARK: Bug report

  /// A call whose audit text has these words, with its `#@ report`, on line 5.
  private static func audited(_ words: String, _ report: String, _ input: String) -> String {
    "type P (key: string, value: string)\n#@ changes: \(words)\n#@ partition: none\n\(report)method Set(\(input)) -> ()\n"
  }

  @Test(arguments: [
    ("set {name}", "name: string", "name"), ("set{ id}", "id: ?int", "id"),
    ("set {id|name}", "id: ?string, name: string", "id"),
    ("set{--at as_of}", "as_of: ?string", "as_of"), ("set --to {to}", "to: string", "to"),
    ("set{list --KEY VALUE}", "list: []P", "list"), ("set{list KEY=VALUE}", "list: []P", "list"),
  ])
  func `a value in the audit that no report statement covers is refused with file, line and remedy`(
    words: String, input: String, name: String
  ) {
    expectFault(
      Self.audited(words, "", input),
      "5: error: method Set writes \(name) to the audit but does not say whether a bug report keeps it: write "
        + "'#@ report: hides \(name)' (instead of 'hides' also 'teams', 'numbers', 'words', 'options')")
  }

  @Test func `a type with an audit text of its own states its values`() {
    expectFault(
      "#@ told: { id}\ntype S (id: ?string)\n#@ changes: set{which}\n#@ partition: none\nmethod Set(which: S) -> ()",
      "3: error: type S writes id to the audit but does not say whether a bug report keeps it: write "
        + "'#@ report: hides id' (instead of 'hides' also 'teams', 'numbers', 'words', 'options')")
    expectFault(
      "#@ report: hides id\ntype S (id: ?string)",
      "3: error: type S has no audit text ('#@ told'): remove its '#@ report'")
  }

  @Test(arguments: [
    (
      "set {name}", "hides name, to", "name: string, to: string",
      "does not write to to the audit: remove it from its '#@ report'"
    ),
    (
      "set{list --KEY}", "options list", "list: []P", "does not write list to the audit: remove it from its '#@ report'"
    ),
    (
      "set{list --KEY VALUE}", "options list; numbers other.temp", "list: []P",
      "does not write other.temp to the audit: remove it from its '#@ report'"
    ),
    ("set {id}", "teams id", "id: int", "has a id that is no string, so it names no team"),
    (
      "set {a} {b}", "teams b; hides a", "a: string, b: string",
      "writes b after another operand, where a bug report does not find a team"
    ),
    (
      "set {place}", "numbers place", "place: int",
      "writes place without an option: 'numbers' is for values of options"
    ),
    ("set {name}", "words name", "name: string", "has a name that is no enum: 'words' is for enums"),
    ("set {name}", "options name", "name: string", "has a name that is no list of pairs: 'options' is for pairs"),
    (
      "set{list --KEY VALUE}", "hides list", "list: []P",
      "writes the pairs list to the audit: write '#@ report: options list'"
    ),
  ])
  func `a report statement that does not fit the audit text is refused`(
    words: String, report: String, input: String, why: String
  ) {
    expectFault(Self.audited(words, "#@ report: \(report)\n", input), "6: error: method Set \(why)")
  }

  @Test(arguments: ["name", "shows name", "hides", "hides name,", "hides name; teams name", "hides one name"])
  func `an unknown form of the report is refused`(report: String) {
    expectFault(
      Self.audited("set {name}", "#@ report: \(report)\n", "name: string"),
      "5: error: no annotation is written 'report: \(report)'")
  }

  @Test(arguments: ["reads", "changes, unaudited"], ["report: hides id", "audited file: id"])
  func `a call without audit text has no annotations of it`(change: String, annotation: String) {
    expectFault(
      "#@ \(change)\n#@ partition: none\n#@ \(annotation)\nmethod Say(id: string) -> ()",
      "5: error: method Say is not audited: remove its '#@ report' and '#@ audited file'")
  }

  @Test func `an audited file is a parameter in the audit text`() throws {
    func set(_ file: String) -> String {
      Self.audited(
        "set {id|upload}", "#@ audited file: \(file)\n#@ report: hides id, upload\n", "id: ?string, upload: string")
    }
    #expect(try Self.made(set("upload")).contains("package var auditedUpload: String? { upload }"))
    expectFault(
      set("file"), "7: error: method Set writes no string file to the audit: remove its '#@ audited file'")
  }

  @Test func `the generated call states what a bug report keeps`() throws {
    let text = try Self.made(
      """
      type Kind (one, two)
      type P (key: string, value: string)
      #@ told: { id| --all}{--since}
      #@ report: numbers since; hides id
      type Which (id: ?string, since: ?string)
      #@ changes: some thing {name} {kind}{which} --team {team}{list --KEY VALUE}{--full}
      #@ partition: none
      #@ report: teams name, team; words kind; options list; numbers list.temp
      method Set(name: string, kind: Kind, which: Which, team: string, list: []P, full: bool) -> ()
      """ + "\n")
    let redaction =
      #"AuditRedaction(command: ["some", "thing"], teams: 1, options: ["since": .number, "team": .team, "temp": .number], "#
      + "words: [Kind.allCases.map(\\.rawValue)])"
    #expect(text.contains("package static let auditRedaction: AuditRedaction? = \(redaction)\n"))
    #expect(
      try Self.made(Self.audited("set", "", "")).contains(
        #"AuditRedaction(command: ["set"], teams: 0, options: [:], words: [])"#))
  }
}
