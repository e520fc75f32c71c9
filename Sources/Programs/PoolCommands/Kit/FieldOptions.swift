internal import PoolControl

/// Values of a record as options: `--volume 18000 --fee 150`.
enum FieldOptions {
  typealias Key = (name: String, value: String, summary: String)

  static let readings: [Key] = [
    ("ph", "N", "pH"), ("temp", "TEXT", "water temperature, such as 84F or 29C; bare numbers in the team's unit"),
    ("calcium", "N", "calcium hardness, ppm"), ("alkalinity", "N", "total alkalinity, ppm"),
    ("cya", "N", "cyanuric acid (stabiliser), ppm"),
  ]

  static func options(_ keys: [Key]) -> [CommandDescription.Option] {
    keys.map { .init($0.name, $0.value, $0.summary) }
  }

  static func changes(_ arguments: Arguments, _ keys: [Key]) -> [SettingChangeView] {
    keys.compactMap { key in arguments[key.name].map { SettingChangeView(key: key.name, value: $0) } }
  }

  /// As `changes`, and at least one.
  static func someChanges(_ arguments: Arguments, _ keys: [Key]) throws(CommandFailure) -> [SettingChangeView] {
    let changes = changes(arguments, keys)
    guard !changes.isEmpty else {
      let names = keys.map { "--\($0.name)" }.joined(separator: ", ")
      throw .usage("`pfctl \(arguments.command.description.name)` needs something to set: \(names)")
    }
    return changes
  }
}
