package import FlowControl

/// The fields of a record as options: `--volume 18000 --fee 150`.
package enum FieldOptions {
  package typealias Key = (name: String, value: String, summary: String)

  package static func options(_ keys: [Key]) -> [CommandDescription.Option] {
    keys.map { .init($0.name, $0.value, $0.summary) }
  }

  package static func changes(_ arguments: Arguments, _ keys: [Key]) -> [SettingChangeView] {
    keys.compactMap { key in arguments[key.name].map { SettingChangeView(key: key.name, value: $0) } }
  }

  /// Like `changes`, but throws a usage error if there are none.
  package static func requiredChanges(_ arguments: Arguments, _ keys: [Key]) throws(CommandFailure)
    -> [SettingChangeView]
  {
    let changes = changes(arguments, keys)
    guard !changes.isEmpty else {
      let names = keys.map { "--\($0.name)" }.joined(separator: ", ")
      throw .usage("`pfctl \(arguments.command.description.name)` needs a value to set: \(names)")
    }
    return changes
  }
}
