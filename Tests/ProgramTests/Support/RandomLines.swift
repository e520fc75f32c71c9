import FlowTestKit
import Foundation

/// Random command lines from the grammar of `pfctl help --json`: most of them valid, some with a mistake.
struct RandomLines {
  private struct Help: Decodable {
    struct Command: Decodable {
      struct Option: Decodable {
        let name: String
        let value: String?
      }

      let name: String
      let usage: String
      let options: [Option]

      /// The operands of the command, without brackets.
      var operands: [String] {
        let words = usage.split(separator: " ").dropFirst(1 + name.split(separator: " ").count)
        return words.map { String($0.filter { !"[]…".contains($0) }) }.enumerated().filter { index, word in
          let before = index == 0 ? "" : words[words.startIndex + index - 1]
          return word.first?.isUppercase == true && word != "OPTION" && !before.hasPrefix("[--")
            && !before.hasPrefix("--")
            || (word.contains("|") && !before.hasPrefix("[--") && !before.hasPrefix("--"))
        }.map(\.element)
      }
    }

    let commands: [Command]
  }

  private let commands: [Help.Command]
  private var random: SeededNumbers
  /// Valid values by the placeholder's name in help; other drawn values may be invalid.
  private let values: [String: [String]]
  private let left: Set<String>

  /// - Parameters:
  ///   - leaving: options that are never drawn, because they would wait forever.
  ///   - commandsLeft: commands that are never drawn.
  init(
    help: String, seed: UInt64, values: [String: [String]], leaving: Set<String> = [], commandsLeft: Set<String> = []
  ) throws {
    commands = try JSONDecoder().decode(Help.self, from: Data(help.utf8)).commands.filter {
      !commandsLeft.contains($0.name)
    }
    random = SeededNumbers(seed: seed)
    self.values = values
    left = leaving
  }

  private static let usual: [String: [String]] = [
    "N": ["1", "0", "-3", "7.4", "250", "1e9", "60", "x"],
    "TEXT": ["after 9", "", "blåbær", "a=b", "-", "\u{1B}[31mred"],
    "TIME": ["now", "yesterday", "2026-03-02", "+2h", "-7d", "mon 07:00", "25:00", "soon"],
    "DATE": ["2026-03-02", "none", "tomorrow", "2026-02-30"], "DAY": ["Mon", "all", "Funday"],
    "DAYS": ["2026-12-24..2026-12-26", "tomorrow", "*-12-25", "x.."], "ZONE": ["America/Phoenix", "UTC", "Mars/Base"],
    "LANGUAGE": ["en", "pt-BR", "xx"], "UNITS": ["metric", "imperial", "feet"], "HH:MM": ["06:45", "24:61"],
    "FILE": ["stops.csv", "none.csv", ".", "out.txt", "empty.zip"], "RULE": ["Fri 16:00", "Funday", "cron: 0 7 * * *"],
    "LAT,LON": ["33.4,-112", "91,0", "1"], "AMOUNT": ["12oz", "2.5L", "-1"], "PRICE": ["1.60/lb", "x"],
    "VOLUME": ["15000gal", "56m3", "0"], "ADDRESS": ["maria@example.com", "x"], "URL": ["smtp://127.0.0.1:25", "x"],
    "MONTH": ["2026-02", "2026-13"], "KEY": ["MaxFiles", "Nothing"], "STATE": ["dead", "held", "lost"],
    "PLAN": ["paid", "trial", "gold"], "KIND": ["acid", "pump", "stabiliser"], "PAGE": ["pfctl.1", "x"],
    "KEY=VALUE": ["language=es", "fee=150", "rule=Fri 16:00", "nothing=1", "x"], "WHEN": ["never", "sometimes"],
    "EXPRESSION": ["Mon..Fri 07:00", "Feb 30 07:00"], "COMMAND": ["team", "route", "grammar", "nothing"],
    "CUSTOMER": ["Nora Quill"], "NEW": ["mesa-red"], "WORD": ["te", "--"], "VISIT": ["A1B2C3D4"], "ID": ["1", "x"],
    "OBJECTIVE": ["time", "speed"], "CURRENCY": ["EUR", "XXX"], "CLOCK": ["24h", "x"],
    "HH:MM-HH:MM": ["20:00-05:30", "x"], "NAME=CHANNEL:ADDRESS": ["Maria=mail:maria@example.com", "x"],
  ]

  mutating func next() -> [String] {
    let command = commands[Int.random(in: 0..<commands.count, using: &random)]
    var words = command.name.split(separator: " ").map(String.init)
    for operand in command.operands where !chance(12) { words.append(value(of: operand)) }
    for option in command.options where !left.contains(option.name) && chance(4) {
      words.append("--\(option.name)")
      if let name = option.value { words.append(value(of: name)) }
    }
    if chance(8) {
      words.append(["--json", "--plain", "--no-legend", "--color=never"].randomElement(using: &random) ?? "")
    }
    return chance(10) ? slip(words) : words
  }

  /// True once in `number` times on average.
  private mutating func chance(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }

  private mutating func value(of name: String) -> String {
    let known =
      values[name] ?? Self.usual[name]
      ?? (name.contains("|") ? name.lowercased().split(separator: "|").map(String.init) : [])
    if known.isEmpty || chance(10) {
      return ["unknown", "", "x y", "2026", "--", "'"].randomElement(using: &random) ?? ""
    }
    return known.randomElement(using: &random) ?? ""
  }

  private mutating func slip(_ words: [String]) -> [String] {
    var words = words
    let place = Int.random(in: 0..<words.count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: words.remove(at: place)
    case 1: words.insert(words[place], at: place)
    case 2: words[place] = String(words[place].reversed())
    case 3: words.append("more")
    default: words.insert("--nothing", at: place)
    }
    return words
  }
}
