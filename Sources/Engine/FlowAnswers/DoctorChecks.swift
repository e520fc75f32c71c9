import FlowBackup
import FlowCalendar
import FlowControl
import FlowDelivery
import FlowModel
import FlowNodes
import FlowNotices
import FlowPlatform
import FlowScheduler
import FlowServices
import FlowSettings
import FlowStore
import FlowWork

/// The findings of `pfctl doctor` that only the daemon can make; `pfctl` adds its own.
struct DoctorChecks: Sendable {
  let context: ServiceContext
  let trades: [RunningTrade]
  let dispatcher: Dispatcher?
  let backups: BackupKeeper
  let clockStatus: ClockStatus
  let troubles: TeamFailureReport

  func findings() async -> [FindingView] {
    var findings = await runCheck("clock") { try await clockFindings() }
    findings += diskFindings() + permissionFindings()
    findings += await storeFindings() + (context.node?.findings ?? [])
    findings += await settingsFindings()
    findings += await sinkFindings()
    findings += await runCheck("sender") { try await context.senderViews.findings() }
    findings += await runCheck("runs") { try await workFindings() }
    findings += await runCheck("backup") { try await backupFindings() }
    findings += await runCheck("teams") { try await teamFindings() }
    findings += await runCheck("people") { try await peopleFindings() }
    return findings
  }

  /// Runs one check; an error in it is a finding, too, and hides no other.
  private func runCheck(_ area: String, _ check: () async throws -> [FindingView]) async -> [FindingView] {
    do {
      return try await check()
    } catch {
      return [FindingView(area, .error, "this cannot be examined: \(error)")]
    }
  }

  private func clockFindings() async throws -> [FindingView] {
    var findings = try await clockStatus.findings(now: context.clock.now())
    if FileFacts.exists("/run/systemd/timesync"), !FileFacts.exists("/run/systemd/timesync/synchronized") {
      findings.append(
        FindingView(
          "clock", .warning, "systemd-timesyncd runs and has not set the clock yet", remedy: "see `timedatectl status`")
      )
    }
    findings.append(FindingView(zones: context.zones.database, now: context.clock.now()))
    return findings
  }

  private func diskFindings() -> [FindingView] {
    guard let space = DiskSpace(at: context.paths.state) else {
      return [FindingView("disk", .error, "the file system of '\(context.paths.state)' does not answer")]
    }
    let free = "\(space.freeBytes >> 20) MiB free in '\(context.paths.state)'"
    let remedy = "free disk space: collect the files in the drop folder's new/, or enlarge the file system"
    var findings: [FindingView] = []
    if context.store.isOutOfDiskSpace {
      findings.append(
        FindingView(
          "disk", .error, "the disk of '\(context.paths.state)' is full: nothing can be written until space is free",
          remedy: remedy + "; the daemon continues by itself within a minute"))
    }
    if space.freeBytes < Limits.freeSpaceError {
      findings.append(FindingView("disk", .error, "only \(free)", remedy: remedy))
    } else if space.freeBytes < Limits.freeSpaceWarning {
      findings.append(FindingView("disk", .warning, "only \(free)", remedy: remedy))
    } else {
      findings.append(FindingView("disk", .ok, free))
    }
    if let files = space.freeFiles, files < Limits.freeFilesWarning {
      findings.append(
        FindingView("disk", .warning, "the file system has room for only \(files) more files", remedy: remedy))
    }
    return findings
  }

  /// False in an inspection, which delivers nothing.
  private var isRunning: Bool { dispatcher != nil }

  /// The user who should own the data. An inspection runs as its caller, often root: then the owner of the state folder counts.
  private var daemonUser: UInt32? { isRunning ? ProcessIdentity.user : FileFacts(of: context.paths.state)?.owner }

  private func permissionFindings() -> [FindingView] {
    var findings: [FindingView] = []
    for path in context.choice.isOnServer ? [context.paths.state] : [context.paths.state, context.paths.store] {
      guard let file = FileFacts(of: path) else {
        findings.append(
          FindingView("permissions", .error, "'\(path)' does not exist any more", remedy: "stop the daemon, restore it")
        )
        continue
      }
      if file.mode & 0o077 != 0 {
        findings.append(
          FindingView(
            "permissions", .warning, "other users can read '\(path)', which holds gate codes and phone numbers",
            remedy: "chmod go= '\(path)'"))
      }
      if let user = daemonUser, file.owner != user {
        findings.append(
          FindingView(
            "permissions", .warning,
            "'\(path)' belongs to uid \(file.owner), \(isRunning ? "the daemon runs as" : "its folder to") \(user)",
            remedy: "chown \(user) '\(path)'"))
      }
    }
    if let socket = FileFacts(of: context.paths.socket), socket.mode & 0o007 != 0 {
      findings.append(
        FindingView(
          "permissions", .warning, "everybody may connect to '\(context.paths.socket)'",
          remedy: "chmod o= '\(context.paths.socket)'"))
    }
    if isRunning, ProcessIdentity.user == 0 {
      findings.append(
        FindingView(
          "permissions", .note, "the daemon runs as root",
          remedy: "run it under units/poolflowd.service, as its own user"))
    }
    if findings.isEmpty { findings.append(FindingView("permissions", .ok, "only the daemon's user reads its data")) }
    return findings
  }

