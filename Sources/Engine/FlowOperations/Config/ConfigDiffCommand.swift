package import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowSettings

/// `pfctl config diff`: shows the changes that a reload would make.
package enum ConfigDiffCommand: Command {
  package static let description = CommandDescription(
    "config diff", "what a reload would change; with --defaults what differs from the defaults (no daemon needed)",
    options: [
      ConfigFiles.option, .init("defaults", nil, "compare with the defaults instead of the running daemon"),
    ], examples: ["pfctl config diff", "pfctl config diff --defaults"])

  /// The JSON document of `pfctl config diff`.
  private struct Answer: Codable {
    let changes: [SettingDifferenceView]
  }

  package static let documents: [JSONDocument] = [.init("config-diff", Answer.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let before: [SettingView]
    var path = arguments["config"]
    if arguments.has("defaults") {
      before = SettingsReading.defaults.values
    } else {
      let running = try session.runningDaemon().ask(DaemonCall.Settings())
      before = running.values
      path = path ?? running.path
    }
    let reading = try ConfigFiles.read(path: path, session)
    try ConfigFiles.refuseMistakes(of: reading, console)
    let changes = SettingDifferenceView.between(before, reading.values)
    if console.isJSON { return try console.document("config-diff", Answer(changes: changes)) }
    show(changes, on: console)
    let other = arguments.has("defaults") ? "the defaults" : "the daemon's effective settings"
    console.note(
      changes.isEmpty
        ? "no difference from \(other)" : "\(TextFormat.count(changes.count, "value")) different from \(other)")
  }

  /// Prints the old value after `-` and the new value after `+`, under the section's name.
  static func show(_ changes: [SettingDifferenceView], on console: Console) {
    var section: String?
    for change in changes {
      if change.section != section { console.line("[\(visible(change.section))]") }
      section = change.section
      if let before = change.before { console.line(console.paint("- \(change.key) = \(visible(before))", .red)) }
      if let after = change.after { console.line(console.paint("+ \(change.key) = \(visible(after))", .green)) }
      if change.before == nil, change.after == nil { console.line("  \(change.key)") }
      if change.takesRestart { console.note("\(change.key) needs a restart: `systemctl restart poolflowd`") }
    }
  }
}
