import FlowControl
import FlowModel
import FlowNotices
import FlowTestKit
import FlowWork
import FoundationEssentials
import PoolJobs
import Testing

@testable import FlowSettings

struct SettingsReadingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, to name: String = "poolflow.conf") throws {
    let path = "\(folder.path)/\(name)"
    let parent = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  private func read() throws -> SettingsReading {
    try SettingsReading(
      configPath: nil, environment: ["CONFIGURATION_DIRECTORY": folder.path], terminal: false, catalogue: .pools)
  }

  @Test func `without a file the defaults apply and have no origin line`() throws {
    let reading = try read()
    #expect(reading.files == [])
    #expect(reading.settings == .standard(terminal: false))
    #expect(reading.values.allSatisfy { $0.origin == nil })
    #expect(reading.values.contains(SettingView(section: "Sink stdout", key: "Format", value: "auto", origin: nil)))
  }

  @Test func `a drop-in overrides the file, later names override earlier, with origin lines`() throws {
    try write("[Sink drop]\nType = file-drop\nMaxFiles = 10\n")
    try write("[Sink drop]\nMaxFiles = 20\n", to: "poolflow.conf.d/10-a.conf")
    try write("# ours\n[Sink drop]\nMaxFiles = 30\n", to: "poolflow.conf.d/20-b.conf")
    try write("[Sink drop]\nMaxFiles = 40\n", to: "poolflow.conf.d/30-c.conf.bak")
    let reading = try read()
    #expect(reading.files.map { $0.dropFirst(folder.path.count + 1) }.count == 3)
    let value = reading.values.first { $0.key == "MaxFiles" }
    #expect(value?.value == "30")
    #expect(value?.origin == "\(folder.path)/poolflow.conf.d/20-b.conf:3")
  }

  @Test func `a drop-in is read even without the main file`() throws {
    try write("[Sink log]\nType = journal\n", to: "poolflow.conf.d/log.conf")
    #expect(try read().settings.sinks.map(\.name) == ["log"])
  }