  private func storeFindings() async -> [FindingView] {
    do {
      let health = try await context.reader.health()
      guard health.damage.isEmpty else {
        return health.damage.prefix(3).map {
          FindingView(
            "store", .error, "the store is damaged: \($0)",
            remedy: "stop the daemon, keep a copy of '\(context.paths.store)', and restore a backup")
        }
      }
      let schema = context.choice.modules.trades.schemaVersion
      if context.choice.isOnServer {
        return [
          FindingView(
            "store", .ok,
            "the database (\(context.choice.name)) answers, \(health.bytes >> 10) KiB, schema \(schema); its pages "
              + "and copies are managed by its server")
        ]
      }
      return [
        FindingView(
          "store", .ok,
          "every page of the store is intact, \(health.bytes >> 10) KiB, schema \(schema)")
      ]
    } catch  where error.isCausedByServerOutage {
      return [
        FindingView(
          "store", .error, "\(error)",
          remedy: "repair the server; the daemon continues by itself when it is back, and catches up on missed work")
      ]
    } catch {
      return [FindingView("store", .error, "the store cannot be examined: \(error)")]
    }
  }

  private func settingsFindings() async -> [FindingView] {
    do {
      let (onDisk, values) = (try await context.settings.onDisk(), await context.settings.values)
      if !onDisk.problems.isEmpty {
        return [
          FindingView(
            "settings", .warning,
            "the settings on disk have \(onDisk.problems.count) mistakes; the daemon keeps its older settings",
            remedy: "`pfctl config check` shows them")
        ]
      }
      let changes = SettingDifferenceView.between(values, onDisk.values)
      guard changes.isEmpty else {
        return [
          FindingView(
            "settings", .warning, "\(changes.count) values on disk are not effective",
            remedy: "`pfctl config diff` shows them, `pfctl reload` applies them")
        ]
      }
      let expired = Self.expiredRuleFindings(await context.settings.reading.settings.jobs, now: context.clock.now())
      return expired.isEmpty ? [FindingView("settings", .ok, "the settings on disk are effective")] : expired
    } catch {
      return [FindingView("settings", .warning, "\(error)", remedy: "see `pfctl config check`")]
    }
  }

  /// Warnings about rules in the settings that have no future occurrence: such a rule plans nothing.
  private static func expiredRuleFindings(_ jobs: [JobKind: JobTiming], now: Timestamp) -> [FindingView] {
    jobs.sorted { $0.key.rawValue < $1.key.rawValue }.compactMap { kind, timing in
      // No zone is 24 hours behind UTC, so a rule without an occurrence since then is over everywhere.
      guard let text = timing.rule, let expression = try? CalendarExpression(text),
        case let rule = CalendarRule(expression, zone: .utc),
        rule.next(after: now.advanced(by: .hours(-24))) == nil, let last = rule.previous(before: now)
      else { return nil }
      return FindingView(
        "settings", .warning,
        "the rule of [Job \(kind.rawValue)] has no future date; its last was \(last.nominal.date)",
        remedy: "change or remove its Rule, then `pfctl reload`")
    }
  }

  private func sinkFindings() async -> [FindingView] {
    let folders = await context.settings.dropFolders
    return await (dispatcher?.statuses() ?? []).flatMap { lane in
      if let trouble = lane.trouble {
        return [
          FindingView(
            "sinks", .error, "the sink '\(lane.sink)' fails: \(trouble)",
            remedy: "repair its folder or reader; the sink retries by itself, and nothing is lost")
        ]
      }
      if let folder = folders[lane.sink], !FileFacts.isWritable(folder) {
        return [
          FindingView(
            "sinks", .error, "the daemon cannot write to '\(folder)' of the sink '\(lane.sink)'",
            remedy: "create the folder, or change its owner to uid \(ProcessIdentity.user)")
        ]
      }
      let more = lane.obstacles.count - Limits.problemsShown
      if !lane.obstacles.isEmpty {
        return lane.obstacles.prefix(Limits.problemsShown).map {
          FindingView(
            "sinks", .warning, "the sink '\(lane.sink)' is degraded: \($0)",
            remedy: "move the files there away; the sink retries every minute, see `pfctl publish list`")
        } + (more > 0 ? [FindingView("sinks", .warning, "the sink '\(lane.sink)' has \(more) more such pages")] : [])
      }
      return [FindingView("sinks", .ok, "the sink '\(lane.sink)' (\(lane.kind.rawValue)) accepts notices")]
    }
  }

