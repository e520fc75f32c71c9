import FlowModel
import FlowPlatform
import FlowWork

/// An error of the store. Each message names the operation, the location, the reason and a remedy.
package enum StoreError: DiskFailure, OutageError, Equatable, CustomStringConvertible {
  case cannotOpen(path: String, code: Int32, reason: String)
  /// The file is not a poolflow store.
  case notOurs(path: String)
  case corrupt(path: String, finding: String)
  /// The store's path is a link, a directory, a socket or a device; `kind` fits the middle of a sentence.
  case noFile(path: String, kind: String)
  case newerSchema(path: String, found: Int, known: Int)
  /// The store was made before the first release, by a version with its own schema numbers.
  case developmentVersion(path: String, found: Int)
  /// The store is opened read-only, so it cannot be migrated.
  case olderSchema(path: String, found: Int, known: Int)
  /// A migration step failed and the file is unchanged. `copy` is the path of a copy of it, `before` the poolflowd version
  /// that wrote it.
  case migrationFailed(
    path: String, found: Int, known: Int, copy: String?, before: String?, code: Int32, reason: String)
  /// A statement failed; `code` is SQLite's extended result code. Bound values are never part of the text.
  case failed(operation: String, code: Int32, reason: String)
  /// A statement failed on a server; `state` is its SQLSTATE. Bound values are never part of the text.
  case server(operation: String, state: String, reason: String)
  /// The server cannot be used, or not now. `by` names the server at the beginning of a sentence.
  case refused(by: String, ServerRefusal)
  /// The operation needs a file, and this store is on a server.
  case isOnServer(String, what: String)
  /// A column holds a value that the store never writes.
  case damaged(table: String, column: String, value: String)
  case noSuchTeam(String)
  case teamExists(String)
  /// A record with this id belongs to another technician of the team.
  case ownedElsewhere(entity: String, id: String)
  case freePlanFull(team: String, records: Int, limit: Int)
  /// The record was removed in the meantime.
  case gone(Kept, id: String)
  /// The name is in use. Names that differ only in case or runs of blanks are equal.
  case nameTaken(Kept, name: String)
  case full(Kept, limit: Int)

  /// A kind of record in a sentence. A trade names its kinds in an extension.
  package struct Kept: RawRepresentable, Hashable, Sendable {
    package let rawValue: String

    package init(rawValue: String) { self.rawValue = rawValue }
  }

  package var description: String {
    switch self {
    case .cannotOpen(let path, let code, let reason):
      "cannot open the store '\(path)': \(reason) (SQLite \(code)); check the folder's owner, mode and free space"
    case .notOurs(let path):
      "'\(path)' is not a poolflow store; move it away or choose another --state-dir"
    case .corrupt(let path, let finding):
      "the store '\(path)' is damaged: \(finding); it was left as it is: restore a backup with "
        + "`poolflowd --recover restore BACKUP`, or start with an empty store by `poolflowd --recover reset`"
    case .noFile(let path, let kind):
      "the store '\(path)' is \(kind), which poolflow does not use; nothing was changed: put the store's "
        + "file itself there, or name the folder of that file with --state-dir"
    case .newerSchema(let path, let found, let known):
      "the store '\(path)' was made by a newer poolflowd (schema \(found), this one knows \(known)); "
        + "install that version again or restore a backup"
    case .developmentVersion(let path, let found):
      "the store '\(path)' was made by a development version of poolflowd (its schema \(found)), which no release reads; it "
        + "was left as it is: move it away, or restore a backup of a release"
    case .olderSchema(let path, let found, let known):
      "the store '\(path)' is from an older poolflowd (schema \(found), today's is \(known)); "
        + "start the daemon once, which migrates it"
    case .migrationFailed(let path, let found, let known, let copy, let before, _, let reason):
      "the store '\(path)' cannot be migrated from schema \(found) to \(known): \(reason); it is unchanged"
        + (copy.map { ", and a copy of it is kept as '\($0)'" } ?? "; free space on its disk and start again, or")
        + (copy == nil ? "" : ":") + " install poolflowd \(before ?? "of before") again, which reads it"
        + (copy == nil ? "" : ", and report this with `pfctl bugreport`")
    case .failed(let operation, let code, let reason):
      "the store could not \(operation): \(reason) (SQLite \(code))"
    case .server(let operation, let state, let reason):
      "the store could not \(operation): \(reason) (SQLSTATE \(state))"
    case .refused(let server, let refusal): refusal.sentence(about: server)
    case .isOnServer(let server, let what): "\(server) cannot \(what): it is not a file"
    case .damaged(let table, let column, let value):
      "the store holds an invalid value: \(table).\(column) = '\(visible(String(value.prefix(40))))'; correct it, or "
        + "restore a backup"
    case .noSuchTeam(let name):
      "there is no team '\(name)'"
    case .teamExists(let name):
      "a team '\(name)' exists already"
    case .ownedElsewhere(let entity, let id):
      "\(entity) \(id) was imported for another technician of this team"
    case .freePlanFull(let team, let records, let limit):
      "team '\(team)' is on the free plan, which allows \(limit) pools; with this import it would have \(records)"
    case .gone(let kind, let id):
      "the \(kind.rawValue) \(id) does not exist any more"
    case .nameTaken(let kind, let name):
      "a \(kind.rawValue) named '\(name)' exists already"
    case .full(let kind, let limit):
      "a stable has at most \(limit) \(kind.rawValue)s"
    }
  }

  /// Exit code from sysexits.h.
  package var exitCode: Int32 {
    switch self {
    case .cannotOpen(_, let code, _): code & 0xff == 14 ? 73 : 74
    case .notOurs, .corrupt, .noFile, .damaged: 65
    case .newerSchema, .olderSchema, .developmentVersion: 78
    // SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN may go away; a migration step that does not fit the file does not.
    case .migrationFailed(_, _, _, _, _, let code, _): [10, 13, 14].contains(code & 0xff) ? 74 : 65
    case .failed: 74
    case .server(_, let state, _): state == "42501" ? 77 : 74
    case .refused(_, let refusal): refusal.exitCode
    case .isOnServer: 64
    case .noSuchTeam, .teamExists: 64
    case .ownedElsewhere, .freePlanFull, .nameTaken, .full: 65
    case .gone: 67
    }
  }

  package var isDiskFull: Bool {
    if case .server(_, let state, _) = self { return state == "53100" }
    return code & 0xff == 13
  }

  /// True if the server does not answer; waiting may help.
  package var isServerAway: Bool {
    if case .refused(_, .away) = self { return true }
    return false
  }

  /// True for errors of a server that may go away by waiting: it is down, overloaded or read-only during a failover, or two
  /// transactions conflicted.
  package var isTemporary: Bool {
    switch self {
    case .refused(_, .away), .refused(_, .readOnly): true
    // SQLSTATE classes 53 (insufficient resources) and 40 (transaction rollback), 55P03 (lock not available).
    case .server(_, let state, _): state.hasPrefix("53") || state.hasPrefix("40") || state == "55P03"
    default: false
    }
  }

  /// True if a single record is at fault and not the whole store: only its team is affected.
  package var isAboutData: Bool {
    switch self {
    case .damaged: true
    // SQLITE_ERROR (a text that is not JSON), SQLITE_TOOBIG and SQLITE_MISMATCH are SQLite's answers to bad values.
    case .failed(_, let code, _): [1, 18, 20].contains(code & 0xff)
    // SQLSTATE class 22: data exception.
    case .server(_, let state, _): state.hasPrefix("22")
    case .cannotOpen, .notOurs, .corrupt, .noFile, .newerSchema, .olderSchema, .developmentVersion, .migrationFailed,
      .refused, .isOnServer, .noSuchTeam, .teamExists, .ownedElsewhere, .freePlanFull, .gone, .nameTaken, .full:
      false
    }
  }

  /// SQLite's result code of a failed statement; 1 for all other errors.
  var code: Int32 {
    switch self {
    case .failed(_, let code, _), .cannotOpen(_, let code, _), .migrationFailed(_, _, _, _, _, let code, _): code
    case .notOurs, .corrupt, .noFile, .newerSchema, .olderSchema, .developmentVersion, .damaged, .server, .refused,
      .isOnServer, .noSuchTeam, .teamExists, .ownedElsewhere, .freePlanFull, .gone, .nameTaken, .full:
      1
    }
  }
}
