import FlowDelivery
package import FlowModel
package import FlowNotices
import FlowPlatform
package import FlowStore
import Glibc
import Synchronization

extension Limits {
  /// Maximum bytes of the file of published names: 200 for each of ten technicians of ten thousand teams.
  static let publishedNamesBytes = 20 << 20
}

/// The secret names of published folders. No archive and no bug report contains them, and a store restored elsewhere gets new
/// ones.
package protocol PublishedNames: Sendable {
  /// Counts changes that may affect published pages.
  var changes: SiteChanges { get }

  /// The existing names of a team; empty for a team without published pages.
  func given(to team: TeamID) async throws -> [SiteOwner: String]

  var all: Set<String> { get async throws }

  /// A name for each of the team's owners: existing names are kept, missing ones created, names of former owners dropped.
  func names(of team: TeamID, _ owners: [SiteOwner]) async throws -> [SiteOwner: String]

  /// Teams that have names.
  func teams() async throws -> Set<TeamID>

  func forget(_ teams: Set<TeamID>) async throws

  /// Deletes names, so that the pages get new addresses: all, those of a team, or of one owner.
  func rotate(team: TeamID?, owner: SiteOwner?) async throws
}

extension PublishedNames {
  /// Completes the names of a team for its present owners.
  ///
  /// - Returns: a name for each owner: the old one, or a new one if there is none.
  fileprivate func completed(_ before: [SiteOwner: String], for owners: [SiteOwner]) -> [SiteOwner: String] {
    var random = SystemRandomNumberGenerator()
    return Dictionary(uniqueKeysWithValues: owners.map { ($0, before[$0] ?? SecretName.make(using: &random)) })
  }
}

