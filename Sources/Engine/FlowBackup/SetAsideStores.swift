package import FlowModel
package import FlowPlatform

/// The stores that restores and resets have set aside. The newest ones are kept, so that a restore can be undone; the others
/// are removed to free disk space.
package struct SetAsideStores: Sendable {
  /// A store that was set aside, with its write-ahead log if it has one.
  package struct SetAsideStore: Hashable, Sendable {
    package let name: String
    package let keptAt: Timestamp
    /// The files in the order of their removal, the store first: a log without its store is harmless, but a store without its
    /// log would seem complete while it is outdated.
    fileprivate let files: [String]
    package let bytes: Int
  }

  static let prefix = "poolflow.db.kept-"

  private let state: String

  package init(state: String) { self.state = state }

  /// The stores that were set aside, newest first.
  package func list() throws(SystemFailure) -> [SetAsideStore] {
    var files: [String: [String]] = [:]
    for name in try PrivateFiles.names(in: state) where FileKind(at: "\(state)/\(name)") == .file {
      guard let base = Self.base(of: name) else { continue }
      files[base, default: []].append(name)
    }
    return files.compactMap { base, files in
      Self.keptAt(base).map { keptAt in
        SetAsideStore(
          name: base, keptAt: keptAt, files: files.sorted { $0.utf8.count < $1.utf8.count },
          bytes: files.reduce(0) { $0 + (FileFacts.bytes(of: "\(state)/\($1)") ?? 0) })
      }
    }.sorted { ($0.keptAt, $0.name.utf8.count, $0.name) > ($1.keptAt, $1.name.utf8.count, $1.name) }
  }

  /// Removes all but the newest `Limits.keptStores`, and those older than `Limits.keptStoreAge`; the newest one is always kept.
  ///
  /// - Parameter justMade: the path of the store set aside just now, which counts as the newest, even if a wrong clock dated
  ///   others later.
  /// - Returns: the removed and the kept stores.
  package func prune(now: Timestamp, justMade: String? = nil) throws(SystemFailure) -> (
    removed: [SetAsideStore], kept: [SetAsideStore]
  ) {
    let all = try list()
    let made = justMade.flatMap { path in path.split(separator: "/").last.map(String.init) }
    let first = all.filter { $0.name == made } + all.filter { $0.name != made }
    var (removed, kept): ([SetAsideStore], [SetAsideStore]) = ([], [])
    for (index, one) in first.enumerated() {
      let isOld = one.keptAt < now && now.since(one.keptAt) > Limits.keptStoreAge
      if index == 0 || (index < Limits.keptStores && !isOld) {
        kept.append(one)
      } else {
        removed.append(one)
      }
    }
    for one in removed {
      for file in one.files { try PrivateFiles.removeTree("\(state)/\(file)") }
    }
    if !removed.isEmpty { try PrivateFiles.flush(state) }
    return (removed, kept)
  }

  /// The name of the store that a file belongs to: `poolflow.db.kept-20260302T021500Z`, or `…Z-17` for a further one of the
  /// same second; nil for any other file.
  private static func base(of name: String) -> String? {
    guard name.hasPrefix(prefix) else { return nil }
    let ending = ["-wal", "-shm"].first { name.hasSuffix($0) } ?? ""
    let base = String(name.dropLast(ending.count))
    return keptAt(base) == nil ? nil : base
  }

  /// The time in the name of a store that was set aside; nil for any other name.
  static func keptAt(_ base: String) -> Timestamp? {
    guard base.hasPrefix(prefix) else { return nil }
    let rest = base.dropFirst(prefix.count)
    let number = rest.dropFirst(16)
    guard number.isEmpty || (number.first == "-" && number.count > 1 && number.dropFirst().allSatisfy(\.isNumber))
    else {
      return nil
    }
    return Timestamp(compact: String(rest.prefix(16)))
  }
}
