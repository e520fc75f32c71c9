import FlowCommandKit

extension SpellingVariants {
  static var engine: SpellingVariants {
    var variants = SpellingVariants()
    // The daily commands for jobs have no noun: `job list` means `list`.
    variants.commands = ["list", "next", "run", "history", "why", "pause", "resume", "skip"].map {
      (["job", $0], [$0])
    }
    variants.options = ["colour": "color"]
    return variants
  }
}

extension OtherToolWords {
  private static let service = "use systemd for that, such as `systemctl restart poolflowd`, or poolflowd@NAME"
  private static let standing =
    "`pfctl pause` pauses a job and `pfctl resume` ends that; systemd starts and stops the daemon"
  private static let jobs = "`pfctl list` shows every job with its next and last run, `pfctl status` the daemon"
  private static let records = "`pfctl history` shows what ran, `pfctl why` explains one run step by step"
  private static let package = "upgrade the package like any other, such as with `apt upgrade`"
  private static let check = "`pfctl status --check` shows it by its exit code"
  private static let journal =
    "`journalctl -u poolflowd` shows the daemon's log; `pfctl history` and `pfctl why` show what ran and why"

  static var engine: OtherToolWords {
    var words = OtherToolWords()
    words.commands = [
      "dead": "`pfctl outbox list --state dead` shows dead letters, `pfctl outbox retry` and `prune` end them",
      "start": service, "restart": service, "enable": standing, "disable": standing, "mask": standing,
      "log": journal, "logs": journal, "journal": journal, "tail": journal,
      "ps": jobs, "top": jobs, "list-units": jobs, "schedule": jobs, "schedules": jobs,
      "workflow": records, "workflows": records,
      "trigger": "`pfctl run` runs a job now", "daemon-reload": "`pfctl reload` reloads the settings",
      "upgrade": package, "self-update": package,
      "check": "`pfctl config check` finds mistakes in the settings, `pfctl backup verify` in a backup",
      "cat": "`pfctl config show` prints the settings",
      "dump": "`pfctl backup export` copies a backup to another folder",
      "metrics": "the daemon writes metrics to a file for Prometheus: `pfctl config explain MetricsFile`",
      "validate": "`pfctl config check` finds mistakes in the settings",
      "snapshots": "`pfctl backup list` shows the backups",
      "restore": "`pfctl backup restore` does that",
      "init": "`pfctl setup` sets up a team step by step",
      "is-active": check, "is-failed": check,
      "list-timers": "`pfctl next` shows the coming runs", "users": "`pfctl technician list` shows who gets notices",
      "forget": "`pfctl backup prune` removes old backups",
      "man": "the manual is `man pfctl`", "errors": "`pfctl help errors` lists them",
      "schema": "`pfctl help schema` lists them",
    ]
    words.elsewhere = [
      "run dry-run": "`pfctl simulate` shows what would be sent, `pfctl digest` one page of it",
      "reload dry-run": "`pfctl config diff` shows what it would change",
      "history follow": "`pfctl events --follow` shows events as they happen",
      "list follow": "`pfctl events --follow` shows events as they happen",
    ]
    return words
  }
}
