import FlowCalendar
import FlowControl
import FlowModel
import FlowPlatform
import FlowStore
import Foundation
import Glibc
import Synchronization
import TradeStores

/// Measures a slot shared by many teams, from its time to the last durable file, on the built daemon over its socket.
///
/// The environment sets `POOLFLOW_BENCH_TEAMS` instead of the kind's own counts, `POOLFLOW_BENCH_ROUNDS` (1),
/// `POOLFLOW_BENCH_STAGES=no`. With `POOLFLOW_BENCH_STORE` only the stages are measured, on a copy of that store.
func benchHerd(_ kind: HerdKind) {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    defer { done.signal() }
    do {
      let settings = ProcessInfo.processInfo.environment
      if let store = settings["POOLFLOW_BENCH_STORE"] {
        return kind == .mornings ? try await HerdStages.run(on: store) : ()
      }
      await forgetRemovedFiles()
      let counts = settings["POOLFLOW_BENCH_TEAMS"].flatMap(Int.init).map { [$0] } ?? kind.counts
      for count in counts { try await HerdBench(kind, teams: count, settings, isOneOfMany: counts.count > 1).run() }
    } catch {
      benchFailed("herd", error)
    }
  }
  done.wait()
}

/// Waits until ext4 creates files at full speed again: for a minute after an inode was freed, ext4 checks it before each new
/// file, and five minutes more if its table is not on disk yet. A build or an earlier benchmark frees thousands.
/// Source: Linux, fs/ext4/ialloc.c, `recently_deleted`.
private func forgetRemovedFiles() async {
  print("herd: waits a minute for files that were removed just now")
  sync()
  do { try await Task.sleep(for: .seconds(61)) } catch {}
}

private struct HerdBench {
  /// The daemon is ready long before the slot.
  private static let headStart = 6

  private let teams: Int
  private let rounds: Int
  private let herd: HerdKind
  private var hasPeople: Bool { herd == .people }
  private var hasPages: Bool { herd != .withoutPages }
  private var isBeside: Bool { herd == .beside }
  private var isBarn: Bool { herd == .barns }
  private let showsStages: Bool
  private let isOneOfMany: Bool
  private let folder: URL
  private var state: String { folder.appendingPathComponent("state").path }
  private var socket: String { state + "/control.sock" }
  private var kind: String { isBarn ? "barn-digest" : hasPages ? "morning-summary" : "low-stock" }

