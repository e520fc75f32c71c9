import Glibc
import PoolDelivery
import PoolDigests
import PoolModel
import PoolPlatform
import PoolStore
import Synchronization

/// The secret names of published folders. No archive and no bug report holds them, and a store that is put back elsewhere gets new
/// ones.
protocol PublishedNames: Sendable {
  /// What may have changed what is published.
  var changes: SiteChanges { get }

  /// The names of a team that have been given; of one without published pages none.
  func given(to team: TeamID) async throws -> [SiteOwner: String]

  var all: Set<String> { get async throws }

  /// A name for each of a team's owners; who is none any more has none.
  func names(of team: TeamID, _ owners: [SiteOwner]) async throws -> [SiteOwner: String]

  /// Those that have names.
  func teams() async throws -> Set<TeamID>

  func forget(_ teams: Set<TeamID>) async throws

  /// Takes names away: all, a team's, or one person's.
  func rotate(team: TeamID?, owner: SiteOwner?) async throws
}

extension PublishedNames {
  /// - Returns: what stays of the names of before, and new ones for who has none.
  fileprivate func renewed(_ before: [SiteOwner: String], for owners: [SiteOwner]) -> [SiteOwner: String] {
    var random = SystemRandomNumberGenerator()
    return Dictionary(uniqueKeysWithValues: owners.map { ($0, before[$0] ?? SecretName.make(using: &random)) })
  }
}

/// The names of a daemon that is alone with its store: a file of their own in the state folder, for the daemon's user alone. No backup
/// holds it.
actor PublishedNamesFile: PublishedNames {
  /// What cannot be done with the file; no name stands in it.
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
  nonisolated let changes = SiteChanges()
  /// Nil until they are read.
  private var known: Names?

  init(path: String) { self.path = path }

  func given(to team: TeamID) throws -> [SiteOwner: String] { try read()[team] ?? [:] }

  var all: Set<String> { get throws { Set(try read().values.joined().map(\.value)) } }

  func names(of team: TeamID, _ owners: [SiteOwner]) throws -> [SiteOwner: String] {
    var names = try read()
    let before = names[team] ?? [:]
    let after = renewed(before, for: owners)
    guard after != before else { return after }
    names[team] = after
    try write(names)
    return after
  }

  func teams() throws -> Set<TeamID> { Set(try read().keys) }

  func forget(_ teams: Set<TeamID>) throws { try write(try read().filter { !teams.contains($0.key) }) }

  func rotate(team: TeamID?, owner: SiteOwner?) throws {
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
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3, let team = Int64(words[0]), let owner = SiteOwner(word: words[1]),
          SecretName.isOne(words[2])
        else { throw Fault(path: path, why: "line \(index + 1) is not one of its own") }
        // Two folders of one name would be one folder: whoever knows it would read what is another's.
        guard seen.insert(words[2]).inserted else {
          throw Fault(path: path, why: "line \(index + 1) has a name that an earlier one has")
        }
        names[TeamID(team), default: [:]][owner] = words[2]
      }
    }
    known = names
    return names
  }

  private func write(_ names: Names) throws {
    let lines = names.flatMap { team, own in own.map { "\(team.number) \($0.key.word) \($0.value)\n" } }.sorted()
    let draft = path + ".new"
    // Of a writing that a crash cut off; mostly there is none.
    unlink(draft)
    try PrivateFiles.write(draft, Array(lines.joined().utf8))
    guard rename(draft, path) == 0 else { throw SystemFailure("cannot replace '\(path)'") }
    try PrivateFiles.flush(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
    known = names
  }
}

/// The names of several daemons: in the database that they share, so that a page keeps its address whichever of them writes it. They are
/// read anew each time: another may have changed them.
struct PublishedNamesOfNodes: PublishedNames {
  let store: any NodeShares
  let changes = SiteChanges()

  /// Takes the names along that this machine has given when it was alone, unless nodes have names of their own already.
  func adopt(_ file: PublishedNamesFile) async throws {
    let own = try await file.read().mapValues { names in
      Dictionary(uniqueKeysWithValues: names.map { ($0.key.word, $0.value) })
    }
    try await store.adoptPageNames(own)
  }

  func given(to team: TeamID) async throws -> [SiteOwner: String] { try await read(team)[team] ?? [:] }

  var all: Set<String> { get async throws { Set(try await read(nil).values.joined().map(\.value)) } }

  func names(of team: TeamID, _ owners: [SiteOwner]) async throws -> [SiteOwner: String] {
    let before = try await given(to: team)
    let after = renewed(before, for: owners)
    guard after != before else { return after }
    try await store.putPageNames(
      Dictionary(uniqueKeysWithValues: after.map { ($0.key.word, $0.value) }), of: team)
    return after
  }

  func teams() async throws -> Set<TeamID> { Set(try await read(nil).keys) }

  func forget(_ teams: Set<TeamID>) async throws {
    for team in teams { try await store.forgetPageNames(of: team, owner: nil) }
  }

  func rotate(team: TeamID?, owner: SiteOwner?) async throws {
    try await store.forgetPageNames(of: team, owner: owner?.word)
  }

  private func read(_ team: TeamID?) async throws -> [TeamID: [SiteOwner: String]] {
    var names: [TeamID: [SiteOwner: String]] = [:]
    for (team, owners) in try await store.pageNames(of: team) {
      for (word, name) in owners { if let owner = SiteOwner(word: word) { names[team, default: [:]][owner] = name } }
    }
    return names
  }
}

extension SiteOwner {
  var word: String {
    switch self {
    case .office: "office"
    case .technician(let id): "\(id.number)"
    }
  }

  init?(word: String) {
    if word == "office" {
      self = .office
    } else if let number = Int64(word) {
      self = .technician(TechnicianID(number))
    } else {
      return nil
    }
  }
}

/// Counts what may have changed published pages: a call about one team, or something about any of them.
final class SiteChanges: Sendable {
  private struct State {
    var all = 0
    var teams: [String: Int] = [:]
  }
  private let state = Mutex(State())

  /// - Parameter team: nil where it may concern every team.
  func note(_ team: String?) {
    state.withLock { state in
      if let team { state.teams[team, default: 0] += 1 } else { state.all += 1 }
    }
  }

  func count(of team: String) -> String { state.withLock { "\($0.all) \($0.teams[team] ?? 0)" } }
}
