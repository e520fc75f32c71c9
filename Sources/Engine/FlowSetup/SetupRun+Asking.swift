internal import FlowCommandKit
internal import FlowControl
internal import FlowModel

extension SetupRun {
  /// Asks until the answer is valid. An empty answer means `standard`, if given.
  func answer<Value>(
    _ question: String, standard: String?, hint: String, _ take: (String) throws(InvalidAnswer) -> Value
  ) throws(CommandFailure) -> Value {
    var standard = standard
    while true {
      // Without a terminal, use the default that the question would show in brackets.
      let typed = !isInteractive && standard != nil ? "" : try line("\(question)\(standard.map { " [\($0)]" } ?? ""): ")
      guard let text = typed.isEmpty ? standard : typed else {
        say("! \(hint)")
        continue
      }
      do { return try take(text) } catch {
        guard isInteractive else { throw CommandFailure.usage(error.why) }
        say("! \(error.why)")
        standard = error.proposal ?? standard
      }
    }
  }

  /// Asks until the answer is valid; nil for an empty answer.
  func optionalAnswer<Value>(
    _ question: String, _ take: (String) throws(InvalidAnswer) -> Value
  ) throws(CommandFailure) -> Value? {
    while true {
      let typed = try line("\(question): ")
      guard !typed.isEmpty else { return nil }
      do { return try take(typed) } catch { say("! \(error.why)") }
    }
  }

  /// - Parameter standard: the meaning of an empty answer.
  func confirms(_ question: String, standard: Bool = true) throws(CommandFailure) -> Bool {
    let typed = try line("\(question) \(standard ? "[Y/n]" : "[y/N]") ").lowercased()
    return typed.isEmpty ? standard : "yes".hasPrefix(typed)
  }

  private func line(_ prompt: String) throws(CommandFailure) -> String {
    guard isInteractive else { throw CommandFailure.usage("pfctl cannot ask without a terminal: \(prompt)") }
    // Close the connection while the person thinks.
    session.disconnect()
    console.prompt(visible(prompt))
    guard let line = readLine() else {
      console.prompt("\n")
      throw Self.declined("ended; the finished steps stay, and the next `pfctl setup` continues from there")
    }
    return trimmingSpaces(line)
  }

  /// The failure for a declined question.
  static func declined(_ message: String) -> CommandFailure {
    CommandFailure(name: "declined", message: message, exitCode: ExitCode.declined)
  }
}
