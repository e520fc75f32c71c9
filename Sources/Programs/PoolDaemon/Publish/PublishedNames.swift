import Glibc
import PoolDelivery
import PoolDigests
import PoolModel
import PoolPlatform

import Synchronization

/// The secret names of published folders. They lie in a file of their own in the state folder, for the daemon's user alone:
/// no backup, no archive and no bug report holds it, and a store that is put back elsewhere gets new ones.
actor PublishedNames {
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
  /// What may have changed what is published.
  nonisolated let changes = SiteChanges()
  /// Nil until they are read.
  private var known: Names?

  init(path: String) { self.path = path }

  /// The names of a team that have been given; of one without published pages none.
  func given(to team: TeamID) throws -> [SiteOwner: String] { try read()[team] ?? [:] }

  var all: Set<String> { get throws { Set(try read().values.joined().map(\.value)) } }

  /// A name for each of a team's owners; who is none any more has none.
  func names(of team: TeamID, _ owners: [SiteOwner]) throws -> [SiteOwner: String] {
    var names = try read()
    let before = names[team] ?? [:]
    var random = SystemRandomNumberGenerator()
    let after = Dictionary(
      uniqueKeysWithValues: owners.map { ($0, before[$0] ?? SecretName.make(using: &random)) })
    guard after != before else { return after }
    names[team] = after
    try write(names)
    return after
  }

  func teams() throws -> Set<TeamID> { Set(try read().keys) }

  func forget(_ teams: Set<TeamID>) throws { try write(try read().filter { !teams.contains($0.key) }) }

  /// Takes names away: all, a team's, or one person's.
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

  private func read() throws -> Names {
    if let known { return known }
    var names: Names = [:]
    if FileFacts.exists(path) {
      let text = String(decoding: try PrivateFiles.bytes(path, limit: Limits.publishedNamesBytes), as: UTF8.self)
      for (index, line) in text.split(separator: "\n").enumerated() {
        let words = line.split(separator: " ").map(String.init)
        guard words.count == 3, let team = Int64(words[0]), let owner = SiteOwner(word: words[1]),
          SecretName.isOne(words[2])
        else { throw Fault(path: path, why: "line \(index + 1) is not one of its own") }
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

extension SiteOwner {
  fileprivate var word: String {
    switch self {
    case .office: "office"
    case .technician(let id): "\(id.number)"
    }
  }

  fileprivate init?(word: String) {
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
