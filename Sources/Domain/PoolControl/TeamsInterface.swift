extension InterfaceDescription {
  /// `org.poolflow.Teams`, as the daemon serves it: teams, their settings and plans.
  package static let teams = InterfaceDescription(
    name: "org.poolflow.Teams",
    text: """
      # Teams, their settings and their plans.
      interface org.poolflow.Teams

      # What a team wants to hear, and when.
      type TeamSettingsView (
        notifications: bool,
        morning_summary: bool,
        low_stock: bool,
        weekly_digest: bool,
        morning_time: string
      )

      # Someone who drives a route.
      type TechnicianView (name: string, is_default: bool, pools: int)

      # One team.
      type TeamView (
        name: string,
        zone: string,
        language: string,
        units: string,
        objective: string,
        plan: string,
        trial_expires_at: ?string,
        trial_expires_local: ?string,
        clock: string,
        currency: string,
        settings: TeamSettingsView,
        technicians: []TechnicianView,
        pools: int,
        created_at: string
      )

      # One setting to change.
      type SettingChangeView (key: string, value: string)

      # A job whose next slot moved with the change.
      type ReplannedView (job: string, next: ?string, next_local: ?string)

      # How many records of each kind a team has.
      type RecordCountsView (
        pools: int,
        service_events: int,
        chemical_doses: int,
        inventory_items: int,
        customer_profiles: int,
        equipment: int,
        photos: int
      )

      # Makes a team; its jobs are planned at once.
      method Add(name: string, zone: string, language: ?string, units: ?string) -> (team: TeamView)

      # Every team, by name.
      method List() -> (teams: []TeamView)

      # One team.
      method Show(name: string) -> (team: TeamView)

      # Changes settings, all or none, and plans its jobs anew.
      method Set(name: string, changes: []SettingChangeView) -> (team: TeamView, replanned: []ReplannedView)

      # Changes what the team has bought: free, trial or paid.
      method Plan(name: string, plan: string, until: ?string) -> (team: TeamView, replanned: []ReplannedView)

      # Removes a team's pools, visits, stock and equipment, or says what that would do. `confirm` is its name once more. A
      # backup with the team's archives, whose paths the answer tells, is made first; the usual chemicals are put in stock.
      method Clear(name: string, dry_run: bool, confirm: ?string, without_archive: ?bool) -> (
        dry_run: bool,
        team: string,
        before: RecordCountsView,
        after: RecordCountsView,
        held: int,
        backup: ?string,
        archives: []string
      )

      # No team has this name.
      error NoSuchTeam (message: string, name: string, suggestion: ?string)

      # A team of this name is there already.
      error TeamExists (message: string, name: string)

      # The team has no technician of this name.
      error NoSuchTechnician (message: string, name: string, suggestion: ?string)

      # The system knows no time zone of this name.
      error NoSuchZone (message: string, name: string, suggestion: ?string)

      # The team's plan does not allow it.
      error PlanLimit (message: string, plan: string, limit: string)
      """)
}
