import FlowPlatform
import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server of a test in a temporary folder, at a private socket.
///
/// It is initialised once per process and copied for each server. As root, it runs as an unprivileged user, which PostgreSQL
/// requires. It ends with the last reference; if the process dies first, a small guard process ends it and removes the folder.
package final class PostgresServer: Sendable {
  package enum Stop: Int32, Sendable {
    /// Ends the connections and writes everything to disk.
    case fast = 2
    /// Like a power failure: the next start replays the log.
    case immediate = 3
  }

  /// The server's folder with `data` and `socket`.
  package let folder: String
  /// The folder of its socket: `host` in a connection string.
  package let socketFolder: String
  package let port: Int
  /// Whether it also listens on 127.0.0.1.
  package let listens: Bool
  private let settings: [String: String]
  private let postmaster = Mutex<ChildProgram?>(nil)

  /// The owner of the databases made by `newDatabase`, not a superuser.
  package static let user = "poolflow"
  private static let superuser = "postgres"

  /// A server for all tests of the process that do not stop it.
  package static let shared = Result { try PostgresServer() }

  /// - Parameters:
  ///   - settings: settings of postgresql.conf that override the kit's own.
  ///   - listens: true to listen also on 127.0.0.1, on a free port.
  ///   - at: an empty folder for `data`, such as a small disk's; without it, a subfolder of the server's folder.
  /// - Throws: `MissingRequirement` if PostgreSQL is not installed.
  package convenience init(
    settings: [String: String] = [:], listens: Bool = false, dataAt place: String? = nil
  ) throws {
    let programs = try Self.programs()
    try self.init(settings: settings, listens: listens) { data in
      let template = try Cluster.template(programs)
      guard let place else { return _ = try Cluster.run("/bin/cp", ["-a", template, data]) }
      try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: place)
      _ = try Cluster.run("/bin/sh", ["-c", "cp -a \"$1\"/. \"$2\"", "sh", template, place])
      chmod(place, 0o700)
      if let owner = Cluster.owner { chown(place, owner.user, owner.group) }
    }
  }

  /// A standby that follows this server and answers queries until it is promoted.
  package func standby() throws -> PostgresServer {
    let programs = try Self.programs()
    let (host, port) = (socketFolder, port)
    return try PostgresServer(settings: [:], listens: false) { data in
      _ = try Cluster.run(
        programs + "/pg_basebackup",
        [
          "-D", data, "-h", host, "-p", "\(port)", "-U", Self.superuser, "-R", "-X", "stream", "-c", "fast",
          "--no-sync",
        ],
        asOwner: true)
    }
  }

  private init(settings: [String: String], listens: Bool, fill: (_ data: String) throws -> Void) throws {
    folder = "\(try Cluster.root.get())/\(UUID().uuidString.prefix(8))"
    socketFolder = folder + "/socket"
    port = listens ? Int(try FreePort.find()) : 5432
    self.listens = listens
    self.settings = [
      // As in production, except for memory and authentication.
      "fsync": "on", "shared_buffers": "16MB", "max_connections": "60", "dynamic_shared_memory_type": "mmap",
      "unix_socket_directories": socketFolder, "unix_socket_permissions": "0777", "port": "\(port)",
      "listen_addresses": listens ? "127.0.0.1" : "", "log_line_prefix": "%m [%p] %q%u@%d ",
    ].merging(settings) { $1 }
    try FileManager.default.createDirectory(atPath: socketFolder, withIntermediateDirectories: true)
    if let owner = Cluster.owner { for path in [folder, socketFolder] { chown(path, owner.user, owner.group) } }
    for path in [folder, socketFolder] { chmod(path, 0o711) }
    try fill(data)
    try start()
  }

  deinit {
    try? stop(.immediate)
    forgetSharedMemory()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private var data: String { folder + "/data" }
  private var log: String { folder + "/log" }

  /// The server's complete log, over all its starts.
  package var words: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

  package var isRunning: Bool { postmaster.withLock { $0 != nil } }

  /// Starts the server and waits until it accepts connections.
  ///
  /// - Throws: `PostgresTrouble` with the end of its log if it fails.
  package func start() throws {
    guard !isRunning else { return }
    let programs = try Self.programs()
    let deadline = ContinuousClock.now + Cluster.patience
    while true {
      let child = try Cluster.spawn(
        programs + "/postgres",
        ["-D", data] + settings.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }, log: log)
      // A standby reports `standby`.
      while !["ready", "standby"].contains(status(of: child.pid)) {
        var ending: Int32 = 0
        if waitpid(child.pid, &ending, WNOHANG) == child.pid {
          // Processes of a killed server may continue for a moment.
          guard words.contains("still in use"), ContinuousClock.now < deadline
          else {
            throw PostgresTrouble("it did not start: \(words.suffix(600))")
          }
          break
        }
        guard ContinuousClock.now < deadline else {
          Glibc.kill(child.pid, SIGKILL)
          child.end()
          throw PostgresTrouble("it was not ready in time: \(words.suffix(600))")
        }
        poll(nil, 0, 5)
      }
      if ["ready", "standby"].contains(status(of: child.pid)) {
        postmaster.withLock { $0 = child }
        return
      }
      poll(nil, 0, 20)
    }
  }

  /// Stops the server and waits until all its processes have ended.
  package func stop(_ manner: Stop) throws { try end(manner == .fast ? SIGINT : SIGQUIT) }

  /// Kills the postmaster (`kill -9`); its children notice and exit.
  package func kill() throws { try end(SIGKILL) }

  private func end(_ signal: Int32) throws {
    try postmaster.withLock { child in
      guard let running = child else { return }
      Glibc.kill(running.pid, signal)
      let deadline = ContinuousClock.now + Cluster.patience
      var ending: Int32 = 0
      while waitpid(running.pid, &ending, WNOHANG) == 0 {
        if ContinuousClock.now > deadline {
          Glibc.kill(running.pid, SIGKILL)
          running.end()
          child = nil
          throw PostgresTrouble("it did not stop in time: \(words.suffix(600))")
        }
        poll(nil, 0, 2)
      }
      child = nil
      try Cluster.wait("its children still run") { Cluster.processes(in: data).isEmpty }
    }
  }

  /// The postmaster's status in its pid file.
  private func status(of pid: Int32) -> String {
    let text = (try? String(contentsOfFile: data + "/postmaster.pid", encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 8, lines[0] == "\(pid)" else { return "" }
    return lines[7].trimmingCharacters(in: .whitespaces)
  }

  /// Removes the shared memory of a killed server.
  private func forgetSharedMemory() {
    let text = (try? String(contentsOfFile: data + "/postmaster.pid", encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.count >= 7, let id = lines[6].split(separator: " ").last.flatMap({ Int32($0) }) {
      shmctl(id, IPC_RMID, nil)
    }
  }

  // MARK: What is in it

  /// A connection string for a database of this server, without a password.
  ///
  /// - Parameter host: a proxy's folder instead of the server's own.
  package func connection(
    to database: String, user: String = PostgresServer.user, host: String? = nil
  ) -> String {
    "host=\(host ?? socketFolder) port=\(port) dbname=\(database) user=\(user)"
  }

  /// Creates a database with a unique name.
  ///
  /// - Parameter template: a database of this server without connections.
  package func newDatabase(like template: String = "template0") throws -> String {
    let name = "store_" + UUID().uuidString.lowercased().filter { $0 != "-" }.prefix(16)
    try query("CREATE DATABASE \(name) OWNER \(Self.user) TEMPLATE \(template)")
    return name
  }

  package func drop(_ database: String) throws { try query("DROP DATABASE IF EXISTS \(database) WITH (FORCE)") }

  /// The superuser's `psql` output: one line for each row, `|` between columns.
  ///
  /// - Parameters:
  ///   - sql: the statements, each sent as a message of its own.
  ///   - host: a proxy's folder instead of the server's own.
  /// - Throws: `PostgresTrouble` with the error if any statement fails.
  @discardableResult
  package func query(_ sql: String..., in database: String = "postgres", host: String? = nil) throws -> String {
    let answer = try Cluster.run(
      Self.programs() + "/psql",
      [
        "-XAtq", "-v", "ON_ERROR_STOP=1", "-h", host ?? socketFolder, "-p", "\(port)", "-U", Self.superuser, "-d",
        database,
      ] + sql.flatMap { ["-c", $0] })
    return answer.hasSuffix("\n") ? String(answer.dropLast()) : answer
  }

  /// Ends every other session of one database or of all (`pg_terminate_backend`) and waits until they are gone.
  ///
  /// - Returns: the number of ended sessions.
  @discardableResult
  package func terminateBackends(of database: String? = nil) throws -> Int {
    let only = database.map { " AND datname = '\($0)'" } ?? ""
    let answer = try query(
      """
      SELECT count(pg_terminate_backend(pid, 60000)) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'\(only)
      """)
    return Int(answer) ?? 0
  }

  /// Allows only the logins in these lines of pg_hba.conf, besides the superuser at the socket.
  package func allow(_ lines: String...) throws {
    let own = "local all \(Self.superuser) trust\n"
    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: data)) ?? data
    let file = path + "/pg_hba.conf"
    let mode = try FileManager.default.attributesOfItem(atPath: file)
    try Data((own + lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: file))
    try FileManager.default.setAttributes(
      mode.filter { [.posixPermissions, .ownerAccountID, .groupOwnerAccountID].contains($0.key) }, ofItemAtPath: file)
    try query("SELECT pg_reload_conf()")
  }

  /// Changes a setting of the running server that needs no restart.
  package func set(_ name: String, _ value: String) throws {
    try query("ALTER SYSTEM SET \(name) = '\(value)'")
    try query("SELECT pg_reload_conf()")
  }

  // MARK: Where it comes from

  /// The folder of initdb, postgres and psql.
  ///
  /// - Throws: `MissingRequirement` if PostgreSQL is not installed.
  package static func programs() throws -> String {
    guard let installed else { throw MissingRequirement(.postgresql) }
    return installed
  }

  /// The folder of the newest installed version; nil if there is none.
  static let installed: String? = {
    let root = "/usr/lib/postgresql"
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }.sorted()
    let folders = versions.reversed().map { "\(root)/\($0)/bin" }
    return folders.first { folder in
      ["initdb", "postgres", "psql"].allSatisfy { access("\(folder)/\($0)", X_OK) == 0 }
    }
  }()

  /// Starts a guard process that reads from a pipe held open by this process only: when this process ends in any way, the guard
  /// ends the servers in `folder` and removes it.
  ///
  /// - Returns: the descriptor to be kept open; children do not inherit it.
  package static func guardServers(in folder: String) throws -> Int32 { try Cluster.startGuard(of: folder) }
}

