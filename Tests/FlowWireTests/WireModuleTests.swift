import FlowWire
import Testing

/// Rules for interface descriptions beyond the grammar.
struct WireModuleTests {
  private static func made(_ body: String) throws -> String {
    try WireModule([("org.poolflow.X.varlink", "interface org.poolflow.X\n" + body)]).sources[0].text
  }

  @Test(arguments: [
    ("method Say() -> ()", "needs exactly one of"),
    ("#@ reads\n#@ changes: say\nmethod Say() -> ()", "needs exactly one of"),
    ("#@ changes: say {what}\n#@ partition: none\nmethod Say() -> ()", "no parameter what"),
    (
      "#@ changes: say {what}\n#@ partition: none\n#@ sensitive: what\nmethod Say(what: string) -> ()",
      "what is sensitive"
    ),
    ("#@ changes unless dry: say\n#@ partition: none\nmethod Say() -> ()", "no parameter dry"),
    ("#@ whatever\nmethod Say() -> ()", "no annotation is written 'whatever'"),
    ("#@ reads\nmethod Say(what: Thing) -> ()", "no type Thing"),
    ("#@ reads\nmethod Say(what: (a: int)) -> ()", "need a type with a name"),
    ("#@ reads\nmethod Say(a: int, a: int) -> ()", "'a' stands twice"),
    ("type Clock (auto, 12h)", "must begin with a letter"), ("type Language (en, pt-BR)", "',' is expected"),
    ("error Gone (message: string)", "has no exit code for pfctl"),
    ("#@ exit: usage\nerror Gone (name: string)", "does not begin with its message"),
    (
      "type P (key: string, value: string)\n#@ changes: say{list --KEY VALUE}\n#@ partition: all\n#@ sensitive: list.value\n"
        + "method Say(list: []P) -> ()", "the audit may only log --KEY"
    ),
  ])
  func `an incomplete description is refused with the reason`(body: String, why: String) {
    do {
      _ = try Self.made(body)
      Issue.record("it was taken")
    } catch {
      #expect("\(error)".contains(why), "\(error)")
      #expect("\(error)".hasPrefix("org.poolflow.X.varlink:"))
    }
  }

  @Test func `comments on types, replies, fields and errors are kept in the module`() throws {
    let body = """
      # One thing.
      type Thing (
        # How many
        # there are.
        count_all: int, plain: bool
      )
      # Says it.
      #@ reads
      #@ partition: none
      method Say() -> (
        # All of them.
        things: []Thing
      )
      # It is gone.
      #@ exit: usage
      error Gone (message: string)
      """
    let text = try Self.made(body)
    for line in [
      "Thing\tOne thing.", "Thing.count_all\tHow many there are.", "XCall.Say.Reply\tSays it.",
      "XCall.Say.Reply.things\tAll of them.", #".gone, exitCode: ExitCode.usage, meaning: "It is gone."),"#,
    ] {
      #expect(text.contains(line + "\n"), "\(line)")
    }
    #expect(!text.contains("Thing.plain"))
  }

  @Test func `a method becomes a call type with its names, audit text and reply`() throws {
    let text = try Self.made(
      """
      # Says it.
      #@ changes: say {what}{--at as_of}{--loud}
      #@ partition: all
      #@ report: numbers as_of; hides what
      method Say(what: string, as_of: ?string, loud: bool) -> (said_at: string)
      """)
    for line in [
      #"package static let method = "org.poolflow.X.Say""#, "package static let changes = true",
      "package let asOf: String?", #"self.asOf = try wire.optional("as_of")"#, "package let saidAt: String",
      #"AuditText.option("--at", asOf)"#, #"loud ? " --loud" : """#,
      "func say(_ call: XCall.Say, _ caller: Caller) async throws -> XCall.Say.Reply",
    ] {
      #expect(text.contains(line), "\(line)")
    }
  }

  @Test func `annotations set a call's kind of work, also for streamed answers`() throws {
    func made(_ annotations: String) throws -> String {
      try Self.made("#@ reads\n#@ partition: none\n\(annotations)\nmethod Say() -> (text: string)\n")
    }
    let long = "package static let work = CallWork.long"
    let waiting = "package static let work = CallWork.watching"
    let following = "package static let streamingWork = CallWork.watching"
    #expect(try made("#@ long").contains(long))
    #expect(try made("#@ waits").contains(waiting))
    let followed = try made("#@ streams\n#@ waits with more")
    #expect(followed.contains(following) && !followed.contains(waiting))
    #expect(try !made("#@ lengthy").contains("streamsAtLength"))
    #expect(try made("#@ streams\n#@ lengthy without more").contains("package static let streamsAtLength = false"))
  }

  @Test func `a type that two interfaces share must be the same in both`() {
    func interface(_ name: String, _ fields: String) -> (String, String) {
      ("org.poolflow.\(name).varlink", "interface org.poolflow.\(name)\ntype T (\(fields))\n")
    }
    #expect(throws: Never.self) { try WireModule([interface("A", "a: int"), interface("B", "a: int")]) }
    #expect(throws: WireModule.Failure.self) {
      try WireModule([interface("A", "a: int"), interface("B", "a: string")])
    }
  }

  @Test func `a type of an imported module is used from there, and must be the same`() throws {
    let engine = WireModule.Import(
      "FlowControl", [("org.poolflow.A.varlink", "interface org.poolflow.A\ntype T (a: int)\n")])
    func module(_ fields: String) throws -> String {
      let text =
        "interface org.poolflow.B\ntype T (\(fields))\n#@ reads\n#@ partition: none\nmethod Say() -> (t: T, u: U)\ntype U (b: int)\n"
      return try WireModule([("org.poolflow.B.varlink", text)], named: "ToyControl", importing: [engine]).sources[0]
        .text
    }
    let text = try module("a: int")
    #expect(text.contains("\npackage import FlowControl\n"))
    #expect(text.contains("struct U:") && !text.contains("struct T:") && text.contains("package let t: T"))
    #expect(throws: WireModule.Failure.self) { try module("a: string") }
  }

  @Test func `the list of a module names its interfaces, without files that only declare types`() throws {
    let module = try WireModule(
      [
        ("org.poolflow.A.varlink", "interface org.poolflow.A\n#@ exit: usage\nerror Gone (message: string)\n"),
        ("org.poolflow.Types.varlink", "interface org.poolflow.Types\ntype T (a, b)\n"),
      ], named: "ToyControl")
    let list = try #require(module.sources.last)
    #expect(list.name == WireModule.listName)
    #expect(list.text.contains("package static var toyControl: [InterfaceDescription] { [.a] }"))
    #expect(module.sources[1].text.contains("enum T:") && !module.sources[1].text.contains("InterfaceDescription"))
  }

  @Test func `a file whose name differs from its interface is refused`() {
    #expect(throws: WireModule.Failure.self) {
      try WireModule([("org.poolflow.A.varlink", "interface org.poolflow.B\n")])
    }
  }
}
