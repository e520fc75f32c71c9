internal import FlowModel
internal import FlowNotices
internal import FlowWork

extension SettingsKey {
  /// The keys of a `[Sink NAME]` section.
  static let sinks = sinkBasics + sinkFilters + sinkManners

  /// Keys that select the notices of a sink.
  static let sinkFilters: [Setting<Settings.SinkSettings>] = [
    SettingsKey(
      section: .sink, name: "Teams", value: "TEAM…", standard: nil, kinds: [], appliesAtReload: true,
      summary: "only notices of these teams",
      details: [
        "Team names, separated by spaces; default: all teams, and notices of the server itself. Applied when a notice "
          + "is written: a reload affects new notices only. On a publish sink, only these teams have pages."
      ], example: "desert-blue coast"
    )
    .setting { line, sink, _, _ in
      // Teams are created and removed while the daemon runs, so an unknown team name is not a mistake.
      sink.teams = line.words.isEmpty ? nil : Set(line.words)
    },
    SettingsKey(
      section: .sink, name: "Jobs", value: "JOB…", standard: nil, kinds: [], appliesAtReload: true,
      summary: "only notices of these jobs",
      details: [
        "Such as morning-summary or low-stock; operator means notices about the server itself: a sink that fails or works "
          + "again, notices that were given up. Default: all jobs."
      ], example: "morning-summary low-stock"
    )
    .setting { line, sink, catalogue, problems in
      let known = catalogue.ofTeam.map(\.rawValue) + [OperatorNotice.job]
      for word in line.words where !known.contains(word) {
        problems.append(.unknownListItem(line, word, expected: "a job is", known: known))
      }
      sink.jobs = line.words.isEmpty ? nil : Set(line.words)
    },
    SettingsKey(
      section: .sink, name: "Severity", value: "info|notice|warning|error", standard: "info", kinds: [],
      appliesAtReload: true, summary: "the lowest severity that this sink takes",
      details: [
        "info: weekly digest. notice: morning summary, a sink that works again. warning: low stock, the end of a "
          + "trial. error: a failing sink, notices that were given up."
      ], example: "warning"
    )
    .sets(\.severity, expected: "it is"),
  ]

  /// Keys for the way in which a sink delivers.
  static let sinkManners: [Setting<Settings.SinkSettings>] = [
    SettingsKey(
      section: .sink, name: "Timeout", value: "SECONDS", standard: "15s", kinds: [], appliesAtReload: true,
      summary: "how long a batch may take before the sink counts as stuck",
      details: [
        "From 1s to 300s. A stuck sink, such as a folder on a server that does not answer, delays neither another "
          + "sink nor a shutdown; it is tried again by itself."
      ], example: "30s"
    )
    .sets(\.timeout, expected: "it must be a number of seconds from 1 to 300, such as 15s") { text in
      let seconds = Int(text.hasSuffix("s") ? String(text.dropLast()) : text)
      return seconds.flatMap { Limits.sinkTimeoutRange.contains(.seconds($0)) ? .seconds($0) : nil }
    },
    SettingsKey(
      section: .sink, name: "Rate", value: "N/s|N/min|N/h", standard: nil, kinds: [], appliesAtReload: true,
      summary: "the highest number of notices in a time",
      details: [
        "Further notices wait in order. Default: as fast as the sink takes them; for a journal 300/s, because journald "
          + "drops messages beyond 10,000 in 30 s."
      ], example: "60/min"
    )
    .setsOptional(\.rate, expected: "a rate is written 10/s, 60/min or 500/h") { SinkRate($0) },
    SettingsKey(
      section: .sink, name: "Sensitive", value: "yes|no", standard: "no", kinds: [.fileDrop, .publish],
      appliesAtReload: true,
      summary: "whether the files contain gate codes, telephone numbers, notes and addresses",
      details: [
        "Only for a folder whose notices go to the technicians themselves. These data never reach stdout, the journal, a log or an "
          + "error, whatever is set. Published pages have no addresses, but everyone with the link can read the other data.",
        "Only a file-drop with this setting also gets the personal notices of technicians, each with the page and "
          + "the calendar of that technician's stops; recipient names the addresses to deliver to: see `pfctl help technician set`.",
      ], example: "yes"
    )
    .sets(\.sensitive, true: "yes", false: "no"),
    SettingsKey(
      section: .sink, name: "Sign", value: "CREDENTIAL", standard: nil, kinds: [.fileDrop], appliesAtReload: true,
      summary: "the credential that files are signed with (Standard Webhooks)",
      details: [
        "Each ID.json then comes with ID.headers, which holds webhook-id, webhook-timestamp and webhook-signature for exactly "
          + "those bytes. The secret, whsec_ and base64 of 24 to 64 bytes, is a systemd credential of this name: "
          + "LoadCredential=drop-key:/etc/poolflow/drop.key in the unit."
      ], example: "drop-key"
    )
    .setsOptional(\.sign, expected: "it must be the name of a credential, such as drop-key") {
      Settings.SinkSettings.isName($0) && !$0.isEmpty ? $0 : nil
    },
    SettingsKey(
      section: .sink, name: "Receipts", value: "yes|no|PATH", standard: nil, kinds: [.fileDrop], appliesAtReload: true,
      summary: "the folder where the program that takes the files reports the outcome of each delivery",
      details: [
        "poolflow-post writes a small file there for each delivery: delivered, refused, expired, or why it waits. `pfctl "
          + "history`, `why`, `outbox` and `status` show it, and the office is notified of notices that a technician did not get. yes: "
          + "receipts/ next to new/, created by the daemon. PATH: an existing folder where both may write. Without "
          + "this key, receipts/ is read if it exists; the package creates it for poolflow-post."
      ], example: "yes"
    )
    .sets(\.receipts, expected: "it must be yes, no, or a path that begins with /") { text in
      switch text {
      case "yes": .beside
      case "no": Settings.SinkSettings.ReceiptSource.none
      default: text.hasPrefix("/") ? .folder(text) : nil
      }
    },
  ]
}
