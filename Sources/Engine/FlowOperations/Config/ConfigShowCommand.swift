package import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowSettings

/// `pfctl config show`: prints the effective settings merged from all files; needs no daemon.
package enum ConfigShowCommand: Command {
  package static let description = CommandDescription(
    "config show", "the settings that result from all files; needs no daemon",
    options: [
      ConfigFiles.option, .init("origin", nil, "where each value stands"),
      .init("running", nil, "the running daemon's effective settings, instead of the files on disk"),
    ],
    details: ["The output is a valid settings file."],
    examples: ["pfctl config show", "pfctl config show --origin", "pfctl config show --running --origin"])

  /// The JSON document of `pfctl config show`.
  private struct Answer: Codable {
    let path: String?
    let files: [String]
    let values: [SettingView]
  }

  package static let documents: [JSONDocument] = [.init("config", Answer.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let console = session.console
    let answer: Answer
    if arguments.has("running") {
      guard arguments["config"] == nil else {
        throw CommandFailure.usage(
          "--running shows the daemon's effective settings, so it cannot be combined with --config")
      }
      let reply = try session.runningDaemon().ask(DaemonCall.Settings())
      answer = Answer(path: reply.path, files: reply.files, values: reply.values)
    } else {
      let reading = try ConfigFiles.read(arguments, session)
      try ConfigFiles.refuseMistakes(of: reading, console)
      answer = Answer(path: reading.path, files: reading.files, values: reading.values)
    }
    if console.isJSON { return try console.document("config", answer) }
    for line in lines(of: answer.values, origin: arguments.has("origin")) { console.line(visible(line)) }
    if answer.files.isEmpty { console.note("no file was read; these are the defaults") }
  }

  /// The values as a settings file. The origin is a comment on the line above: the format has no trailing comments.
  static func lines(of values: [SettingView], origin: Bool) -> [String] {
    var lines: [String] = []
    var section: String?
    for value in values {
      if value.section != section {
        if section != nil { lines.append("") }
        lines.append("[\(value.section)]")
        section = value.section
      }
      if origin { lines.append("# \(value.origin ?? "default")") }
      if let text = value.value {
        lines.append("\(value.key) = \(text)")
      } else {
        lines.append("# \(value.key) is not set: see `pfctl config explain \(value.key)`")
      }
    }
    return lines
  }
}