  /// Findings about backups; a store without a backup is fine until its first night is over.
  private func backupFindings() async throws -> [FindingView] {
    let lines = try await backups.list()
    let now = context.clock.now()
    var findings: [FindingView] = []
    let damaged = lines.filter { $0.finding != nil }
    if let example = damaged.first {
      findings.append(
        FindingView(
          "backup", .warning, "\(damaged.count) of \(lines.count) backups are damaged, such as \(example.id)",
          remedy: "`pfctl backup verify \(example.id)`, then `pfctl backup create`"))
    }
    // A backup dated in the future was made under a wrong clock, and does not prove that last night's backup worked.
    let newest = lines.first { $0.finding == nil && $0.createdAt <= now }?.createdAt
    let first = try await context.store.firstStart()
    findings += keptStoreFindings()
    guard let last = newest ?? first, last <= now else { return findings }
    let age = now.since(last)
    if age > Limits.backupStaleAfter {
      let what = newest == nil ? "there is no whole backup" : "the newest intact backup is \(age.inWords) old"
      findings.append(
        FindingView(
          "backup", .warning, what,
          remedy: "run `pfctl backup create`, and see the journal for why there was no nightly backup"))
    } else if newest != nil {
      findings.append(FindingView("backup", .ok, "the newest intact backup is \(age.inWords) old"))
    }
    return findings
  }

  private func keptStoreFindings() -> [FindingView] {
    // A folder that cannot be read is reported by `permissionFindings`.
    guard let kept = try? SetAsideStores(state: context.paths.state).list(), let newest = kept.first else { return [] }
    let megabytes = kept.reduce(0) { $0 + $1.bytes } >> 20
    return [
      FindingView(
        "backup", .note,
        "\(countText(kept.count, "old store, kept by a restore, is", "old stores, kept by restores, are")) in '\(context.paths.state)', \(megabytes) MiB",
        remedy:
          "the newest \(Limits.keptStores) are kept for \(Limits.keptStoreAge.inWords); undo the last restore with "
          + "`poolflowd --recover restore \(context.paths.state)/\(newest.name)`")
    ]
  }

  private func workFindings() async throws -> [FindingView] {
    var findings: [FindingView] = []
    let depth = try await context.store.outboxDepth()
    if let dead = depth[.dead], dead > 0 {
      findings.append(
        FindingView(
          "outbox", .warning, "\(countText(dead, "notice")) could not be delivered",
          remedy: "see `pfctl outbox list --state dead`, correct the cause, then `pfctl outbox "
            + "retry --state dead --all`"))
    }
    if let held = depth[.held], held > 0 {
      findings.append(
        FindingView(
          "outbox", .warning, "\(countText(held, "notice is", "notices are")) held back",
          remedy: "see `pfctl outbox list --state held`, then `pfctl outbox release` or `discard`"))
    }
    let now = context.clock.now()
    let outcomes = try await context.store.outcomes(since: now.advanced(by: .hours(-24)), notAfter: now)
    if let failed = outcomes[.failed], failed > 0 {
      findings.append(
        FindingView(
          "runs", .warning, "\(countText(failed, "run")) failed in the last day", remedy: "`pfctl history --failed`"))
    }
    return findings
  }

  private func peopleFindings() async throws -> [FindingView] {
    var findings: [FindingView] = []
    for team in try await context.store.teams() {
      let people = try await context.store.people(of: team.id)
      let technicians = try await context.store.technicians(of: team.id)
      for gap in try await trades.of(team)?.teams.peopleGaps(team, people, technicians) ?? [] {
        findings.append(FindingView("people", gap.isWarning ? .warning : .note, gap.message, remedy: gap.remedy))
      }
    }
    return findings
  }

  private func teamFindings() async throws -> [FindingView] {
    var findings: [FindingView] = try await troubles.findings()
    let teams = try await context.store.teams()
    if teams.isEmpty {
      findings.append(
        FindingView("teams", .note, "there is no team yet", remedy: "`pfctl team add NAME --zone Area/City`"))
    }
    for team in teams {
      do {
        _ = try context.zones.zone(named: team.zone)
        if let why = ZoneChoice.refusal(of: team.zone) {
          findings.append(
            FindingView(
              "zones", .warning, "the zone of team '\(team.name)' may be the wrong one: \(why)",
              remedy: "`pfctl team set \(team.name) zone=Area/City`"))
        }
      } catch {
        findings.append(
          FindingView(
            "zones", .error, "the zone '\(team.zone)' of team '\(team.name)' cannot be read: \(error)",
            remedy: "install tzdata, or `pfctl team set \(team.name) zone=Area/City`"))
      }
    }
    for trade in trades { findings += try await trade.teams.findings(context.reader) }
    return findings
  }
}
