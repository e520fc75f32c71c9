extension InterfaceDescription {
  /// `org.poolflow.Daemon`, as the daemon serves it: its settings, its health and who did what.
  package static let daemon = InterfaceDescription(
    name: "org.poolflow.Daemon",
    text: """
      # The daemon itself: its settings, its health and who did what.
      interface org.poolflow.Daemon

      # One key of the settings; without a value the machine decides, without an origin it is a default.
      type SettingView (section: string, key: string, value: ?string, origin: ?string)

      # One key whose value is another now; what takes a restart is not in force yet.
      type SettingDifferenceView (
        section: string,
        key: string,
        before: ?string,
        after: ?string,
        takes_restart: bool
      )

      # One change that somebody asked for; without a result it is under way, or the daemon ended meanwhile.
      type AuditView (
        at: string,
        local: string,
        uid: int,
        user: ?string,
        command: string,
        result: ?string,
        finished_at: ?string
      )

      # How grave a finding is.
      type GravityView (ok, note, warning, error)

      # One thing that was looked at, with what to do about it.
      type FindingView (area: string, gravity: GravityView, message: string, remedy: ?string)

      # Who changed what, the newest first; `limit` at most.
      method Audit(limit: int, since: ?string) -> (entries: []AuditView)

      # Looks at everything that the daemon can see of its own health.
      method Examine() -> (findings: []FindingView)

      # The settings in force, each with its origin.
      method Settings() -> (path: ?string, files: []string, loaded_at: string, values: []SettingView)

      # Reads the settings again and applies them, all or nothing; answers once they are in force.
      method Reload() -> (files: []string, changes: []SettingDifferenceView, remarks: []string)

      # The settings on disk have mistakes; `problems` shows each with its place. Those in force stay.
      error BadSettings (message: string, problems: string)
      """)
}
