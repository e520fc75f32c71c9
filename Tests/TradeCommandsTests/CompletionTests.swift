import Testing
import TradeCommands

@testable import FlowCommandKit

private let catalogue = CommandCatalogue.every

struct CompletionTests {
  func words(_ line: String...) -> [String] {
    let completion = Completion(.every) { kind, team in
      let names: [String] =
        switch (kind, team) {
        case ("teams", _): ["desert-blue", "coast"]
        case ("jobs", "coast"): ["low-stock"]
        case ("jobs", _): ["morning-summary", "low-stock"]
        case ("nodes", _): ["north", "south"]
        case ("sinks", _): ["drop"]
        case ("backups", _): ["latest", "20260302T021500Z"]
        case ("zones", _): ["America/Phoenix", "Europe/Berlin"]
        case ("runs", _): ["latest", "0302T1400-17"]
        case ("notices", _): ["latest", "0302T1400-17-t3"]
        case ("technicians", "coast"): ["Bo"]
        case ("technicians", _): ["Ann", "Bo"]
        case ("pools", "coast"): ["Ann Lee"]
        case ("pools", _): []
        case ("horses", "coast"): ["Juniper", "Old Bob"]
        case ("horses", _): []
        case ("templates", _): ["Easy keeper"]
        case ("reminders", _): ["filters"]
        default: []
        }
      return names.map { Completion.Candidate($0) }
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

  @Test func `operands are completed from the daemon and the descriptions`() {
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

  @Test func `a command's options are completed once each, with values in both forms`() {
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

  @Test func `names are completed for the team on the line`() {
    #expect(words("pool", "show", "--team", "coast", "a") == ["Ann Lee"])
    #expect(words("pool", "show", "--team=coast", "") == ["Ann Lee"])
    #expect(words("pool", "show", "") == [])
    #expect(words("pool", "list", "--technician", "") == ["Ann", "Bo"])
    #expect(words("pool", "list", "--team", "coast", "--technician", "") == ["Bo"])
    #expect(words("technician", "remove", "A") == ["Ann"])
    #expect(words("technician", "add", "A") == [])
    #expect(words("reminder", "remove", "f") == ["filters"])
    #expect(words("team", "set", "coast", "zone=am") == ["zone=America/Phoenix"])
    #expect(words("run", "--team", "coast", "") == ["low-stock"])
  }

  @Test func `runs and notices are completed by their short forms`() {
    #expect(words("cancel", "") == ["latest", "0302T1400-17"])
    #expect(words("outbox", "show", "03") == ["0302T1400-17-t3"])
    #expect(words("why", "l") == ["low-stock", "latest"])
  }

  @Test func `settings of jobs and reminders are completed to their values`() {
    #expect(words("job", "set", "low-stock", "dst") == ["dst-gap=", "dst-fold="])
    #expect(words("job", "set", "low-stock", "dst-gap=") == ["dst-gap=after", "dst-gap=skip"])
    #expect(words("reminder", "set", "filters", "when=s") == ["when=stops"])
  }

  @Test func `settings of a team are completed to their values`() {
    #expect(words("team", "set", "coast", "low") == ["low-stock="])
    #expect(words("team", "set", "coast", "low-stock=") == ["low-stock=on", "low-stock=off"])
    #expect(words("team", "set", "coast", "low-stock=on", "units=m") == ["units=metric"])
    #expect(words("team", "set", "coast", "nothing=") == [])
    #expect(words("pool", "set", "Ann", "fe") == ["fee="] && words("pool", "set", "Ann", "tea") == [])
  }

  @Test func `nodes are completed`() {
    #expect(words("nodes", "drain", "") == ["north", "south"])
    #expect(words("nodes", "resume", "s") == ["south"])
  }

  @Test func `every option value and operand has candidates or is listed as free`() {
    // A new placeholder in a description fails here: add candidates to Completion.values, or list it as free.
    let free: Set = [
      "N", "NAME", "NEW", "TIME", "DATE", "HH:MM", "EXPRESSION", "WORD", "COMMAND",
      "KEY=VALUE", "TEXT", "CUSTOMER", "ADDRESS", "ITEM", "EQUIPMENT", "DAYS", "RULE", "ID", "INTERVAL",
      "MONTH", "LAT,LON", "HH:MM-HH:MM", "VISIT", "AMOUNT", "PRICE", "VOLUME", "URL",
      "NAME=CHANNEL:ADDRESS", "C,C,C,C,C", "HEADING=COLUMN",
    ]
    let completed = Set(catalogue.values.map(\.placeholder)).union(["FILE", "PATH", "WHEN", "PAGE"])
    for description in catalogue.descriptions {
      for name in description.options.compactMap(\.value) + description.operands.map(\.name) {
        #expect(free.contains(name) || completed.contains(name) || name.contains("|"), "\(description.name): \(name)")
      }
    }
  }

  @Test func `every kind of names that a placeholder has is known to a module`() {
    for value in catalogue.values {
      for case .names(let kind, _) in value.sources {
        #expect(catalogue.nameSources[kind] != nil, "\(value.placeholder): \(kind)")
      }
    }
  }
}