/// An error of the kit itself.
package struct PostgresTrouble: Error, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}

/// Shared by all servers of the process: their folder, their user and their guard.
private enum Cluster {
  static let patience: Duration = .seconds(120)

  /// The user that runs the server if this process is root, which PostgreSQL refuses.
  static let owner: (user: uid_t, group: gid_t)? = {
    guard getuid() == 0 else { return nil }
    for name in ["postgres", "nobody"] {
      if let entry = getpwnam(name) { return (entry.pointee.pw_uid, entry.pointee.pw_gid) }
    }
    return (65534, 65534)
  }()

  /// The folder of all servers of this process.
  static let root = Result<String, any Error> {
    let path = "/tmp/poolflow-pg-\(getpid())-\(UUID().uuidString.prefix(4))"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    chmod(path, 0o711)
    // The pipe stays open for the lifetime of this process.
    _ = try PostgresServer.guardServers(in: path)
    return path
  }

  static func startGuard(of path: String) throws -> Int32 {
    let (reading, writing) = try ChildProgram.pipe()
    defer { close(reading) }
    let script = """
      trap '' INT TERM HUP PIPE
      read -r _
      for data in "$1"/*/data; do
        data="$(readlink -f "$data")"
        pid="$(head -n 1 "$data/postmaster.pid" 2>/dev/null)" || continue
        [ "$(readlink "/proc/$pid/cwd")" = "$data" ] || continue
        kill -QUIT "$pid"
        for _ in $(seq 100); do [ "$(readlink "/proc/$pid/cwd")" = "$data" ] || break; sleep 0.1; done
      done
      rm -rf "$1"
      """
    _ = try ChildProgram(
      "/bin/sh", ["-c", script, "sh", path], environment: ["PATH": "/usr/bin:/bin"], ownGroup: true,
      [0: .descriptor(reading), 1: .writing("/dev/null"), 2: .writing("/dev/null")])
    return writing
  }

