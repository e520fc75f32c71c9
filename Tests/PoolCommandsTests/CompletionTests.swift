import Testing

@testable import PoolCommands

struct CompletionTests {
  private func words(_ line: String...) -> [String] {
    let completion = Completion { kind in
      switch kind {
      case .teams: ["desert-blue", "coast"]
      case .jobs: ["morning-summary", "low-stock"]
      case .sinks: ["drop"]
      case .backups: ["latest", "20260302T021500Z"]
      }
    }
    switch completion.answer(line) {
    case .files: return [":files"]
    case .words(let candidates): return candidates.map(\.word)
    }
  }

  @Test func `commands come first, and a group is one word with its verbs as summary`() {
    #expect(words("").contains("team"))
    #expect(words("").filter { $0 == "team" }.count == 1)
    #expect(words("te") == ["team", "technician"])
    #expect(words("team", "s") == ["show", "set"])
    #expect(words("nonsense", "") == [])
  }

  @Test func `operands are what the daemon and the descriptions know`() {
    #expect(words("team", "show", "") == ["desert-blue", "coast"])
    #expect(words("team", "show", "c") == ["coast"])
    #expect(words("team", "show", "coast", "") == [])
    #expect(words("team", "add", "") == [])
    #expect(words("team", "plan", "coast", "t") == ["trial"])
    #expect(words("run", "m") == ["morning-summary"])
    #expect(words("import", "") == [":files"])
    #expect(words("backup", "verify", "2") == ["20260302T021500Z"])
    #expect(words("completion", "z") == ["zsh"])
    #expect(words("config", "explain", "max") == ["MaxFiles"])
    #expect(words("help", "t") == ["team", "technician", "times"])
    #expect(words("help", "team", "a") == ["add"])
  }

  @Test func `options are those of the command, each once, and their values follow in both forms`() {
    #expect(words("pool", "list", "--t") == ["--team", "--technician"])
    #expect(words("pool", "list", "--team", "coast", "--t") == ["--technician"])
    #expect(words("setup", "--tell", "Ann=ann@example.com", "--te") == ["--team", "--tell"])
    #expect(words("setup", "--archive", "") == [":files"])
    #expect(words("pool", "list", "--team", "") == ["desert-blue", "coast"])
    #expect(words("pool", "list", "--team=d") == ["--team=desert-blue"])
    #expect(words("--color", "") == ["auto", "always", "never"])
    #expect(words("--json", "outbox", "list", "--state", "d") == ["dead"])
    #expect(words("outbox", "list", "--sink", "") == ["drop"])
    #expect(words("config", "check", "--config", "") == [":files"])
    #expect(words("list", "--", "--") == [])
    #expect(words("stock", "a") == ["add"] && words("stock", "add", "Salt", "--type", "st") == ["stabilizer"])
    #expect(words("equipment", "add", "Ann", "Cell", "--type", "s") == ["salt-system"])
    #expect(words("equipment", "set", "Ann", "Cell", "--type", "").count == 9)
  }

  @Test func `settings of a team are completed to their values`() {
    #expect(words("team", "set", "coast", "low") == ["low-stock="])
    #expect(words("team", "set", "coast", "low-stock=") == ["low-stock=on", "low-stock=off"])
    #expect(words("team", "set", "coast", "low-stock=on", "units=m") == ["units=metric"])
    #expect(words("team", "set", "coast", "nothing=") == [])
    #expect(words("pool", "set", "Ann", "fe") == ["fee="] && words("pool", "set", "Ann", "tea") == [])
  }

  @Test func `every option's value and every operand is completed or has no list to choose from`() {
    // A new word in a description shows up here: give it candidates in Completion.values, or name it as free.
    let free: Set = [
      "N", "NAME", "NEW", "TIME", "DATE", "ZONE", "HH:MM", "EXPRESSION", "NOTICE", "POOL", "WORD", "COMMAND",
      "KEY=VALUE", "TEXT", "RUN", "CUSTOMER", "ADDRESS", "ITEM", "EQUIPMENT", "DAYS", "TECHNICIAN", "RULE", "ID",
      "MONTH", "LAT,LON", "HH:MM-HH:MM", "VISIT", "AMOUNT", "PRICE", "VOLUME", "URL",
      "NAME=CHANNEL:ADDRESS",
    ]
    let completed: Set = [
      "FILE", "PATH", "TEAM", "JOB", "SINK", "BACKUP", "KEY", "WHEN", "DAY", "STATE", "PLAN", "LANGUAGE",
      "UNITS", "OBJECTIVE", "PAGE", "CLOCK", "CURRENCY", "KIND",
    ]
    for description in Catalogue.descriptions {
      for name in description.options.compactMap(\.value) + description.operands.map(\.name) {
        #expect(free.contains(name) || completed.contains(name) || name.contains("|"), "\(description.name): \(name)")
      }
    }
  }
}
