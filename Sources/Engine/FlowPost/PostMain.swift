import CLinux
import FlowControl
import FlowModel
package import FlowNotices
import FlowPlatform
import FlowSettings
import Glibc

/// The program poolflow-post: parses its arguments, runs it and returns its exit code.
package enum PostMain {
  /// The file name that makes the program behave as poolflow-post; that file is a link to `pfctl`.
  package static let name = "poolflow-post"

  private static let help = """
    poolflow-post [--config FILE] [--check]
    poolflow-post [--config FILE] dead [list] | dead show ID [--reveal]
    poolflow-post [--config FILE] dead retry ID|--all [--late] | dead drop ID|--all
    poolflow-post [--config FILE] log NOTICE | status [--json]

    Delivers the notices that poolflowd writes into a drop folder to people: by mail, ntfy,
    Telegram, Slack, Teams, Matrix and signed webhooks.

      dead           messages that could not be delivered: list, show, retry, drop
      log NOTICE     the outcome of each delivery of a notice
      status         the health of each channel, and its waiting messages

      --config FILE  settings to read instead of /etc/poolflow/post.conf
      --check        show every mistake in the settings and credentials, and exit
      --version      print the version and exit
      --help         print this help and exit

    More: man poolflow-post
    """

  /// Runs the program.
  ///
  /// - Parameter detailTypes: the details of all trades' notices.
  /// - Returns: 0, or one of sysexits(3): 64 for a wrong command line, 66 for missing settings, 69 without curl, 74 for an I/O
  ///   error, 75 if another instance runs, 78 for invalid settings.
  package static func run(
    _ arguments: [String], environment: [String: String], detailTypes: NoticeDetailTypes
  ) -> Int32 {
    let log = PostLog(environment: environment)
    var words = arguments[...]
    var path: String?
    var isCheck = false
    var command: [String] = []
    while let word = words.popFirst() {
      switch word {
      case "--help":
        print(help)
        return 0
      case "--version":
        print("poolflow-post \(ProductVersion.text)")
        return 0
      case "--check": isCheck = true
      case "--config" where !words.isEmpty: path = words.removeFirst()
      case _ where word.hasPrefix("--config="): path = String(word.dropFirst(9))
      case _ where !command.isEmpty || PostCommands.words.contains(word): command.append(word)
      default:
        log.error("unknown argument '\(visible(word))'; see poolflow-post --help")
        return 64
      }
    }
    let file = path ?? PostSettings.standardPath(environment)
    if !command.isEmpty { return runCommand(command, file: path, environment, log) }
    do {
      let (settings, secrets) = try load(file, environment)
      if isCheck {
        print("\(visible(file)): \(settings.channels.count) channels, no mistake")
        return 0
      }
      let state = settings.stateDirectory ?? environment["STATE_DIRECTORY"] ?? "/var/lib/poolflow-post"
      return try runUntilStopped(file, settings, secrets, state: state, environment, detailTypes, log)
    } catch let error as SettingsError {
      if case .unreadable = error {
        log.error(error.description)
        return 66
      }
      log.block(error.description)
      return 78
    } catch {
      log.error("\(error)")
      return 74
    }
  }

  /// Runs an operator's command, whether poolflow-post itself runs or not.
  private static func runCommand(
    _ words: [String], file: String?, _ environment: [String: String], _ log: PostLog
  ) -> Int32 {
    do {
      let state = try stateFolder(file: file, environment)
      var commands = PostCommands(try StateFolderView(state), now: SystemWallClock().now())
      try commands.run(words)
      print(terminalText(commands.output, colours: false), terminator: "")
      return 0
    } catch let error as PostCommands.UsageError {
      log.error(error.description)
      return error.exitCode
    } catch let error as SettingsError {
      log.block(error.description)
      if case .unreadable = error { return 66 }
      return 78
    } catch let error as SystemFailure where error.code == EACCES || error.code == EPERM {
      log.error("\(error); run it as root, or as the user poolflow-post")
      return 77
    } catch {
      log.error("\(error)")
      return 74
    }
  }

  /// Returns the path of the state folder.
  ///
  /// - Throws: `SettingsError` if the settings file is invalid, or was named and cannot be read.
  private static func stateFolder(
    file: String?, _ environment: [String: String]
  ) throws(SettingsError) -> String {
    let standard = environment["STATE_DIRECTORY"] ?? "/var/lib/poolflow-post"
    do {
      return try PostSettings.load(path: file ?? PostSettings.standardPath(environment)).stateDirectory ?? standard
    } catch {
      // The standard settings file is missing or not readable for this user, so use the standard folder.
      if file == nil, case .unreadable = error { return standard }
      throw error
    }
  }

  /// Reads and checks the settings with the programs, certificates and credentials that they name.
  ///
  /// - Throws: `SettingsError` with every mistake.
  private static func load(
    _ file: String, _ environment: [String: String]
  ) throws(SettingsError) -> (PostSettings, [String: ChannelSecret]) {
    let settings = try PostSettings.load(path: file)
    let credentials = PostCredentials(settings: file, environment: environment)
    var secrets: [String: ChannelSecret] = [:]
    var problems: [SettingsProblem] = []
    for channel in settings.channels {
      if channel.kind == .sendmail, access(channel.program, X_OK) != 0 {
        problems.append(
          settings.problem(
            channel.name, "Program", "the program '\(channel.program)' does not exist or cannot be run"))
      }
      if let authority = channel.authority, access(authority, R_OK) != 0 {
        problems.append(
          settings.problem(channel.name, "Authority", "the certificates in '\(authority)' cannot be read"))
      }
      do { secrets[channel.name] = try ChannelSecret(channel, credentials) } catch {
        problems.append(settings.problem(channel.name, "Credential", "\(error)"))
      }
    }
    guard problems.isEmpty else { throw .mistakes(problems) }
    return (settings, secrets)
  }

  /// Takes the lock and runs `PostDaemon` until SIGTERM.
  private static func runUntilStopped(
    _ file: String, _ settings: PostSettings, _ secrets: [String: ChannelSecret], state: String,
    _ environment: [String: String], _ detailTypes: NoticeDetailTypes, _ log: PostLog
  ) throws -> Int32 {
    guard access(Transfer.curl, X_OK) == 0 else {
      log.error("there is no \(Transfer.curl); install the package curl")
      return 69
    }
    signal(SIGPIPE, SIG_IGN)
    let (reading, writing) = try ChildProgram.pipe()
    _ = fcntl(writing, F_SETFL, O_NONBLOCK)
    // The parent process may have blocked these signals, and a signal mask is inherited.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    for number in [SIGTERM, SIGINT, SIGHUP] {
      guard poolflow_forward_signal(number, writing) == 0 else { throw SystemFailure("cannot take signal \(number)") }
    }
    let folder = try PostFolder(state: state, drop: settings.folder)
    let lock = open("\(state)/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard lock >= 0 else { throw SystemFailure("cannot open '\(state)/lock'") }
    guard takeLock(lock) else {
      log.error("another poolflow-post works in '\(state)'")
      return 75
    }
    let poster = PostDaemon(
      settings, secrets: secrets, folder, machineZone: LocalZone.name(environment: environment),
      detailTypes: detailTypes, log)
    try poster.run(signals: reading) { () throws(SettingsError) in try load(file, environment) }
    return 0
  }

  /// Takes the lock, and waits for it for at most `Limits.postLockPatience`: after a previous instance was killed, a child
  /// process that it had just forked may hold the lock until it becomes curl.
  private static func takeLock(_ lock: Int32) -> Bool {
    let end = MachineUptime.now() + Limits.postLockPatience
    while poolflow_flock_exclusive(lock) != 0 {
      guard MachineUptime.now() < end else { return false }
      usleep(20_000)
    }
    return true
  }
}

/// Lines on stderr, with syslog levels if the journal reads them (sd-daemon(3)). Callers pass no address, URL or message text.
struct PostLog: Sendable {
  private let writesLevels: Bool

  init(environment: [String: String]) { writesLevels = environment["JOURNAL_STREAM"] != nil }

  func info(_ text: String) { put(6, text) }
  func notice(_ text: String) { put(5, text) }
  func warning(_ text: String) { put(4, text) }
  func error(_ text: String) { put(3, text) }

  /// Logs an error of several lines.
  func block(_ text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      write(writesLevels ? "<3>" : "", String(line))
    }
  }

  private func put(_ level: Int, _ text: String) { write(writesLevels ? "<\(level)>" : "poolflow-post: ", text) }

  private func write(_ head: String, _ text: String) {
    var line = head + visible(text.replacing("\n", with: " ")) + "\n"
    // A failed write to stderr cannot be reported.
    line.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
  }
}
