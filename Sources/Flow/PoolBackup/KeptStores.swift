package import PoolModel
package import PoolPlatform

/// The stores that restores and resets have kept aside: the newest few stay, so that a restore may be taken back, and the
/// others go, so that they do not fill the disk.
package struct KeptStores: Sendable {
  /// A store with the log beside it, where there is one.
  package struct Kept: Hashable, Sendable {
    package let name: String
    package let keptAt: Timestamp
    /// In the order in which they go: a log without its store is nothing, a store without its log looks whole and is older.
    fileprivate let files: [String]
    package let bytes: Int
  }

  static let prefix = "poolflow.db.kept-"

  private let state: String

  package init(state: String) { self.state = state }

  /// The newest first.
  package func list() throws(SystemFailure) -> [Kept] {
    var files: [String: [String]] = [:]
    for name in try PrivateFiles.names(in: state) where FileKind(at: "\(state)/\(name)") == .file {
      guard let base = Self.base(of: name) else { continue }
      files[base, default: []].append(name)
    }
    return files.compactMap { base, files in
      Self.keptAt(base).map { keptAt in
        Kept(
          name: base, keptAt: keptAt, files: files.sorted { $0.utf8.count < $1.utf8.count },
          bytes: files.reduce(0) { $0 + (FileFacts.bytes(of: "\(state)/\($1)") ?? 0) })
      }
    }.sorted { ($0.keptAt, $0.name.utf8.count, $0.name) > ($1.keptAt, $1.name.utf8.count, $1.name) }
  }

  /// Removes those beyond the newest few, and those that are too old; the newest one always stays.
  ///
  /// - Parameter justMade: one that was kept aside now, which stays whatever a clock that was wrong has called the others.
  /// - Returns: what is gone, and what stays.
  package func prune(now: Timestamp, justMade: String? = nil) throws(SystemFailure) -> (removed: [Kept], kept: [Kept]) {
    let all = try list()
    let made = justMade.flatMap { path in path.split(separator: "/").last.map(String.init) }
    let first = all.filter { $0.name == made } + all.filter { $0.name != made }
    var (removed, kept): ([Kept], [Kept]) = ([], [])
    for (place, one) in first.enumerated() {
      let isOld = one.keptAt < now && now.since(one.keptAt) > Limits.keptStoreAge
      if place == 0 || (place < Limits.keptStores && !isOld) {
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

  /// `poolflow.db.kept-20260302T021500Z`, and `…Z-17` for one of the same second; nil for any other name.
  private static func base(of name: String) -> String? {
    guard name.hasPrefix(prefix) else { return nil }
    let ending = ["-wal", "-shm"].first { name.hasSuffix($0) } ?? ""
    let base = String(name.dropLast(ending.count))
    return keptAt(base) == nil ? nil : base
  }

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
