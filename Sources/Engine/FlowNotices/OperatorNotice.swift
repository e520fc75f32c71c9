package import FlowModel

/// A notice to the operator about the server itself; it belongs to no team. The raw values (`word`) are part of stored ids.
package enum OperatorNotice: Hashable, Sendable {
  /// The sink accepts nothing any more. `trouble` is the failure in one sentence.
  case sinkSick(sink: String, trouble: String)
  /// A sink that was unhealthy accepts notices again.
  case sinkWell(sink: String)
  /// Parts of a sink fail, such as some of its pages, while the rest works. `lines` are the first of `count` sentences.
  case sinkDegraded(sink: String, lines: [String], count: Int)
  /// Entries of the sink were dead-lettered; `reason` is the first entry's.
  case deadLetters(sink: String, count: Int, reason: String)
  /// No backup was made last night; `reason` is a sentence. The notice names the store instead of a sink.
  case backupFailed(reason: String)
  /// Data of these teams cannot be read, which blocks their work. `lines` lists some of the teams with the reasons.
  case teamsInTrouble(lines: [String], count: Int)
  /// The file system of the store is nearly full.
  case diskLow(path: String, freeBytes: Int)
  /// The file system of the store was full and has free space again.
  case diskWasFull(path: String, since: Timestamp)
  /// The database server answers again after an outage.
  case serverWasAway(name: String, since: Timestamp)
  /// Another node took over after the node that was active stopped sending heartbeats.
  case nodeFollowed(node: String, last: Timestamp)
  /// The clock shows a time before poolflow existed; nothing is scheduled until it is set.
  case clockImplausible(now: Timestamp)
  /// The clock was ahead and was corrected; `words` is a sentence that lists what was rolled back.
  case clockRolledBack(words: String)
  /// People on a team did not get their notices, and the team's office has no address either.
  case peopleNotReached(team: String, lines: [String], count: Int)
  /// The program that delivers a sink's notices to people reports failures: a channel delivers nothing, a team cannot be
  /// reached, or the program is not running. `lines` are titles with their reasons.
  case senderFailed(sink: String, lines: [String])
  /// Failures of the sender are over; `titles` are the titles of those failures.
  case senderWorks(sink: String, titles: [String])
  /// A test notice that an operator sent to a sink.
  case test(sink: String, by: String)

  /// The job name in a notice without a job.
  package static let job = "operator"

  /// The raw value of the case, part of the notice's id and identifier.
  package var word: String {
    switch self {
    case .sinkSick: "sink-sick"
    case .sinkWell: "sink-well"
    case .sinkDegraded: "sink-degraded"
    case .deadLetters: "dead-letters"
    case .backupFailed: "backup-failed"
    case .teamsInTrouble: "teams-in-trouble"
    case .diskLow: "disk-low"
    case .diskWasFull: "disk-was-full"
    case .serverWasAway: "server-was-away"
    case .nodeFollowed: "node-followed"
    case .clockImplausible: "clock-implausible"
    case .clockRolledBack: "clock-came-back"
    case .peopleNotReached: "people-not-reached"
    case .senderFailed: Self.senderFailed
    case .senderWorks: Self.senderWorks
    case .test: "sink-test"
    }
  }

  package static let senderFailed = "sender-failed"
  package static let senderWorks = "sender-works"

  /// The subject of the notice: a sink, `store`, `clock` or a team's name.
  package var sink: String {
    switch self {
    case .sinkSick(let sink, _), .sinkWell(let sink), .sinkDegraded(let sink, _, _), .deadLetters(let sink, _, _),
      .test(let sink, _), .senderFailed(let sink, _), .senderWorks(let sink, _):
      sink
    case .backupFailed, .diskLow, .diskWasFull, .serverWasAway, .nodeFollowed, .teamsInTrouble: "store"
    case .clockImplausible, .clockRolledBack: "clock"
    case .peopleNotReached(let team, _, _): team
    }
  }

  package var severity: Severity {
    switch self {
    case .sinkSick, .deadLetters, .backupFailed, .clockImplausible, .teamsInTrouble, .senderFailed: .error
    case .diskLow(_, let freeBytes): freeBytes < Limits.freeSpaceError ? .error : .warning
    case .sinkDegraded, .diskWasFull, .serverWasAway, .nodeFollowed, .clockRolledBack, .peopleNotReached: .warning
    case .sinkWell, .senderWorks: .notice
    case .test: .info
    }
  }

  /// The identifier, equal for all notices of one kind about one sink: `poolflow.operator.sink-sick.drop`.
  package static func identifier(_ word: String, sink: String) -> String { "poolflow.operator.\(word).\(sink)" }

  private var title: String {
    switch self {
    case .sinkSick(let sink, _): "Sink '\(sink)' fails"
    case .sinkWell(let sink): "Sink '\(sink)' works again"
    case .sinkDegraded(let sink, _, let count):
      "\(count == 1 ? "A page" : "\(count) pages") of sink '\(sink)' cannot be updated"
    case .deadLetters(let sink, let count, _):
      "Sink '\(sink)' gave up \(count == 1 ? "a notice" : "\(count) notices")"
    case .backupFailed: "The nightly backup failed"
    case .teamsInTrouble(_, let count):
      count == 1 ? "Records of one team make its jobs fail" : "\(count) jobs fail because of teams' records"
    case .diskLow: "The disk is nearly full"
    case .diskWasFull: "The disk was full"
    case .serverWasAway: "The store's server did not answer"
    case .nodeFollowed(let node, _): "Node '\(node)' has taken over"
    case .clockImplausible: "The clock cannot be right"
    case .clockRolledBack: "The clock was wrong"
    case .peopleNotReached(let team, _, _): "People of '\(team)' did not get their notices"
    case .senderFailed(let sink, let lines):
      lines.count == 1
        ? "Notices of sink '\(sink)' do not reach people" : "\(lines.count) failures in the delivery of sink '\(sink)'"
    case .senderWorks(let sink, _): "Notices of sink '\(sink)' reach people again"
    case .test(let sink, _): "Test of sink '\(sink)'"
    }
  }

  private var body: String {
    switch self {
    case .sinkSick(_, let trouble): "\(trouble). The daemon keeps retrying, and the notices wait."
    case .sinkWell: "The notices that waited for it are being delivered."
    case .sinkDegraded(_, let lines, let count):
      lines.joined(separator: "; ") + (count > lines.count ? "; and \(count - lines.count) more" : "")
        + ". All other pages are written; these are retried every minute. See `pfctl publish list`."
    case .deadLetters(let sink, _, let reason):
      "\(reason). See `pfctl outbox list --state dead --sink \(sink)`, correct the cause, then "
        + "`pfctl outbox retry --state dead --all --sink \(sink)`."
    case .backupFailed(let reason):
      "\(reason). See `pfctl backup list` for the backups that exist, correct the cause, then run `pfctl backup create`."
    case .teamsInTrouble(let lines, let count):
      lines.joined(separator: "; ") + (count > lines.count ? "; and \(count - lines.count) more" : "")
        + ". The other teams are not affected. See `pfctl doctor`."
    case .diskLow(let path, let freeBytes):
      "Only \(freeBytes >> 20) MiB are free in '\(path)'. Collect the files in the drop folder's new/ or enlarge the "
        + "file system; below \(Limits.freeSpaceError >> 20) MiB the store may be unable to write."
    case .diskWasFull(let path, let since):
      "The disk of '\(path)' was full since \(since) and nothing could be written; now it has space, and missed work "
        + "is caught up. Enlarge the file system before it is full again."
    case .serverWasAway(let name, let since):
      "\(name) did not answer since \(since), and nothing could be read or written; now it does, and missed work "
        + "is caught up. See the server's own log for the cause."
    case .nodeFollowed(let node, let last):
      "The previous node disappeared after its last heartbeat at \(last); '\(node)' has taken over, and missed work "
        + "is caught up. See `pfctl nodes`, and check the other machine."
    case .clockImplausible(let now):
      "The clock says \(now), so nothing is scheduled. Set it, for example by `timedatectl set-ntp true`; missed work is "
        + "then caught up."
    case .clockRolledBack(let words):
      "\(words). Jobs that had not run yet run when they are due. See `pfctl doctor`, and `timedatectl` for what sets the clock."
    case .peopleNotReached(let team, let lines, let count):
      lines.joined(separator: "; ") + (count > lines.count ? "; and \(count - lines.count) more" : "")
        + ". See `pfctl history --team \(team)`. Its office would get this notice, but has no address."
    case .senderFailed(_, let lines): lines.joined(separator: " ") + " See `pfctl status` and `poolflow-post status`."
    case .senderWorks(_, let titles): "Repaired: \(titles.joined(separator: "; "))."
    case .test(_, let by): "Asked for by \(by). Nothing needs to be done."
    }
  }

  /// The notice. Its id contains `now`, so a later notice of the same kind has a different id.
  package func notice(at now: Timestamp, install: String) -> Notice {
    // Restricted to ASCII letters and digits, because the id is used as a file name.
    let name = sink.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
    return Notice(
      id: "\(now.compact)-\(word)-\(String(name))-\(install)", teamID: nil, teamName: "", jobID: nil,
      job: Self.job, slot: now, identifier: Self.identifier(word, sink: sink), title: title, body: body, lines: [],
      dataJSON: "", lateness: .zero, createdAt: now, expiresAt: nil, severity: severity)
  }
}

extension Notice {
  /// Whether this is a notice about the server itself that is not addressed to one person.
  package var isForOperator: Bool { job == OperatorNotice.job && teamID == nil && person == nil }

  /// A copy of a server notice for one person, routed like the notices of that person's team.
  package func own(of person: PersonKey, team name: String) -> Notice {
    Notice(
      id: "\(id)-\(person.text)", teamID: nil, teamName: name, jobID: nil, job: job, slot: slot, identifier: identifier,
      title: title, body: body, lines: lines, dataJSON: dataJSON, lateness: lateness, createdAt: createdAt,
      expiresAt: expiresAt, severity: severity, person: person)
  }
}