  init(_ herd: HerdKind, teams: Int, _ settings: [String: String], isOneOfMany: Bool) throws {
    self.isOneOfMany = isOneOfMany
    self.herd = herd
    self.teams = teams
    rounds = settings["POOLFLOW_BENCH_ROUNDS"].flatMap(Int.init) ?? 1
    showsStages = settings["POOLFLOW_BENCH_STAGES"] != "no"
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("poolflow-herd-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The figures of one morning.
  private struct Morning {
    var first = 0.0
    var last = 0.0
    var processor = 0.0
    /// CPU time from the start until a second before the slot.
    var processorBefore = 0.0
    /// Resident memory before the slot, and its peak.
    var atRest = 0.0
    var peak = 0.0
    var written = 0.0
    var statuses: [Double] = []
    /// The first status call, before the slot, in ms.
    var firstStatus = 0.0
    /// Bytes of one event and of its page.
    var sizes: [Int] = []
    var files = 0
  }

  func run() async throws {
    print(
      "herd: \(teams) \(isBarn ? "barns of twenty horses" : "teams of 24 stops and a month of visits"), one morning, the "
        + "built daemon"
        + (hasPages ? "" : ", low stock without pages, no visits")
        + (hasPeople ? ", with a notice for each technician" : "")
        + (isBeside ? ", beside a backup, an import and the night's route plan" : ""))
    defer {
      // A leftover temporary folder does no harm.
      try? FileManager.default.removeItem(at: folder)
    }
    var mornings: [Morning] = []
    for round in 0..<rounds {
      mornings.append(try morning())
      // Removed at the end, so that the next round creates files at full speed (see `forgetRemovedFiles`).
      if round < rounds - 1 { try FileManager.default.moveItem(atPath: state, toPath: "\(state)-\(round)") }
    }
    let rate = try printFigures(of: mornings)
    let shares = mornings.map { 100 * Double($0.files * max(1, $0.sizes.count)) / $0.last * 1_000 / rate }
    figureLine("\(title)share of the disk's own rate, %", shares, leastShare.map { .atLeast($0) })
    if showsStages, herd == .mornings {
      try await HerdStages(path: state + "/poolflow.db", folder: folder).run()
    }
  }

  /// Distinguishes the figures of several counts.
  private var title: String { isOneOfMany ? "\(teams) teams: " : "" }

  /// The promised share of the disk's rate in percent: files of a morning on the reference machine within its limit (100 teams
  /// 150 ms, 10,000 teams 10 s, 100,000 without pages 60 s), where the disk creates 4,700 files a second.
  private var leastShare: Double? {
    switch herd {
    case .mornings: teams <= 100 ? 28 : 42
    case .barns: 42
    case .withoutPages: 35
    case .people, .beside: nil
    }
  }

  /// - Returns: the disk's own rate, in files of such sizes a second.
  private func printFigures(of mornings: [Morning]) throws -> Double {
    func line(_ name: String, _ bound: Bound? = nil, _ figure: (Morning) -> Double) {
      figureLine("\(title)\(name)", mornings.map(figure), bound)
    }
    line("first file after the slot, ms", .reference(50)) { $0.first }
    let limit: Double? = herd == .mornings ? [100: 150, 10_000: 10_000][teams] : teams == 100_000 ? 60_000 : nil
    line("last event durable and known to the store after the slot, ms", limit.map { .reference($0) }) { $0.last }
    line("events a second") { Double($0.files) / $0.last * 1_000 }
    line("processor of a team before its slot, with the start, ms") { $0.processorBefore * 1_000 / Double(teams) }
    line("processor of a team from a second before it, ms") { $0.processor * 1_000 / Double(teams) }
    line("resident memory before it, MB") { $0.atRest }
    line("resident memory at its highest, MB", teams <= 10_000 ? .atMost(128) : nil) { $0.peak }
    line("written to the disk, MB") { $0.written }
    line("the first status after the start, before the slot, ms") { $0.firstStatus }
    if case let statuses = mornings.flatMap(\.statuses).sorted(), !statuses.isEmpty {
      figureLine("\(title)status meanwhile, ms, median", [statuses[statuses.count / 2]])
      figureLine("\(title)status meanwhile, ms, p99", [statuses[statuses.count * 99 / 100]], .reference(50))
    }
    let sizes = mornings.last?.sizes ?? []
    let contents = (sizes.isEmpty ? [1] : sizes).map { [UInt8](repeating: 0x20, count: $0) }
    let rate = try RawDisk.rate(files: 2_000, contents, in: folder.appendingPathComponent("raw")).files
    figureLine("\(title)beside it the disk: create + fsync + rename, files/s", [rate], .baseline)
    return rate
  }

  // MARK: A morning

  private func morning() throws -> Morning {
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var daemon = try BenchDaemon(folder: folder)
    try pfctl(["team", "add", "desert-blue", "--zone", "UTC"] + (isBarn ? ["--trade", "stable"] : []))
    if isBarn {
      try bringBarn()
    } else {
      try pfctl(["import", "config/demo/demo-backup.zip", "--team", "desert-blue"])
    }
    daemon.stop()
    try settings()
    let zone = try SystemZones().zone(named: "UTC")
    let clock = SystemWallClock()
    let local = zone.local(at: clock.now())
    let herd = HerdTeams(count: teams, today: local.date, hasPeople: hasPeople, isThin: !hasPages, isBarn: isBarn)
    try herd.fill(state + "/poolflow.db")
    sync()
    // A daemon with this many jobs needs time to start, and to prefetch decisions as at night.
    let slot = Timestamp(seconds: clock.now().advanced(by: .seconds(20 + min(teams, 20_000) / 200)).seconds)
    guard zone.local(at: slot).date == local.date else {
      throw BenchFailure(description: "the day ended while the herd was made")
    }
    try herd.setSlot(state + "/poolflow.db", kind: kind, at: "\(zone.local(at: slot).time)")
    daemon = try BenchDaemon(folder: folder)
    defer { daemon.stop() }
    guard slot.since(clock.now()) > .seconds(Self.headStart + min(teams, 20_000) / 300) else {
      throw BenchFailure(description: "the daemon was not ready in time")
    }
    usleep(useconds_t((slot.since(clock.now()) - .seconds(1)).wholeMilliseconds) * 1_000)
    let before = try daemon.work()
    // The first status after a start counts every pool of every team, so it is measured separately.
    let first = try milliseconds { _ = try BenchCaller(socket).ask(SchedulerCall.Status()) }
    usleep(useconds_t(max(.zero, slot.since(clock.now())).wholeMilliseconds) * 1_000)
    let beside = isBeside ? try besides() : []
    var morning = Morning()
    morning.firstStatus = first
    morning.atRest = try daemon.megabytes("VmRSS")
    morning.statuses = try statuses(until: daemon)
    for one in beside { _ = one.end() }
    let after = try daemon.work()
    morning.processor = after.processor - before.processor
    morning.processorBefore = before.processor
    morning.written = after.written - before.written
    morning.peak = try daemon.megabytes("VmHWM")
    try note(slot, &morning)
    return morning
  }

  /// The demo's barn with its lists, its care and today's weather.
  private func bringBarn() throws {
    try spawn("config/demo/barn-days.sh", ["UTC", state])
    for list in ["config/demo/barn-horses.csv", "config/demo/barn-feed.csv", state + "/care.csv"] {
      try pfctl(["import", list, "--team", "desert-blue"])
    }
    try pfctl(["weather", "import", state + "/forecast.csv", "--team", "desert-blue"])
  }

  /// The default sinks and, for `people`, one that accepts personal notices.
  private func settings() throws {
    let text = """
      [Sink stdout]
      Type = stdout

      [Sink drop]
      Type = file-drop
      \(hasPeople ? "Sensitive = yes" : "")
      """
    try text.write(toFile: state + "/poolflow.conf", atomically: true, encoding: .utf8)
  }

  /// The concurrent work of such a morning.
  private func besides() throws -> [ChildProgram] {
    try [
      ["backup", "create"], ["run", "route-precompute"],
      ["import", "config/demo/demo-backup.zip", "--team", "team-2", "--replace", "--yes"],
    ].map { words in
      try ChildProgram(
        BenchDaemon.programs.appendingPathComponent("pfctl").path, ["--socket", socket] + words,
        environment: ProcessInfo.processInfo.environment, [1: .writing("/dev/null"), 2: .writing("/dev/null")])
    }
  }

  /// Calls `status` until every event is sent.
  ///
  /// - Returns: the time of each reply in ms.
  private func statuses(until daemon: BenchDaemon) throws -> [Double] {
    var figures: [Double] = []
    let reading = try Connection(path: state + "/poolflow.db", mode: .readOnly)
    let end = ContinuousClock.now + .seconds(600)
    var look = ContinuousClock.now
    while ContinuousClock.now < end {
      let caller = try BenchCaller(socket)
      figures.append(try milliseconds { _ = try caller.ask(SchedulerCall.Status()) })
      usleep(50_000)
      guard ContinuousClock.now >= look else { continue }
      // Less and less often: the count reads every entry.
      look = ContinuousClock.now + .milliseconds(100 + teams / 50)
      let sent = try reading.first(
        """
        SELECT (SELECT count(*) FROM outbox WHERE sink = 'drop' AND state = 'sent'),
          (SELECT count(*) FROM outbox WHERE state IN ('pending', 'staged')),
          (SELECT count(*) FROM runs JOIN jobs USING (job_id) WHERE kind = '\(kind)' AND outcome = 'notified')
        """
      ) { row throws(StoreError) in (sent: row.number(0), left: row.number(1), told: row.number(2)) }
      if let sent, sent.left == 0, sent.told >= teams, sent.sent >= teams { return figures }
    }
    throw BenchFailure(description: "the herd was not told within ten minutes")
  }

  /// Records when the first and the last file arrived, by the files' own times and the store's.
  private func note(_ slot: Timestamp, _ morning: inout Morning) throws {
    let new = state + "/outbox/new"
    var first = Double.infinity
    var bytes: [String: (sum: Int, count: Int)] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: new) {
      var status = stat()
      guard stat("\(new)/\(name)", &status) == 0 else { continue }
      // The rename is the last change of a file's inode.
      let changed = Double(status.st_ctim.tv_sec) * 1_000 + Double(status.st_ctim.tv_nsec) / 1_000_000
      let kind = name.hasSuffix(".json") ? "1" : "2"
      if kind == "1" {
        first = min(first, changed)
        morning.files += 1
      }
      bytes[kind, default: (0, 0)].sum += Int(status.st_size)
      bytes[kind, default: (0, 0)].count += 1
    }
    let reading = try Connection(path: state + "/poolflow.db", mode: .readOnly)
    let last = try reading.first("SELECT max(sent_ms) FROM outbox WHERE sink = 'drop'") {
      row throws(StoreError) in row.integer(0)
    }
    morning.first = first - Double(slot.milliseconds)
    morning.last = Double((last ?? 0) - slot.milliseconds)
    morning.sizes = bytes.sorted { $0.key < $1.key }.map { $0.value.sum / $0.value.count }
  }

  private func pfctl(_ words: [String]) throws {
    try spawn(BenchDaemon.programs.appendingPathComponent("pfctl").path, ["--socket", socket] + words)
  }
}