/// The names for a daemon without other nodes: a file in the state folder that only the daemon's user can read. No backup
/// contains it.
package actor PublishedNamesFile: PublishedNames {
  /// Why the file cannot be used; the message contains no secret name.
  struct Fault: Error, CustomStringConvertible {
    let path: String
    let why: String

    var description: String {
      "the names of published pages in '\(path)' cannot be used: \(why); put the file back, or remove it: every address then "
        + "is a new one"
    }
  }

  typealias Names = [TeamID: [SiteOwner: String]]

  let path: String
  package nonisolated let changes = SiteChanges()
  /// Nil until the file is read.
  private var known: Names?

  package init(path: String) { self.path = path }

  package func given(to team: TeamID) throws -> [SiteOwner: String] { try read()[team] ?? [:] }

  package var all: Set<String> { get throws { Set(try read().values.joined().map(\.value)) } }

  package func names(of team: TeamID, _ owners: [SiteOwner]) throws -> [SiteOwner: String] {
    var names = try read()
    let before = names[team] ?? [:]
    let after = completed(before, for: owners)
    guard after != before else { return after }
    names[team] = after
    try write(names)
    return after
  }

  package func teams() throws -> Set<TeamID> { Set(try read().keys) }

  package func forget(_ teams: Set<TeamID>) throws { try write(try read().filter { !teams.contains($0.key) }) }

  package func rotate(team: TeamID?, owner: SiteOwner?) throws {
    var names = try read()
    if let team {
      if let owner { names[team]?[owner] = nil } else { names[team] = nil }
    } else {
      names = [:]
    }
    try write(names)
  }

  // MARK: The file: a line a name, `TEAM office|TECHNICIAN NAME`

  func read() throws -> Names {
    if let known { return known }
    var names: Names = [:]
    var seen: Set<String> = []
    if FileFacts.exists(path) {
      let text = String(decoding: try PrivateFiles.bytes(path, limit: Limits.publishedNamesBytes), as: UTF8.self)
      for (index, line) in text.split(separator: "\n").enumerated() {
        let fields = line.split(separator: " ").map(String.init)
        guard fields.count == 3, let team = Int64(fields[0]), let owner = SiteOwner(code: fields[1]),
          SecretName.isSecretName(fields[2])
        else { throw Fault(path: path, why: "line \(index + 1) is not in the format of this file") }
        // Two folders with the same name would be one folder, whose readers would see the other's pages.
        guard seen.insert(fields[2]).inserted else {
          throw Fault(path: path, why: "line \(index + 1) repeats the name of an earlier line")
        }
        names[TeamID(team), default: [:]][owner] = fields[2]
      }
    }
    known = names
    return names
  }

  private func write(_ names: Names) throws {
    let lines = names.flatMap { team, own in own.map { "\(team.number) \($0.key.code) \($0.value)\n" } }.sorted()
    let draft = path + ".new"
    // Remove a draft that an interrupted write left behind.
    unlink(draft)
    try PrivateFiles.write(draft, Array(lines.joined().utf8))
    guard rename(draft, path) == 0 else { throw SystemFailure("cannot replace '\(path)'") }
    try PrivateFiles.flush(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
    known = names
  }
}

/// The names for several nodes: in the shared database, so that a page keeps its address whichever node publishes it. Read
/// again each time, since another node may have changed them.
package struct SharedPublishedNames: PublishedNames {
  let store: any ClusterPartitions
  package let changes = SiteChanges()

  package init(store: any ClusterPartitions) { self.store = store }

  /// Copies the names from this machine's file into the database, unless names exist there.
  package func adopt(_ file: PublishedNamesFile) async throws {
    let own = try await file.read().mapValues { names in
      Dictionary(uniqueKeysWithValues: names.map { ($0.key.code, $0.value) })
    }
    try await store.adoptPageNames(own)
  }

  package func given(to team: TeamID) async throws -> [SiteOwner: String] { try await read(team)[team] ?? [:] }

  package var all: Set<String> { get async throws { Set(try await read(nil).values.joined().map(\.value)) } }

  package func names(of team: TeamID, _ owners: [SiteOwner]) async throws -> [SiteOwner: String] {
    let before = try await given(to: team)
    let after = completed(before, for: owners)
    guard after != before else { return after }
    try await store.putPageNames(
      Dictionary(uniqueKeysWithValues: after.map { ($0.key.code, $0.value) }), of: team)
    return after
  }

  package func teams() async throws -> Set<TeamID> { Set(try await read(nil).keys) }

  package func forget(_ teams: Set<TeamID>) async throws {
    for team in teams { try await store.forgetPageNames(of: team, owner: nil) }
  }

  package func rotate(team: TeamID?, owner: SiteOwner?) async throws {
    try await store.forgetPageNames(of: team, owner: owner?.code)
  }

  private func read(_ team: TeamID?) async throws -> [TeamID: [SiteOwner: String]] {
    var names: [TeamID: [SiteOwner: String]] = [:]
    for (team, owners) in try await store.pageNames(of: team) {
      for (code, name) in owners { if let owner = SiteOwner(code: code) { names[team, default: [:]][owner] = name } }
    }
    return names
  }
}

extension SiteOwner {
  var code: String {
    switch self {
    case .office: "office"
    case .technician(let id): "\(id.number)"
    }
  }

  init?(code: String) {
    if code == "office" {
      self = .office
    } else if let number = Int64(code) {
      self = .technician(TechnicianID(number))
    } else {
      return nil
    }
  }
}

/// Counts changes that may affect published pages, by team or for all teams.
package final class SiteChanges: Sendable {
  /// Numbers of changes: of all teams, and by name of a team.
  private struct State {
    var all = 0
    var teams: [String: Int] = [:]
  }
  private let state = Mutex(State())

  package init() {}

  /// Counts one change.
  ///
  /// - Parameter team: name of the changed team; nil if the change may affect every team.
  package func note(_ team: String?) {
    state.withLock { state in
      if let team { state.teams[team, default: 0] += 1 } else { state.all += 1 }
    }
  }

  /// A text that differs after each change of the team.
  package func count(of team: String) -> String { state.withLock { "\($0.all) \($0.teams[team] ?? 0)" } }
}
