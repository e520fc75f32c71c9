package import FlowDelivery
import Glibc
import Synchronization

/// A disk in memory that can lose power: name changes survive in order, as on a journalled file system, but perhaps not the
/// last ones; bytes survive completely only if synced, else partly.
///
/// It is stricter than ext4: syncing a file saves its bytes and not its name, and syncing a folder saves no bytes.
package final class MemoryDisk: FileSystemCalls {
  private enum Change {
    case create(folder: Int32, name: String, file: Int)
    case move(name: String)
    case replace(folder: Int32, name: String, draft: String)
    case remove(folder: Int32, name: String)
  }

  private struct State {
    /// All changes of names, and how many of them are durable.
    var changes: [Change] = []
    var safe = 0
    /// The bytes of each file as processes see them, and as stored durably.
    var files: [Int: [UInt8]] = [:]
    var safeFiles: [Int: [UInt8]] = [:]
    var descriptors: [Int32: Int] = [:]
    var nextDescriptor: Int32 = 10
    var folders: [Int32: [String: Int]] = [2: [:], 3: [:]]
  }

  private static let root: Int32 = 1
  package static let staging: Int32 = 2
  package static let new: Int32 = 3
  private let state = Mutex(State())

  package init() {}

  /// Simulates a power failure and restart.
  package func losePower(using random: inout some RandomNumberGenerator) {
    let share = Double.random(in: 0...1, using: &random)
    let share2 = Double.random(in: 0...1, using: &random)
    state.withLock { state in
      let unsafe = state.changes.count - state.safe
      state.changes = Array(state.changes.prefix(state.safe + Int((Double(unsafe) * share).rounded())))
      state.safe = state.changes.count
      for (file, bytes) in state.files where state.safeFiles[file] != bytes {
        state.files[file] = Array(bytes.prefix(Int(Double(bytes.count) * share2)))
      }
      state.safeFiles = state.files
      state.descriptors = [:]
      var folders: [Int32: [String: Int]] = [2: [:], 3: [:]]
      for change in state.changes { Self.apply(change, &folders) }
      state.folders = folders
    }
  }

  /// The files in `new`, removed if the consumer takes them.
  package func takeNew(removing: Bool) -> [(name: String, bytes: [UInt8])] {
    state.withLock { state in
      let found = (state.folders[Self.new] ?? [:]).sorted { $0.key < $1.key }
      if removing { for (name, _) in found { Self.change(.remove(folder: Self.new, name: name), &state) } }
      return found.map { ($0.key, state.files[$0.value] ?? []) }
    }
  }

  private static func change(_ change: Change, _ state: inout State) {
    state.changes.append(change)
    apply(change, &state.folders)
  }

  private static func apply(_ change: Change, _ folders: inout [Int32: [String: Int]]) {
    switch change {
    case .create(let folder, let name, let file): folders[folder]?[name] = file
    case .move(let name):
      let file = folders[staging]?.removeValue(forKey: name)
      folders[new]?[name] = file
    case .replace(let folder, let name, let draft):
      let file = folders[folder]?.removeValue(forKey: draft)
      folders[folder]?[name] = file
    case .remove(let folder, let name): folders[folder]?[name] = nil
    }
  }

  private static func touches(_ change: Change, _ folder: Int32) -> Bool {
    switch change {
    case .create(let other, _, _), .remove(let other, _), .replace(let other, _, _): other == folder
    case .move: true
    }
  }

  package func openFolder(_ path: String) throws(SystemCallError) -> Int32 { Self.root }
  package func openFolder(_ name: String, in folder: Int32) throws(SystemCallError) -> Int32 {
    name == "new" ? Self.new : Self.staging
  }
  package func makeFolder(_ name: String, in folder: Int32, mode: UInt32) throws(SystemCallError) {}
  package func identity(ofPath path: String) throws(SystemCallError) -> FileIdentity { try identity(of: Self.root) }
  package func identity(of name: String, in folder: Int32) throws(SystemCallError) -> FileIdentity {
    try identity(of: name == "new" ? Self.new : Self.staging)
  }
  package func identity(of descriptor: Int32) throws(SystemCallError) -> FileIdentity {
    FileIdentity(device: 1, inode: UInt64(descriptor), isFolder: true)
  }

  package func names(in folder: Int32) throws(SystemCallError) -> [String] {
    state.withLock { ($0.folders[folder] ?? [:]).keys.sorted() }
  }

  package func create(_ name: String, in folder: Int32, mode: UInt32) throws(SystemCallError) -> Int32 {
    state.withLock { state in
      let file = state.folders[folder]?[name] ?? state.files.count
      if state.folders[folder]?[name] == nil {
        Self.change(.create(folder: folder, name: name, file: file), &state)
      }
      state.files[file] = []
      // The truncation may have destroyed the previous bytes.
      state.safeFiles[file] = nil
      state.nextDescriptor += 1
      state.descriptors[state.nextDescriptor] = file
      return state.nextDescriptor
    }
  }

  package func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemCallError) -> Int {
    state.withLock { state in
      if let file = state.descriptors[descriptor] { state.files[file]? += bytes }
      return bytes.count
    }
  }

  package func sync(_ descriptor: Int32) throws(SystemCallError) {
    state.withLock { state in
      if let file = state.descriptors[descriptor] {
        state.safeFiles[file] = state.files[file]
      } else if let last = state.changes.lastIndex(where: { Self.touches($0, descriptor) }) {
        state.safe = max(state.safe, last + 1)
      }
    }
  }

  package func syncAll(_ descriptor: Int32) throws(SystemCallError) {
    state.withLock { state in
      state.safeFiles = state.files
      state.safe = state.changes.count
    }
  }

  package func close(_ descriptor: Int32) throws(SystemCallError) {
    state.withLock { $0.descriptors[descriptor] = nil }
  }

  package func read(_ name: String, in folder: Int32, limit: Int) throws(SystemCallError) -> [UInt8] {
    let bytes = state.withLock { state in state.folders[folder]?[name].flatMap { state.files[$0] } }
    guard let bytes else { throw SystemCallError(code: ENOENT) }
    return Array(bytes.prefix(limit))
  }

  package func move(_ name: String, from: Int32, to: Int32) throws(SystemCallError) {
    let code: Int32? = state.withLock { state in
      if state.folders[from]?[name] == nil { return ENOENT }
      if state.folders[to]?[name] != nil { return EEXIST }
      Self.change(.move(name: name), &state)
      return nil
    }
    if let code { throw SystemCallError(code: code) }
  }

  package func replace(_ name: String, by draft: String, in folder: Int32) throws(SystemCallError) {
    let isThere = state.withLock { state in
      guard state.folders[folder]?[draft] != nil else { return false }
      Self.change(.replace(folder: folder, name: name, draft: draft), &state)
      return true
    }
    if !isThere { throw SystemCallError(code: ENOENT) }
  }

  package func remove(_ name: String, in folder: Int32) throws(SystemCallError) {
    state.withLock { state in
      if state.folders[folder]?[name] != nil { Self.change(.remove(folder: folder, name: name), &state) }
    }
  }
}
