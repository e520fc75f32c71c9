import FlowModel
import FlowSettings
import PoolModel
import Testing
import TradeCommands

@testable import FlowCommandKit
@testable import FlowSetup

/// `pfctl setup` as values: answers, the daemon's state, the resulting commands and files.
struct SetupPlanTests {
  func contact(_ text: String) throws -> SetupContact { try SetupContact(text) }

  func lines(_ steps: [SetupStep], reveal: Bool = true) -> [String] { steps.map { $0.line(reveal: reveal) } }

  private let blue = SetupState.Team(
    zone: "America/Phoenix", language: "en", morning: "07:00", trade: .poolService, records: 12)

  @Test func `a missing team is added, and an existing one changed where it differs`() {
    let new = SetupPlan(team: "desert-blue", state: SetupState())
    #expect(
      lines(new.teamSteps(zone: "America/Phoenix", language: "es"))
        == ["pfctl team add desert-blue --zone America/Phoenix --language es"])
    #expect(lines(new.morningSteps("07:00")) == [])
    #expect(lines(new.morningSteps("06:45")) == ["pfctl team set desert-blue morning-time=06:45"])
    let known = SetupPlan(team: "desert-blue", state: SetupState(team: blue))
    #expect(known.teamSteps(zone: "America/Phoenix", language: nil) == [])
    #expect(
      lines(known.teamSteps(zone: "America/Denver", language: "de"))
        == ["pfctl team set desert-blue zone=America/Denver language=de"])
    #expect(known.morningSteps("07:00") == [])
    var silent = blue
    silent.hasMorningNotice = false
    #expect(
      lines(SetupPlan(team: "t", state: SetupState(team: silent)).morningSteps("07:00"))
        == ["pfctl team set t notifications=on morning-summary=on"])
  }

  @Test func `a known person is changed, a new one added, a known address kept`() throws {
    let people = [
      SetupState.Person(name: "Maria", isOffice: false, addresses: ["mail": "maria@example.com"], records: 8),
      SetupState.Person(name: "Blue", isOffice: true, addresses: [:], records: 0),
    ]
    let plan = SetupPlan(team: "t", state: SetupState(team: blue, people: people, sinks: ["post"]))
    #expect(try plan.personSteps(contact("maria=mail:maria@example.com")) == [])
    #expect(
      try lines(plan.personSteps(contact("maria=mail:maria@example.com,ntfy:route-maria")))
        == ["pfctl technician set maria --team t --ntfy route-maria"])
    #expect(
      try lines(plan.personSteps(contact("Jo Ann=jo@example.com")))
        == ["pfctl technician add 'Jo Ann' --team t --mail jo@example.com"])
    #expect(
      try lines(plan.personSteps(contact("office=slack:crew"))) == ["pfctl technician set office --team t --slack crew"]
    )
    #expect(
      try lines(plan.personSteps(contact("-x=telegram:@xpools"))) == [
        "pfctl technician add --team t --telegram @xpools -- -x"
      ])
    #expect(
      try lines(plan.testSteps(contact("O'Hara=o@example.com"))) == [#"pfctl technician test 'O'\''Hara' --team t"#])
    // Output for a non-terminal contains no address.
    #expect(
      try lines(plan.personSteps(contact("Jo=mail:jo@example.com,matrix:!a:b.org")), reveal: false)
        == ["pfctl technician add Jo --team t --mail ADDRESS --matrix ADDRESS"])
  }

  @Test func `only a rule for one time of every day has a time`() {
    #expect(SetupTime.time("*-*-* 06:45") == "06:45")
    for rule in ["Mon *-*-* 09:00:00", "*-*-* 09:00:30", "*-*-* 08..10:00:00", "", "*-*-* "] {
      #expect(SetupTime.time(rule) == nil, "\(rule)")
    }
  }

  @Test func `every step of a plan is a valid pfctl command line`() throws {
    let plan = SetupPlan(team: "t", state: SetupState())
    let person = try contact("-x=mail:x@example.com,ntfy:x,telegram:-1001,matrix:!a:b.org,slack:a,teams:b,webhook:c")
    let steps =
      plan.teamSteps(zone: "Europe/Berlin", language: "de") + plan.importSteps("-file.zip") + plan.morningSteps("06:00")
      + plan.personSteps(person) + plan.testSteps(person) + plan.pageSteps("2026-03-07")
    #expect(steps.count == 6)
    try expectValid(steps)
    #expect(try Arguments(plan.personSteps(person)[0].words, in: .every).operands == ["-x"])
  }

  /// Expects each step to be a valid `pfctl` command line.
  func expectValid(_ steps: [SetupStep]) throws {
    for step in steps {
      let arguments = try Arguments(step.words, in: .every)
      #expect(!arguments.operands.isEmpty || arguments.has("team"), "\(step)")
    }
  }

  @Test(
    arguments: [
      ("", "such as"), ("maria", "write NAME="), ("=mail:a@b.c", "the name before the = is missing"),
      ("Maria=", "CHANNEL:ADDRESS"),
      ("Maria=mail:", "the address after the colon is missing"), ("Maria=mail:maria example.com", "one @"),
      ("Maria=a@b@c", "one @"),
      ("Maria=fax:123", "the channels are"), ("Maria=tlegram:@maria", "did you mean telegram?"),
      ("Maria=mail:a@b.c,mail:d@e.f", "twice"), ("Maria=ntfy:route maria", "a topic is"),
      ("Maria=mail:a@b.c,", "CHANNEL"),
      ("Maria=telegram:maria", "a chat's number"),
    ])
  func `an invalid address is refused without being quoted`(text: String, why: String) {
    let error = #expect(throws: InvalidAnswer.self) { try SetupContact(text) }
    #expect(error?.why.contains(why) == true, "\(error?.why ?? "")")
    for secret in ["maria example", "d@e.f", "a@b@c", "route maria", "fax:123"] {
      #expect(error?.why.contains(secret) == false)
    }
  }

  @Test func `a zone is case-insensitive, and an unknown one suggests similar zones`() throws {
    let names = ["America/Denver", "America/New_York", "America/Phoenix", "Europe/Berlin", "US/Arizona"]
    func zone(_ text: String) throws -> String {
      try SetupAnswer.zone(text, isKnown: names.contains, names: { names })
    }
    #expect(try zone("Europe/Berlin") == "Europe/Berlin")
    #expect(try zone("america/new york") == "America/New_York")
    for (typed, near) in [
      ("America/Phenix", "America/Phoenix"), ("phoenix", "America/Phoenix"), ("arizona", "US/Arizona"),
      ("Berln", "Europe/Berlin"), ("new york", "America/New_York"),
    ] {
      let error = #expect(throws: InvalidAnswer.self) { try zone(typed) }
      #expect(error?.why.contains("did you mean \(near)") == true, "\(error?.why ?? "")")
    }
    for (typed, city) in [("GMT+5", "Asia/Karachi"), ("EST", "America/New_York"), ("mst", "America/Denver")] {
      let error = #expect(throws: InvalidAnswer.self) { try zone(typed) }
      #expect(error?.why.contains(city) == true && error?.why.contains("did you mean") == false, "\(error?.why ?? "")")
    }
    for typed in ["Xyzzyplugh", "", String(repeating: "a", count: 100_000)] {
      let error = #expect(throws: InvalidAnswer.self) { try zone(typed) }
      #expect(error?.why.contains("Area/City") == true)
    }
  }

  @Test func `times, names, languages and servers are parsed, or refused with the valid form`() throws {
    for (text, time) in [("6:45", "06:45"), ("6:30am", "06:30"), ("6:30 AM", "06:30"), ("7 p.m.", "19:00")] {
      #expect(try SetupAnswer.morning(text) == time)
    }
    for text in ["25:00", "06.45", "24:00", "soon", "", "13:00pm", "0:30am"] {
      #expect(throws: InvalidAnswer.self) { try SetupAnswer.morning(text) }
    }
    for (text, near) in [
      ("", nil), ("-x", "x"), ("a b", "a-b"), ("ä", "a"), ("Blue Water Pools", "blue-water-pools"), ("日本", nil),
      (" O'Brien’s  Pools & Spas, Inc. ", "obriens-pools-spas-inc"), ("Zürich/Süd", "zurich-sud"),
    ] as [(String, String?)] {
      let error = #expect(throws: InvalidAnswer.self) { try SetupAnswer.team(text) }
      #expect(error?.proposal == near)
      #expect(error?.why.contains(near.map { "did you mean \($0)?" } ?? "such as desert-blue") == true)
    }
    let trades = CommandCatalogue.every.trades
    #expect(try SetupAnswer.trade("Pools", among: trades).trade == .poolService)
    let noTrade = #expect(throws: InvalidAnswer.self) { try SetupAnswer.trade("cats", among: trades) }
    #expect(noTrade?.why.hasPrefix("answer pools, ") == true && noTrade?.why.hasSuffix("not 'cats'") == true)
    #expect(try SetupAnswer.language("PT-br") == "pt-BR")
    #expect(throws: InvalidAnswer.self) { try SetupAnswer.language("it") }
    #expect(try SetupAnswer.yesOrNo("Yes") && !SetupAnswer.yesOrNo("no"))
    #expect(throws: InvalidAnswer.self) { try SetupAnswer.yesOrNo("maybe") }
    #expect(SetupAnswer.language(environment: ["LANG": "pt_BR.UTF-8"]) == "pt-BR")
    #expect(SetupAnswer.language(environment: ["LC_ALL": "", "LANG": "fr_CA.UTF-8"]) == "fr")
    #expect(SetupAnswer.language(environment: ["LANG": "C.UTF-8"]) == nil)
    #expect(try SetupAnswer.relay("smtp://127.0.0.1:25/") == "smtp://127.0.0.1:25")
    for text in ["127.0.0.1:25", "https://example.com", "smtp://me:secret@example.com", ""] {
      #expect(throws: InvalidAnswer.self) { try SetupAnswer.relay(text) }
    }
    for text in ["http://ntfy.example.com", "ntfy.sh"] {
      #expect(throws: InvalidAnswer.self) { try SetupAnswer.ntfy(text) }
    }
    for text in ["routes", "a@b@c", "Routes <routes@example.com"] {
      #expect(throws: InvalidAnswer.self) { try SetupAnswer.sender(text) }
    }
  }

  @Test func `a path is accepted as typed or dropped into the terminal`() {
    #expect(SetupAnswer.path("~/my routes.zip", home: "/home/ann") == "/home/ann/my routes.zip")
    #expect(SetupAnswer.path("'/tmp/my routes.zip'", home: nil) == "/tmp/my routes.zip")
    for text in ["/tmp/~/a", "'", "~ann/a"] { #expect(SetupAnswer.path(text, home: "/home/ann") == text) }
  }

  @Test func `a file's kind is recognised by its first bytes`() {
    #expect(SetupFileKind([0x50, 0x4B, 3, 4, 20, 0]) == .archive)
    #expect(SetupFileKind(Array("customer_name,address\nA,B\n".utf8)) == .list)
    #expect(SetupFileKind(Array("Kunde;Adresse\r\n".utf8)) == .list)
    #expect(SetupFileKind([0xFF, 0xFE, 0x41, 0, 0x2C, 0]) == .list)
    for bytes in [Array("%PDF-1.7\n1,2".utf8), [0x89, 0x50, 0x4E, 0x47, 0, 0x2C], Array("hello".utf8), []] as [[UInt8]]
    {
      #expect(SetupFileKind(bytes) == nil, "\(bytes)")
    }
  }
}