  private static let made = Mutex<String?>(nil)

  /// A data folder in which no server has run yet, to be copied. Its collation is linguistic, not bytewise, to detect code that
  /// relies on byte order.
  static func template(_ programs: String) throws -> String {
    try made.withLock { path in
      if let path { return path }
      let folder = try root.get() + "/template"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      if let owner { chown(folder, owner.user, owner.group) }
      _ = try run(
        programs + "/initdb",
        [
          "-D", folder + "/files", "-U", "postgres", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C.UTF-8",
          "--locale-provider=icu", "--icu-locale=en-US",
        ], asOwner: true)
      _ = try run(
        "/bin/sh",
        [
          "-c", "echo \"CREATE ROLE $3 LOGIN\" | \"$1\" --single -D \"$2\" postgres", "sh", programs + "/postgres",
          folder + "/files", PostgresServer.user,
        ], asOwner: true)
      path = folder + "/files"
      return folder + "/files"
    }
  }

  static func spawn(_ program: String, _ words: [String], log: String) throws -> ChildProgram {
    let (program, words) = asOwner(program, words)
    return try ChildProgram(
      program, words, environment: environment, ownGroup: true,
      [0: .reading("/dev/null"), 1: .writing(log), 2: .writing(log)])
  }

  /// - Returns: the program's standard output.
  static func run(_ program: String, _ words: [String], asOwner isOwners: Bool = false) throws -> String {
    let (program, words) = isOwners ? asOwner(program, words) : (program, words)
    let (reading, writing) = try ChildProgram.pipe()
    defer { close(reading) }
    let child: ChildProgram
    do {
      defer { close(writing) }
      child = try ChildProgram(
        program, words, environment: environment,
        [0: .reading("/dev/null"), 1: .descriptor(writing), 2: .descriptor(writing)])
    }
    var output: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(reading, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      output += buffer[..<count]
    }
    let ending = child.end()
    let text = String(decoding: output, as: UTF8.self)
    guard ending == .exit(0) else { throw PostgresTrouble("\(program) ended with \(ending): \(text)") }
    return text
  }

  private static let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TZ": "UTC"]

  private static func asOwner(_ program: String, _ words: [String]) -> (String, [String]) {
    guard let owner else { return (program, words) }
    return (
      "/usr/bin/setpriv",
      ["--reuid=\(owner.user)", "--regid=\(owner.group)", "--clear-groups", program] + words
    )
  }

  /// The processes with this data folder as working directory: the postmaster and its children.
  static func processes(in data: String) -> [Int32] {
    let data = (try? FileManager.default.destinationOfSymbolicLink(atPath: data)) ?? data
    let all = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
    return all.filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/cwd")) == data }
  }

  static func wait(_ what: String, _ holds: () throws -> Bool) throws {
    let deadline = ContinuousClock.now + patience
    while try !holds() {
      guard ContinuousClock.now < deadline else { throw PostgresTrouble("\(what) after \(patience)") }
      poll(nil, 0, 5)
    }
  }
}
