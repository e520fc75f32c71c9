/// The reason why a server cannot be used.
package enum ServerRefusal: Equatable, Sendable {
  case noLibrary(String)
  /// This build does not contain the code for the server.
  case notBuilt
  case badConnection
  /// The server does not answer.
  case away(String)
  /// The login was refused: wrong password, database or user.
  case login(String)
  case tooOld(Int32)
  /// A replica, or a server set to read-only.
  case readOnly
  /// A pooler between daemon and server gives each transaction another session.
  case pooled
  /// The database holds tables of another program.
  case foreign(String)
  case newerSchema(found: Int, known: Int)
  case olderSchema(found: Int, known: Int)
  /// Another daemon holds the writer's lock.
  case held(by: String)
  /// A daemon that started later has written to the store.
  case takenOver

  func sentence(about server: String) -> String {
    switch self {
    case .noLibrary(let why):
      "PostgreSQL's client library cannot be opened: \(why); install the package libpq5 (version 14 or newer), or set "
        + "Engine=sqlite"
    case .notBuilt: "this build of poolflow has no store on \(server); set Engine=sqlite"
    case .badConnection:
      "the setting Connection= is not a connection string that libpq can read; write it as `host=… dbname=…` or `service=…`"
    case .away(let why): "\(server) does not answer: \(why)"
    case .login(let why):
      "\(server) refused the login: \(why); check the user, the password file and the database's name"
    case .tooOld(let version):
      "\(server) has version \(version / 10_000), but poolflow needs 14 or newer"
    case .readOnly:
      "\(server) is read-only: it is a replica or configured so; name the primary server, or all of "
        + "them with target_session_attrs=read-write"
    case .pooled:
      "\(server) is behind a pooler that uses a different session for each transaction, so locks and prepared "
        + "statements are lost; connect to the server itself, or use the pooler's session mode"
    case .foreign(let what):
      "\(server) holds \(what), which poolflow did not create; nothing was changed: create a separate database for poolflow"
    case .newerSchema(let found, let known):
      "\(server) was written by a newer poolflowd (schema \(found), this one knows \(known)); install that version again"
    case .olderSchema(let found, let known):
      "\(server) is from an older poolflowd (schema \(found), today's is \(known)); start the daemon once, which migrates it "
        + "up to date"
    case .takenOver:
      "\(server) was taken over by a daemon that started later; this daemon writes nothing more and can only be stopped"
    case .held(let holder): "\(server) is in use by another daemon: \(holder)"
    }
  }

  /// Exit code from sysexits.h.
  var exitCode: Int32 {
    switch self {
    case .noLibrary, .notBuilt, .badConnection, .login, .tooOld, .pooled, .newerSchema, .olderSchema: 78
    case .foreign: 65
    case .away, .readOnly: 69
    case .held, .takenOver: 75
    }
  }
}
