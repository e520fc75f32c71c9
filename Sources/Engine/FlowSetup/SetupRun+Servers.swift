internal import FlowCommandKit
internal import FlowOperations
internal import FlowControl
internal import FlowModel
internal import FlowPlatform
internal import FlowSettings

extension SetupRun {
  /// Configures the servers through which notices are sent.
  func setUpServers() throws {
    guard isInteractive || !flags.servers.isEmpty || flags.servers.showsAccess != nil else { return }
    if arguments["instance"] != nil {
      return say("poolflow-post delivers the notices of poolflowd; for another instance see poolflow-post(1)")
    }
    let path = try settingsPath()
    let reading = try ConfigFiles.read(path: path.given, session)
    try ConfigFiles.refuseMistakes(of: reading, console)
    let files: SetupFiles
    do { files = try SetupFiles(beside: path.main, reading: reading) } catch {
      throw CommandFailure.noInput(error.description)
    }
    var servers = flags.servers
    if servers.isEmpty {
      if files.channelTexts.isEmpty, isInteractive {
        let asked = try askForServers()
        (servers.relay, servers.sender, servers.ntfy) = (asked.relay, asked.sender, asked.ntfy)
      } else if !files.channelTexts.isEmpty {
        say("there is \(files.channelTexts.joined(separator: ", "))")
      }
    }
    if let access = trade.setup.access, servers.showsAccess == nil, isInteractive,
      let present = files.showsAccess(with: servers)
    {
      say(access.meaning)
      servers.showsAccess = try confirms(access.question, standard: present)
    }
    if try !mayReplace(files.replaced(by: servers), of: servers) { servers = SetupServers() }
    servedChannels = files.addressKinds(with: servers)
    let requiredFiles = files.requiredFiles(servers)
    if files.showsAccess(with: servers) != nil {
      recordAccess(servers.showsAccess, of: files.placesOfAccess(with: servers))
    }
    for text in requiredFiles.warnings { addWarning(text, ExitCode.attention) }
    // An earlier setup wrote the files and stopped before the daemon read them.
    let isNotLoaded = try files.hasSink && !isSinkEffective(files.post.others.folder)
    guard !requiredFiles.files.isEmpty || isNotLoaded else { return }
    try writeFiles(requiredFiles.files, files, path, isNotLoaded: isNotLoaded)
    hasNewServers = !servers.isEmpty && requiredFiles.files.contains { $0.path == files.postPath }
  }

  /// Whether the servers may be replaced. They serve all teams, so with other teams present the user must agree.
  private func mayReplace(_ replaced: [String], of servers: SetupServers) throws -> Bool {
    guard !replaced.isEmpty, !otherTeams.isEmpty, !flags.changesAllTeams else { return true }
    let words = replaced.joined(separator: " and ")
    let teams = otherTeams.prefix(3).joined(separator: ", ") + (otherTeams.count > 3 ? " and others" : "")
    if isInteractive, try confirms("Also used by \(teams): \(words). Change it for all teams?", standard: false) {
      return true
    }
    addWarning(
      "not changed, because also used by \(teams): \(words). All teams share server, sender and what mail and pages show; "
        + "--all-teams changes them for all", ExitCode.attention)
    return false
  }

  private func isSinkEffective(_ folder: String) throws -> Bool {
    try session.runningDaemon().ask(DaemonCall.Settings()).values.contains {
      $0.section.hasPrefix("Sink ") && $0.key == "Directory" && $0.value == folder
    }
  }

  /// - Returns: the daemon's settings file, and the path to mention if it is not the standard one.
  private func settingsPath() throws -> (main: String, given: String?) {
    let usual = SettingsReading.standardPath(session.environment)
    let main = try arguments["config"] ?? session.runningDaemon().ask(DaemonCall.Settings()).path ?? usual
    guard main.hasPrefix("/") else {
      throw CommandFailure.usage(
        "the daemon's settings are '\(visible(main))', a relative path; give the absolute path with --config"
      )
    }
    return (main, main == usual ? nil : main)
  }