/// The two settings files of `pfctl setup`.
struct SetupFilesTests {
  private func files(
    others: String = "", own: String? = nil, hasSink: Bool = false, taken: Bool = false, usual: Bool = false,
    ownSinkText: String? = nil, pages: [String: Bool] = [:], ownPagesText: String? = nil
  ) -> SetupFiles {
    SetupFiles(
      main: "/etc/poolflow/poolflow.conf",
      post: PostFiles(others: PostSettings.read(others, name: "post.conf").settings, own: own), hasSink: hasSink,
      isNameTaken: taken, hasOnlyDefaultSinks: usual, ownSinkText: ownSinkText,
      pages: pages.sorted { $0.key < $1.key }.map { SetupFiles.PublishSink(name: $0.key, showsAccess: $0.value) },
      ownPagesText: ownPagesText)
  }

  private let mail = SetupServers(
    relay: "smtp://127.0.0.1:25", sender: PostAddress(name: "Routes", address: "routes@example.com"))

  @Test func `a relay adds a poolflow-post drop-in and the daemon's sink for its folder`() throws {
    let requiredFiles = files(others: "[Post]\nFolder = /srv/spool\n").requiredFiles(mail)
    #expect(requiredFiles.warnings == [])
    #expect(
      requiredFiles.files.map(\.path) == [
        "/etc/poolflow/post.conf.d/setup.conf", "/etc/poolflow/poolflow.conf.d/post.conf",
      ])
    let (settings, problems) = PostSettings.read(requiredFiles.files[0].text, name: "setup.conf")
    #expect(problems == [] && settings.channels.map(\.kind) == [.smtp])
    #expect(settings.channels.first?.server == "smtp://127.0.0.1:25" && settings.channels.first?.from == mail.sender)
    #expect(requiredFiles.files[1].text.contains("Directory = /srv/spool\nSensitive = yes\n"))
    #expect(!requiredFiles.files[1].text.contains("[Sink drop]"))
    for line in requiredFiles.files.flatMap(\.lines) { #expect(line.count <= 80, "\(line)") }
  }

