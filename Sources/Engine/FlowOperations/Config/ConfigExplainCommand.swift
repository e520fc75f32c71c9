package import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowSettings

/// `pfctl config explain`: explains a settings key.
package enum ConfigExplainCommand: Command {
  package static let description = CommandDescription(
    "config explain", "what a settings key means; without KEY, one line for every key",
    operands: [.init("KEY", .atMostOne)],
    examples: ["pfctl config explain", "pfctl config explain MaxFiles"])

  /// The JSON document of `pfctl config explain`.
  private struct Answer: Codable {
    let keys: [SettingsKey]
  }

  package static let documents: [JSONDocument] = [.init("config-keys", Answer.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    var keys = SettingsKey.all
    if let wanted = arguments.operand(0) {
      let name = wanted.split(separator: ".").last.map(String.init) ?? wanted
      keys = keys.filter { $0.name.lowercased() == name.lowercased() }
      guard !keys.isEmpty else {
        let near = Suggestion.nearest(to: name, among: SettingsKey.all.map(\.name))
        throw CommandFailure.usage(
          "there is no key '\(visible(wanted))'; "
            + (near.map { "did you mean \($0)?" } ?? "`pfctl config explain` lists them"))
      }
    }
    if console.isJSON { return try console.document("config-keys", Answer(keys: keys)) }
    if arguments.operand(0) == nil { return list(keys, on: console) }
    for key in keys { explain(key, on: console) }
  }

  private static func list(_ keys: [SettingsKey], on console: Console) {
    var table = Table([
      .init("SECTION", isKey: true), .init("KEY", isKey: true), .init("DEFAULT", minWidth: 7, rank: 1),
      .init("MEANS", minWidth: 24, isKey: true),
    ])
    for key in keys {
      table.add([
        .init("[\(key.section.rawValue)]"), .init(key.name, .bold), .init(key.standard ?? "-"), .init(key.summary),
      ])
    }
    console.table(table)
  }

  private static func explain(_ key: SettingsKey, on console: Console) {
    console.line("[\(key.section.rawValue)]")
    console.line("\(key.name) = \(key.value)")
    console.line()
    console.line(key.summary.prefix(1).uppercased() + key.summary.dropFirst() + ".")
    for detail in key.details { console.line(detail) }
    console.line()
    var facts = [("default", key.standard ?? "depends on the machine"), ("example", "\(key.name) = \(key.example)")]
    if !key.kinds.isEmpty { facts.insert(("sinks", key.kinds.map(\.rawValue).joined(separator: ", ")), at: 0) }
    facts.append(("applies", key.appliesAtReload ? "at a reload" : "after a restart"))
    DetailList.show(facts, on: console)
  }
}