  private func askForServers() throws(CommandFailure) -> SetupServers {
    var servers = SetupServers()
    let url = try optionalAnswer(
      "Mail relay, smtp://HOST:PORT, or ntfy server, https://HOST [later]"
    ) { text throws(InvalidAnswer) in
      text.lowercased().hasPrefix("http") ? try SetupAnswer.ntfy(text) : try SetupAnswer.relay(text)
    }
    guard let url else { return servers }
    if url.lowercased().hasPrefix("http") {
      servers.ntfy = url
      return servers
    }
    guard
      let sender = try optionalAnswer("From, such as Routes <routes@example.com> [later]", SetupAnswer.sender)
    else { return servers }
    (servers.relay, servers.sender) = (url, sender)
    return servers
  }

  /// Writes the files, checks them and reloads the daemon: all of it, or nothing.
  private func writeFiles(
    _ files: [SetupFile], _ found: SetupFiles, _ path: (main: String, given: String?), isNotLoaded: Bool
  ) throws {
    for file in files { printFile(file) }
    var written: [WrittenFile] = []
    if !isDryRun {
      do throws(SystemFailure) {
        for file in files {
          written.append(try WrittenFile(file, before: found.text(at: file.path)))
        }
      } catch {
        for file in written { file.undo() }
        return addWarning(
          "\(error), so the settings were not changed. As root, run the commands above, and then: pfctl reload; "
            + "systemctl enable --now poolflow-post", ExitCode.attention)
      }
    }
    let config = path.given.map { ["--config", $0] } ?? []
    // What pages show does not concern poolflow-post.
    let concernsPost = isNotLoaded || files.contains { $0.path != found.pagesPath }
    do {
      let postConfig = path.given == nil ? [] : ["--config", "\(found.folder)/post.conf"]
      if concernsPost, isDryRun || OwnProgram.siblingProgram("poolflow-post") != nil {
        try perform(SetupStep(program: "poolflow-post", words: postConfig + ["--check"]))
      }
      if isNotLoaded || files.contains(where: { $0.path != found.postPath }) {
        try perform(.pfctl(["config", "check"] + config))
        try perform(.pfctl(["reload"]))
      }
    } catch {
      for file in written { file.undo() }
      say("the previous settings are in place again")
      throw error
    }
    guard concernsPost else { return }
    if !isDryRun, FileKind(at: found.post.others.folder) == nil {
      addWarning(
        "the folder \(found.post.others.folder) does not exist, so notices wait: `systemd-tmpfiles --create "
          + "poolflow.conf` creates the package's folder", ExitCode.attention)
    }
    try startPoolflowPost(found.folder)
  }

  /// Prints the shell commands that write the file.
  private func printFile(_ file: SetupFile) {
    recordWrittenFile(file)
    show("$ mkdir -p \(shellWord(ConfigFiles.folder(of: file.path)))")
    show("$ cat >\(shellWord(file.path)) <<'END'")
    if !console.isJSON { for line in file.lines { console.line(visible(String(line))) } }
    show("END")
  }

  /// Starts poolflow-post; its unit reads only `/etc/poolflow`.
  private func startPoolflowPost(_ folder: String) throws {
    let enable = SetupStep(program: "systemctl", words: ["enable", "--now", "poolflow-post"])
    guard folder == "/etc/poolflow" else {
      return say("`poolflow-post --config \(folder)/post.conf` delivers it to people while it runs")
    }
    guard isDryRun || (FileKind(at: "/run/systemd/system") != nil && ProcessIdentity.user == 0) else {
      return say("then, as root: \(enable.line(reveal: false))")
    }
    try performContinuingOnFailure(enable)
    // A service that was already running must reload the settings.
    try performContinuingOnFailure(SetupStep(program: "systemctl", words: ["reload", "poolflow-post"]))
  }
}