  @Test func `every mistake is reported at once, in order, with a caret and a suggestion`() throws {
    try write("[Daemon]\nSokcet = /run/x\n[Sink drop]\nType = filedrop\nMaxFiles = 0\n")
    try write("[Demon]\nSocket = run/x\nnonsense\n", to: "poolflow.conf.d/50.conf")
    let reading = try read()
    let told = SettingsError.mistakes(reading.problems).description.replacing(folder.path, with: "/etc/poolflow")
    #expect(
      told == """
        /etc/poolflow/poolflow.conf:2:1: error: unknown key "Sokcet" in [Daemon]
            2 | Sokcet = /run/x
              | ^~~~~~ did you mean "Socket"?
        /etc/poolflow/poolflow.conf:4:8: error: Type cannot be "filedrop": a sink is stdout or journal or file-drop or publish
            4 | Type = filedrop
              |        ^~~~~~~~ did you mean "file-drop"?
        /etc/poolflow/poolflow.conf:5:12: error: MaxFiles cannot be "0": it must be a number from 1 to \(Limits.dropFolderFiles)
            5 | MaxFiles = 0
              |            ^
        /etc/poolflow/poolflow.conf.d/50.conf:1:2: error: unknown section [Demon]
            1 | [Demon]
              |  ^~~~~ did you mean "Daemon"?
        /etc/poolflow/poolflow.conf.d/50.conf:3:1: error: a setting is written Key = value
            3 | nonsense
              | ^~~~~~~~
        5 mistakes in the settings
        """)
  }

  @Test func `a job has its jitter, and an impossible jitter is refused`() throws {
    try write("[Job morning-summary]\nJitter = 10min\n\n[Job low-stock]\n")
    let reading = try read()
    #expect(reading.problems == [])
    #expect(reading.settings.jobs[.morningSummary]?.jitter == .minutes(10))
    #expect(reading.settings.jobs[.lowStock]?.jitter == nil)
    #expect(reading.values.first { $0.section == "Job morning-summary" && $0.key == "Jitter" }?.value == "10min")
    for (text, words) in [
      ("[Job morning-summary]\nJitter = 2h\n", "Jitter cannot be"),
      ("[Job morning-summary]\nJitter = soon\n", "Jitter"),
      ("[Job morning-sumary]\n", "did you mean \"Job morning-summary\""),
      ("[Job low-stock]\nJiter = 1s\n", "did you mean \"Jitter\""),
    ] {
      try write(text)
      let problems = try read().problems
      #expect(problems.count == 1 && problems[0].description.contains(words), "\(problems)")
    }
  }

  @Test func `a key unlike all others gets a list and no suggestion`() throws {
    try write("[Backup]\nColour = 9\n\n[Weather]\n")
    let problems = try read().problems
    #expect(problems.map(\.suggestion) == [nil, nil])
    #expect(problems[0].description.hasSuffix("| ^~~~~~ there are Time, Keep, Directory"))
    #expect(problems[1].description.contains("^~~~~~~ there are Daemon, Store, Backup, "))
  }

  @Test func `a setting's documented default equals its value without a line`() throws {
    let sections = [
      "Daemon": SettingsKey.daemon.map(\.key), "Store": SettingsKey.stores.map(\.key),
      "Backup": SettingsKey.backups.map(\.key), "Sink drop": SettingsKey.sinks.map(\.key),
    ]
    var count = 0
    for (section, keys) in sections {
      for key in keys {
        guard let standard = key.standard else { continue }
        let kind = key.kinds.first.map { "Type = \($0.rawValue)\n" } ?? ""
        let texts = ["[\(section)]\n\(kind)", "[\(section)]\n\(kind)\(key.name) = \(standard)\n"]
        let readings = texts.map { SettingsReading(text: $0, name: "x.conf", catalogue: .pools) }
        #expect(readings.allSatisfy { $0.problems.isEmpty }, "\(key.name)")
        var without = readings[0].settings
        // The sink has this default.
        if key.name == "MaxFiles" { without.sinks[0].maxFiles = Limits.dropFolderFiles }
        #expect(without == readings[1].settings, "\(key.name)")
        count += 1
      }
    }
    #expect(count >= 8)
  }

  @Test func `the catalogue and the reader have the same keys and valid examples`() throws {
    let jobKeys = SettingsKey.all.filter { $0.section == .job }.map(\.name)
    #expect(jobKeys.sorted() == Settings.jobKeys.sorted())
    for key in SettingsKey.all {
      let place = key.kinds.first == .publish ? "Directory = /srv/www\n" : ""
      let kind = key.kinds.first.map { "Type = \($0.rawValue)\n" + place } ?? ""
      let section =
        switch key.section {
        case .daemon: "[Daemon]\n"
        // PostgreSQL also needs a connection.
        case .store:
          switch key.name {
          case "Engine": "[Store]\nConnection = service=poolflow\n"
          case "Node": "[Store]\nEngine = postgresql\nConnection = service=poolflow\n"
          default: "[Store]\n"
          }
        case .backup: "[Backup]\n"
        case .job: "[Job morning-summary]\n"
        case .sink: "[Sink drop]\n\(kind)"
        }
      try write(section + "\(key.name) = \(key.example)\n")
      #expect(try read().problems == [], "\(key.name)")
    }
  }

  @Test func `published pages need a folder and a valid base URL`() throws {
    try write("[Sink web]\nType = publish\nSensitive = yes\n")
    let problem = try #require(try read().problems.first)
    #expect("\(problem)".contains("[Sink web]: a sink of Type=publish needs Directory="))
    for url in ["https://routes.example.net", "http://127.0.0.1:8080/pools/", "https://h"] {
      try write("[Sink web]\nType = publish\nDirectory = /srv/www\nBaseURL = \(url)\n")
      let reading = try read()
      #expect(reading.problems == [])
      let kept = url.hasSuffix("/") ? String(url.dropLast()) : url
      #expect(reading.settings.sinks.first?.baseURL == kept && reading.settings.sinks.first?.kind == .publish)
    }
    for url in [
      "routes.example.net", "ftp://h/", "https://", "https:///p", "https://h/?a=b", "https://h/#x", "https://a b",
      "https://u@h/", "https://h//p", "https://ä.net",
    ] {
      try write("[Sink web]\nType = publish\nDirectory = /srv/www\nBaseURL = \(url)\n")
      #expect(try read().problems.count == 1, "\(url)")
    }
  }

  @Test func `two sinks never share a folder, in any spelling of the path`() throws {
    for other in ["/srv/out", "/srv/out/", "//srv/./out"] {
      try write("[Sink a]\nDirectory = /srv/out\n[Sink b]\nDirectory = \(other)\n")
      let problems = try read().problems
      #expect(
        problems.count == 1 && "\(problems)".contains("[Sink b]: its Directory is also that of [Sink a]"),
        "\(other)")
    }
    try write("[Sink a]\nDirectory = /srv/out\n[Sink b]\nDirectory = /srv/out2\n[Sink c]\n")
    #expect(try read().problems == [])
  }

  @Test func `a job's rule must have an existing date, but it may be past`() throws {
    for rule in ["*-02-30", "*-04-31 07:00", "2100-02-29"] {
      try write("[Job backup]\nRule = \(rule)\n")
      #expect(try read().problems.map { "\($0)".contains("no date matches this rule") } == [true], "\(rule)")
    }
    // The daemon may start long after the rule's last date.
    try write("[Job backup]\nRule = 2020-01-01 07:00\n")
    #expect(try read().problems == [])
  }

  @Test func `a sink's section sets its filter and its options`() throws {
    try write(
      """
      [Sink drop]
      Teams = coast desert-blue
      Jobs = morning-summary operator
      Severity = warning
      Timeout = 30s
      Rate = 60/min
      Sensitive = yes
      Sign = drop-key
      """)
    let reading = try read()
    #expect(reading.problems == [])
    let sink = try #require(reading.settings.sinks.first)
    #expect(
      sink.route
        == SinkRoute(
          sink: "drop", teams: ["coast", "desert-blue"], jobs: ["morning-summary", "operator"], severity: .warning,
          takesPersonal: true))
    #expect(sink.timeout == .seconds(30) && sink.rate == SinkRate("60/min") && sink.sensitive)
    #expect(sink.sign == "drop-key")
    var other = sink
    other.teams = nil
    #expect(other != sink && other.withoutRoute == sink.withoutRoute)
  }

  @Test(arguments: [
    ("Jobs = low-stock mourning-summary", 18, "did you mean \"morning-summary\"?"),
    ("Severity = warn", 12, "did you mean \"warning\"?"), ("Timeout = 301s", 11, "a number of seconds from 1 to 300"),
    ("Timeout = 0", 11, "a number of seconds"), ("Rate = 60/day", 8, "10/s, 60/min or 500/h"),
    ("Rate = 0/s", 8, "10/s, 60/min or 500/h"), ("Sensitive = true", 13, "it is yes or no"),
    ("Sign = ../key", 8, "the name of a credential"),
  ])
  func `a wrong value of a sink is reported at its column`(line: String, column: Int, words: String) throws {
    try write("[Sink drop]\n\(line)\n")
    let problem = try #require(try read().problems.first)
    #expect(problem.line == 2 && problem.column == column)
    #expect("\(problem)".contains(words), "\(problem)")
  }

  @Test func `a sink's name is a word valid in a folder name`() throws {
    try write("[Sink ../../etc]\nType = file-drop\n")
    #expect(try read().problems.map(\.message).first?.contains("letters, digits") == true)
    try write("[Sink drop_2.coast]\nType = file-drop\n")
    #expect(try read().problems == [])
  }

  @Test func `two readings differ in changed, added and removed values`() throws {
    try write("[Sink drop]\nMaxFiles = 10\n[Sink log]\nType = journal\n")
    let before = try read()
    try write("[Daemon]\nSocket = /run/other.sock\n[Sink drop]\nMaxFiles = 20\n[Sink out]\nType = stdout\n")
    let after = try read()
    let told = SettingDifferenceView.between(before.values, after.values).map {
      "\($0.section) \($0.key) \($0.before ?? "-") \($0.after ?? "-") \($0.takesRestart)"
    }
    #expect(
      told == [
        "Daemon Socket - /run/other.sock true", "Sink drop MaxFiles 10 20 false", "Sink log Type journal - false",
        "Sink log Severity info - false", "Sink log Timeout 15s - false", "Sink out Type - stdout false",
        "Sink out Format - auto false", "Sink out Severity - info false", "Sink out Timeout - 15s false",
      ])
    #expect(SettingDifferenceView.between(after.values, after.values) == [])
  }

  @Test func `an unreadable file is reported by name`() throws {
    #expect {
      try SettingsReading(configPath: folder.path + "/none.conf", environment: [:], terminal: false, catalogue: .pools)
    } throws: { "\($0)" == "cannot read the settings '\(folder.path)/none.conf': No such file or directory" }
  }
}
