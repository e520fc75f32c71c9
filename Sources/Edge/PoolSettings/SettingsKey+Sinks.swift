internal import PoolModel

extension SettingsKey {
  /// Keys that select the notices of a sink.
  static let sinkFilters: [SettingsKey] = [
    SettingsKey(
      section: .sink, name: "Teams", value: "TEAM…", standard: nil, kinds: [], appliesAtReload: true,
      summary: "only notices of these teams",
      details: [
        "Names with spaces between; without it every team, and what the server itself has to say. Decided when a notice "
          + "is written: a reload changes what comes, not what is on its way. Of published pages: only these teams have any."
      ], example: "desert-blue coast"),
    SettingsKey(
      section: .sink, name: "Jobs", value: "JOB…", standard: nil, kinds: [], appliesAtReload: true,
      summary: "only notices of these jobs",
      details: [
        "Such as morning-summary or low-stock; operator is what the server says of itself: a sink that is sick or well "
          + "again, notices that were given up. Without it all."
      ], example: "morning-summary low-stock"),
    SettingsKey(
      section: .sink, name: "Severity", value: "info|notice|warning|error", standard: "info", kinds: [],
      appliesAtReload: true, summary: "the least that matters here",
      details: [
        "info: weekly digest. notice: morning summary, a sink that is well again. warning: low stock, the end of a "
          + "trial. error: a sick sink, notices that were given up."
      ], example: "warning"),
  ]

  /// Keys for the way in which a sink delivers.
  static let sinkManners: [SettingsKey] = [
    SettingsKey(
      section: .sink, name: "Timeout", value: "SECONDS", standard: "15s", kinds: [], appliesAtReload: true,
      summary: "how long a batch may take before the sink is taken for stuck",
      details: [
        "From 1s to 300s. A stuck sink, such as a folder on a server that does not answer, holds back neither another "
          + "sink nor a shutdown; it is tried again by itself."
      ], example: "30s"),
    SettingsKey(
      section: .sink, name: "Rate", value: "N/s|N/min|N/h", standard: nil, kinds: [], appliesAtReload: true,
      summary: "the most notices in a time",
      details: [
        "What is more waits, in its order. Without it as fast as the sink takes them; a journal 300/s, because journald "
          + "drops what is more than 10,000 messages in 30 s."
      ], example: "60/min"),
    SettingsKey(
      section: .sink, name: "Sensitive", value: "yes|no", standard: "no", kinds: [.fileDrop, .publish],
      appliesAtReload: true,
      summary: "whether gate codes, telephone numbers, notes and addresses stand in the files",
      details: [
        "Only for a folder that leads to the technicians themselves. They never reach stdout, the journal, a log or an "
          + "error, whatever is set. On published pages, which have no addresses, whoever has the link reads them.",
        "Such a file-drop alone has, besides what every sink has, the notices of single technicians, each with the page and "
          + "the calendar of that technician's stops, and says in recipient where to bring what: see `pfctl help technician set`.",
      ], example: "yes"),
    SettingsKey(
      section: .sink, name: "Sign", value: "CREDENTIAL", standard: nil, kinds: [.fileDrop], appliesAtReload: true,
      summary: "the credential that files are signed with (Standard Webhooks)",
      details: [
        "Beside ID.json then stands ID.headers with webhook-id, webhook-timestamp and webhook-signature for exactly "
          + "those bytes. The secret, whsec_ and base64 of 24 to 64 bytes, is a systemd credential of this name: "
          + "LoadCredential=drop-key:/etc/poolflow/drop.key in the unit."
      ], example: "drop-key"),
    SettingsKey(
      section: .sink, name: "Receipts", value: "yes|no|PATH", standard: nil, kinds: [.fileDrop], appliesAtReload: true,
      summary: "the folder in which whoever takes the files says what became of them",
      details: [
        "poolflow-post puts a small file there for each delivery: delivered, refused, expired, or why it waits. `pfctl "
          + "history`, `why`, `outbox` and `status` tell it, and the office hears of what a technician did not get. yes: "
          + "receipts/ beside new/, which the daemon makes. PATH: a folder that is there, in which both may write. Without "
          + "this key receipts/ is read where somebody made it, as the package does for poolflow-post."
      ], example: "yes"),
  ]
}
