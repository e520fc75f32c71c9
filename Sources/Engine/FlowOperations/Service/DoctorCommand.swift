package import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import FlowSettings

/// `pfctl doctor`: lists problems and their remedies.
package enum DoctorCommand: Command {
  package static let description = CommandDescription(
    "doctor", "find problems of the daemon, its store, sinks and settings, and show what to do",
    options: [.init("all", nil, "also show the checks that passed")],
    details: [
      "Exits with 1 if a finding is a warning or an error. If the daemon is stopped, it checks the daemon's files."
    ],
    examples: ["pfctl doctor", "pfctl doctor --all", "pfctl doctor --json"])

  /// The JSON document of `pfctl doctor`.
  private struct Answer: Codable {
    let findings: [FindingView]
  }

  package static let documents: [JSONDocument] = [.init("doctor", Answer.self)]

  package static func run(_ arguments: Arguments, _ session: Session) throws {
    let findings = findings(session)
    let console = session.console
    let serious = findings.filter { $0.gravity == .warning || $0.gravity == .error }
    if !serious.isEmpty { session.exitCode = ExitCode.attention }
    if console.isJSON { return try console.document("doctor", Answer(findings: findings)) }
    for finding in findings where finding.gravity != .ok || arguments.has("all") { show(finding, on: console) }
    let checkedText = TextFormat.count(findings.count, "check")
    let noted = findings.filter { $0.gravity == .note }.count
    console.note(
      serious.isEmpty
        ? "\(checkedText): nothing needs attention" + (noted > 0 ? ", \(noted) noted" : "")
        : "\(checkedText): \(TextFormat.count(serious.count, "needs", "need")) attention")
  }

  /// All findings available to this process, with or without a daemon.
  static func findings(_ session: Session) -> [FindingView] {
    socketFindings(session) + unitFindings() + serviceFindings(session)
  }

  private static func show(_ finding: FindingView, on console: Console) {
    let (mark, style): (String, Console.Style) =
      switch finding.gravity {
      case .ok: ("✓", .green)
      case .note: ("·", .dim)
      case .warning: ("!", .yellow)
      case .error: ("✗", .red)
      }
    console.line("\(console.paint(mark, style)) \(finding.area): \(visible(finding.message))")
    if let remedy = finding.remedy { console.line("    \(visible(remedy))") }
  }

  private static func socketFindings(_ session: Session) -> [FindingView] {
    do {
      let daemon = try session.runningDaemon()
      let status = try daemon.ask(SchedulerCall.Status())
      var findings = [FindingView("socket", .ok, "poolflowd \(status.version) answers at '\(session.socketPath)'")]
      if status.version != ProductVersion.text {
        findings.append(
          FindingView(
            "socket", .warning, "the daemon is \(status.version), pfctl is \(ProductVersion.text)",
            remedy: "after an upgrade run `systemctl restart poolflowd`"))
      }
      return findings + (try daemon.ask(DaemonCall.Examine(), deadline: Limits.longCallDeadline).findings)
    } catch let error as CommandFailure {
      return [FindingView("socket", .error, error.message, remedy: socketRemedy(session))] + offline(session)
        + findingsWithoutDaemon(session)
    } catch {
      return [FindingView("socket", .error, "the daemon refuses: \(error)", remedy: "see `journalctl -u poolflowd`")]
    }
  }

  private static func socketRemedy(_ session: Session) -> String {
    guard let file = FileFacts(of: session.socketPath) else {
      return "start it with `systemctl start poolflowd`; for another socket use --socket PATH or POOLFLOW_SOCKET"
    }
    if !file.isSocket { return "'\(session.socketPath)' is not a socket: give the right path with --socket" }
    return file.mode & 0o777 == 0o660
      ? "check `systemctl status poolflowd`; to allow a user: `usermod -aG poolflow USER`, then log in again"
      : "the socket's mode is \(String(file.mode, radix: 8)), not 660: `systemctl restart poolflowd`"
  }

  /// Findings from the files of a daemon that is down: its store, folders and clock; empty if they cannot be read.
  private static func findingsWithoutDaemon(_ session: Session) -> [FindingView] {
    guard let reader = try? session.daemon(), session.isInspecting,
      let findings = try? reader.ask(DaemonCall.Examine(), deadline: Limits.longCallDeadline).findings
    else { return [] }
    // The settings are checked by this process already.
    return findings.filter { $0.area != "settings" }
  }

  /// Findings that need no daemon: the settings.
  private static func offline(_ session: Session) -> [FindingView] {
    do {
      let reading = try ConfigFiles.read(path: nil, session)
      guard reading.problems.isEmpty else {
        return [
          FindingView(
            "settings", .error, "the settings have \(TextFormat.count(reading.problems.count, "mistake")): no start",
            remedy: "`pfctl config check` shows them")
        ]
      }
      return [FindingView("settings", .ok, "the settings on disk have no mistakes")]
    } catch {
      return [FindingView("settings", .error, "\((error as? CommandFailure)?.message ?? "\(error)")")]
    }
  }

  /// Lines that an installed unit file should have, and the consequence of each missing line.
  private static let unitLines = [
    ("Type=notify", "systemd cannot see when the daemon is ready"),
    ("ExecReload=", "`systemctl reload` does nothing"),
    ("StateDirectory=", "the daemon has no state directory for its data"),
    ("NoNewPrivileges=yes", "the sandboxed daemon could gain privileges"),
    ("ProtectSystem=strict", "the daemon may write to the system's files"),
  ]

  /// The unit's state in systemd, and whether its user owns the data.
  private static func serviceFindings(_ session: Session) -> [FindingView] {
    guard let unit = session.unit else { return [] }
    var findings: [FindingView] = []
    if let failure = unit.failure {
      findings.append(FindingView("unit", .error, failure.words, remedy: failure.remedy))
    }
    let state = session.environment["STATE_DIRECTORY"] ?? "/var/lib/poolflow"
    let user = unit.user ?? "root"
    if let folder = FileFacts(of: state), let uid = Accounts.userID(named: user), folder.owner != uid {
      findings.append(
        FindingView(
          "permissions", .warning,
          "'\(state)' belongs to \(Accounts.userName(folder.owner) ?? "uid \(folder.owner)"), \(unit.name) runs as \(user)",
          remedy: "chown -R \(user): '\(state)'"))
    }
    return findings
  }

  private static func unitFindings() -> [FindingView] {
    let places = [
      "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
    ]
    guard let path = places.map({ "\($0)/poolflowd.service" }).first(where: { FileFacts.exists($0) }) else { return [] }
    guard let text = SmallFile.text(path) else {
      return [FindingView("unit", .note, "'\(path)' cannot be read")]
    }
    let lines = text.split(separator: "\n")
    let missing = unitLines.filter { line in !lines.contains { $0.hasPrefix(line.0) } }
    guard !missing.isEmpty else { return [FindingView("unit", .ok, "'\(path)' has the recommended settings")] }
    return missing.map {
      FindingView(
        "unit", .warning, "'\(path)' lacks \($0.0): \($0.1)",
        remedy: "install units/poolflowd.service again, then `systemctl daemon-reload`")
    }
  }
}