  @Test func `without named sinks the two default sinks are written too`() {
    let text = files(usual: true).requiredFiles(mail).files.last?.text ?? ""
    #expect(text.contains("[Sink stdout]\nType = stdout\n") && text.contains("[Sink drop]\nType = file-drop\n"))
  }

  @Test func `a second run writes nothing, and changed answers replace only setup's own channel`() throws {
    let first = files().requiredFiles(mail)
    let again = files(own: first.files[0].text, hasSink: true)
    #expect(again.requiredFiles(mail) == SetupFiles.RequiredFiles())
    #expect(again.channelTexts == ["mail by smtp://127.0.0.1:25"])
    var both = mail
    both.ntfy = "https://ntfy.example.com"
    let more = again.requiredFiles(both)
    #expect(more.files.count == 1 && more.files[0].text.contains("Server = https://ntfy.example.com"))
    #expect(more.files[0].text.contains("Server = smtp://127.0.0.1:25"))
    var other = mail
    other.relay = "smtp://127.0.0.1:26"
    #expect(again.requiredFiles(other).files.first?.text.contains("25") == false)
    // The other teams' channel would change too.
    #expect(again.replaced(by: other) == ["mail by smtp://127.0.0.1:25 from Routes <routes@example.com>"])
    other = mail
    other.sender = PostAddress(name: "", address: "coast@example.com")
    #expect(again.replaced(by: other).count == 1)
    #expect(again.replaced(by: mail) == [] && again.replaced(by: both) == [] && files().replaced(by: mail) == [])
  }

  @Test func `an answer about access data sets the detail of setup's mail channel; no answer keeps it`() throws {
    let plain = files().requiredFiles(mail)
    var (shown, hidden) = (mail, mail)
    (shown.showsAccess, hidden.showsAccess) = (true, false)
    #expect(files().requiredFiles(hidden) == plain && !plain.files[0].text.contains("Detail"))
    let full = files().requiredFiles(shown)
    #expect(
      full.warnings == [] && full.files[0].text.contains("Type = smtp\nDetail = full\nServer = smtp://127.0.0.1:25\n"))
    // Only a sensitive sink delivers personal notices, so the sink is the same in every case.
    #expect(full.files[1] == plain.files[1] && plain.files[1].text.contains("Sensitive = yes\n"))
    let (settings, problems) = PostSettings.read(full.files[0].text, name: "setup.conf")
    #expect(problems == [] && settings.channels.first?.detail == .full)

    let again = files(own: full.files[0].text, hasSink: true)
    #expect(again.showsAccess(with: SetupServers()) == true && again.requiredFiles(mail) == SetupFiles.RequiredFiles())
    #expect(again.requiredFiles(SetupServers(showsAccess: true)) == SetupFiles.RequiredFiles())
    #expect(again.requiredFiles(SetupServers(showsAccess: false)).files == [plain.files[0]])
    var moved = mail
    moved.relay = "smtp://127.0.0.1:26"
    #expect(
      again.requiredFiles(moved).files.first?.text.contains("Detail = full\nServer = smtp://127.0.0.1:26") == true)
    // The mail of other teams would change too.
    #expect(again.replaced(by: SetupServers(showsAccess: false)).count == 1)
    #expect(again.replaced(by: SetupServers(showsAccess: true)) == [])
    #expect(files().showsAccess(with: mail) == false && files().showsAccess(with: SetupServers()) == nil)
  }

  @Test func `an answer about access data that setup cannot write names the setting to change`() {
    let shown = SetupServers(showsAccess: true)
    let theirs = "[Channel post]\nType = smtp\nServer = smtp://127.0.0.1:25\nFrom = routes@example.com\n"
    let other = files(others: theirs, hasSink: true)
    #expect(
      other.showsAccess(with: shown) == nil && other.requiredFiles(SetupServers(showsAccess: false)).warnings == [])
    let warnings = other.requiredFiles(shown).warnings
    #expect(warnings.count == 1 && warnings[0].contains("[Channel post]") && warnings[0].contains("Detail = full"))
    let changed = files(own: theirs, hasSink: true).requiredFiles(shown)
    #expect(changed.files == [] && changed.warnings.first?.contains("post.conf.d/setup.conf") == true)
    #expect(files().requiredFiles(shown).warnings.first?.contains("no mail server") == true)
    #expect(files().requiredFiles(SetupServers(showsAccess: false)) == SetupFiles.RequiredFiles())
  }

  @Test func `an answer about access data sets what published pages show`() throws {
    let shown = SetupServers(showsAccess: true)
    let hidden = SetupServers(showsAccess: false)
    let fresh = files(pages: ["web": false, "wiki": true])
    // Enter must not reveal more than is shown now.
    #expect(fresh.showsAccess(with: SetupServers()) == false && fresh.requiredFiles(SetupServers()).files == [])
    #expect(files(pages: ["wiki": true]).showsAccess(with: SetupServers()) == true)
    #expect(files(pages: ["wiki": true]).showsAccess(with: mail) == false)
    let file = try #require(fresh.requiredFiles(shown).files.first)
    #expect(fresh.requiredFiles(shown).warnings == [] && file.path == "/etc/poolflow/poolflow.conf.d/setup-pages.conf")
    #expect(file.text.contains("[Sink web]\nSensitive = yes\n") && file.lines.allSatisfy { $0.count <= 80 })
    #expect(fresh.replaced(by: shown) == ["the pages of [Sink web]"])
    #expect(fresh.replaced(by: hidden) == ["the pages of [Sink wiki]"] && fresh.replaced(by: SetupServers()) == [])
    #expect(fresh.placesOfAccess(with: mail) == "mail and published pages")
    // Setup replaces its own file, and no other.
    let again = files(pages: ["web": true, "wiki": true], ownPagesText: file.text)
    #expect(again.requiredFiles(shown) == SetupFiles.RequiredFiles() && again.text(at: file.path) == file.text)
    #expect(again.requiredFiles(hidden).files.first?.text == file.text.replacing("yes", with: "no"))
    let changed = files(pages: ["web": true], ownPagesText: "[Sink web]\nSensitive = yes\n").requiredFiles(hidden)
    #expect(changed.files == [] && changed.warnings.first?.contains("setup-pages.conf") == true)
  }

  @Test func `a file or channel that was changed by hand stays`() {
    let changed = files().requiredFiles(mail).files[0].text + "Detail = full\n"
    var other = mail
    other.relay = "smtp://127.0.0.1:26"
    let kept = files(own: changed, hasSink: true).requiredFiles(other)
    #expect(kept.files == [] && kept.warnings.count == 1 && kept.warnings[0].contains("it is not changed"))
    let theirs = "[Channel post]\nType = smtp\nServer = smtp://127.0.0.1:25\nFrom = Routes <routes@example.com>\n"
    #expect(files(others: theirs, hasSink: true).requiredFiles(mail) == SetupFiles.RequiredFiles())
    let refused = files(others: theirs, hasSink: true).requiredFiles(other)
    #expect(refused.files == [] && refused.warnings.first?.contains("[Channel post]") == true)
    #expect(files(taken: true).requiredFiles(mail).warnings.first?.contains("[Sink post]") == true)
    #expect(
      files(ownSinkText: "[Sink x]\n").requiredFiles(mail).warnings.first?.contains("poolflow.conf.d/post.conf") == true
    )
    // A used section name is avoided: sections of one name are merged.
    let named = "[Channel mail]\nType = ntfy\nServer = https://ntfy.example.com\n"
    #expect(files(others: named).requiredFiles(mail).files[0].text.contains("[Channel setup-mail]"))
  }
}

/// Options that may be given several times.
struct RepeatedOptionTests {
  @Test func `only a repeatable option may be given several times`() throws {
    let many = try Arguments(["setup", "--tell", "A=a@b.c", "--tell=B=b@c.d"], in: .every)
    #expect(many.all("tell") == ["A=a@b.c", "B=b@c.d"])
    let error = #expect(throws: CommandFailure.self) {
      try Arguments(["list", "--team", "a", "--team", "b"], in: .every)
    }
    #expect(error?.message == "--team is given twice")
    #expect(throws: CommandFailure.self) {
      try Arguments(["import", "f", "--technician", "a", "--technician", "b"], in: .every)
    }
  }
}
