internal import Glibc

/// An open drop folder, held by descriptors: its root, the private `staging/` and the consumer's `new/`.
///
/// `deinit` closes the descriptors. All operations go through them: `checkNotReplaced` detects that a folder was replaced at its path, and
/// nothing is ever written into the replacement.
final class DropFolder {
  static let stagingName = "staging"
  static let newName = "new"

  let path: String
  private let calls: any FileSystemCalls
  private let root: Int32
  private let staging: Int32
  private let new: Int32
  /// The prefix of draft files, unique to this process. No notice id begins with a dot.
  private let mark = ".\(UInt64.random(in: 0 ... .max))"

  var stagingPath: String { "\(path)/\(Self.stagingName)" }
  var newPath: String { "\(path)/\(Self.newName)" }

  /// Opens the folder, which must exist. Creates `staging/` and `new/` if they are missing.
  ///
  /// - Parameter waiting: the number of notices that the store has as staged. If it is above 0, `staging/` must exist: a new,
  ///   empty one would mean that all of them have been published.
  /// - Throws: `folderMissing`, `notAFolder`, `stagingLost`, `differentFileSystems`, `file`.
  init(path: String, waiting: Int, calls: any FileSystemCalls) throws(DeliveryError) {
    self.path = path
    self.calls = calls
    var opened: [Int32] = []
    var isComplete = false
    defer { if !isComplete { for descriptor in opened { Self.closeIgnoringErrors(descriptor, calls) } } }

    let root = try Self.open(path, path: path, calls) { () throws(SystemCallError) in try calls.openFolder(path) }
    opened.append(root)
    let stagingPath = "\(path)/\(Self.stagingName)"
    if waiting > 0 {
      do { _ = try calls.identity(of: Self.stagingName, in: root) } catch  where error.code == ENOENT {
        throw .stagingLost(path: stagingPath, waiting: waiting)
      } catch { throw .file(.examine, path: stagingPath, code: error.code) }
    }
    // Only the daemon may see incomplete files; the consumer's group may remove finished ones.
    for (name, mode) in [(Self.stagingName, UInt32(0o700)), (Self.newName, UInt32(0o770))] {
      do { try calls.makeFolder(name, in: root, mode: mode) } catch {
        throw .file(.create, path: "\(path)/\(name)", code: error.code)
      }
      let folder = try Self.open(name, path: "\(path)/\(name)", calls) { () throws(SystemCallError) in
        try calls.openFolder(name, in: root)
      }
      opened.append(folder)
    }
    let device = try Self.identity(of: opened[1], path: stagingPath, calls).device
    guard try Self.identity(of: opened[2], path: "\(path)/\(Self.newName)", calls).device == device else {
      throw .differentFileSystems(staging: stagingPath, new: "\(path)/\(Self.newName)")
    }
    // Must come last: an error thrown after this assignment would also run `deinit` and close every descriptor twice.
    (self.root, staging, new) = (root, opened[1], opened[2])
    isComplete = true
  }

  deinit {
    for descriptor in [root, staging, new] { Self.closeIgnoringErrors(descriptor, calls) }
  }

  /// Checks that the paths still lead to the open folders.
  ///
  /// - Throws: `folderMissing`, `notAFolder`, `folderReplaced`, `file`.
  func checkNotReplaced() throws(DeliveryError) {
    let currentIdentity = try examine(path) { () throws(SystemCallError) in try calls.identity(ofPath: path) }
    guard currentIdentity.isFolder else { throw .notAFolder(path: path) }
    guard currentIdentity == (try Self.identity(of: root, path: path, calls)) else { throw .folderReplaced(path: path) }
    for (name, descriptor, path) in [(Self.stagingName, staging, stagingPath), (Self.newName, new, newPath)] {
      let currentIdentity = try examine(path) { () throws(SystemCallError) in try calls.identity(of: name, in: root) }
      guard currentIdentity == (try Self.identity(of: descriptor, path: path, calls)) else {
        throw .folderReplaced(path: path)
      }
    }
  }

  /// Writes one file into `staging/`. Its bytes are durable on return if `isSynced`; its name is durable after `syncStaging`.
  ///
  /// After a failure the file is removed: a file whose `fsync` failed may look complete and still be lost, and a second `fsync`
  /// would not report that.
  ///
  /// - Parameter isSynced: false if a later `syncAll` makes the file and its name durable.
  func stage(_ name: String, _ bytes: [UInt8], isSynced: Bool) throws(DeliveryError) {
    let path = "\(stagingPath)/\(name)"
    let file: Int32
    do { file = try calls.create(name, in: staging, mode: 0o640) } catch {
      throw .file(.create, path: path, code: error.code)
    }
    var operation = DeliveryError.Operation.write
    do {
      var rest = bytes[...]
      while !rest.isEmpty { rest = rest.dropFirst(try calls.write(rest, to: file)) }
      operation = .sync
      if isSynced { try calls.sync(file) } else { calls.beginSync(file) }
    } catch {
      Self.closeIgnoringErrors(file, calls)
      discard(name)
      throw .file(operation, path: path, code: error.code)
    }
    do { try calls.close(file) } catch {
      discard(name)
      throw .file(.close, path: path, code: error.code)
    }
  }

  /// Like `stage`, for a folder where another process may stage the same file at the same time: writes under a name unique to
  /// this process and then renames the file, so that no process publishes an incomplete file.
  func stageAtomically(_ name: String, _ bytes: [UInt8], isSynced: Bool) throws(DeliveryError) {
    let draftName = "\(mark)-\(name)"
    try stage(draftName, bytes, isSynced: isSynced)
    do { try calls.replace(name, by: draftName, in: staging) } catch  where error.code == ENOENT {
      // A node that has just started removed the draft, because it mistook the draft for a leftover.
      try stage(draftName, bytes, isSynced: isSynced)
      do { try calls.replace(name, by: draftName, in: staging) } catch {
        throw discardAfterFailedRename(draftName, name, error)
      }
    } catch { throw discardAfterFailedRename(draftName, name, error) }
  }

  /// Removes the draft `draftName` and returns the error for its failed rename to `name`.
  private func discardAfterFailedRename(_ draftName: String, _ name: String, _ error: SystemCallError) -> DeliveryError
  {
    discard(draftName)
    return .file(.move, path: "\(stagingPath)/\(name)", code: error.code)
  }

  /// Leaves an empty file in `staging/` that shows that this node uses the folder.
  ///
  /// - Returns: whether other nodes use the folder too.
  func mark(node: String) throws(DeliveryError) -> Bool {
    let name = Self.nodeMarkPrefix + node
    do { try calls.close(try calls.create(name, in: staging, mode: 0o600)) } catch {
      throw .file(.create, path: "\(stagingPath)/\(name)", code: error.code)
    }
    return try stagedNames().contains { Self.isNodeMark($0) && $0 != name }
  }

  private static let nodeMarkPrefix = ".node-"

  /// Whether a file in `staging/` is the mark of a node.
  static func isNodeMark(_ name: String) -> Bool { name.hasPrefix(nodeMarkPrefix) }

  /// Returns the notice id of a draft file, named `.RANDOM-ID`; for any other name, the name itself.
  static func noticeID(ofDraft name: String) -> (notice: String, isDraft: Bool) {
    guard name.hasPrefix("."), let dash = name.firstIndex(of: "-") else { return (name, false) }
    return (String(name[name.index(after: dash)...]), true)
  }

  /// The outcome of moving a file to `new/`. `alreadyGone`: `staging/` has no such file; `nameTaken`: `new/` has one.
  enum MoveOutcome { case done, alreadyGone, nameTaken }

  /// Moves a file from `staging/` to `new/`. The move is durable after `syncBoth`.
  func publish(_ name: String) throws(DeliveryError) -> MoveOutcome {
    do {
      try calls.move(name, from: staging, to: new)
      return .done
    } catch {
      switch error.code {
      case ENOENT: return .alreadyGone
      case EEXIST: return .nameTaken
      case EXDEV: throw .differentFileSystems(staging: stagingPath, new: newPath)
      default: throw .file(.move, path: "\(newPath)/\(name)", code: error.code)
      }
    }
  }

  /// Whether `new/` holds a file of this name with exactly these bytes; nil if it holds none of this name.
  func newFolderContains(_ name: String, _ bytes: [UInt8]) throws(DeliveryError) -> Bool? {
    do {
      return try calls.read(name, in: new, limit: bytes.count + 1) == bytes
    } catch {
      switch error.code {
      case ENOENT: return nil
      // A symbolic link, a folder or a socket: poolflow did not write it.
      case ELOOP, EISDIR, ENXIO, EAGAIN: return false
      default: throw .file(.read, path: "\(newPath)/\(name)", code: error.code)
      }
    }
  }

  /// Makes all staged files and their names durable in one call.
  func syncAll() throws(DeliveryError) {
    do { try calls.syncAll(staging) } catch { throw .file(.sync, path: stagingPath, code: error.code) }
  }

  /// Makes the names of the staged files durable.
  func syncStaging() throws(DeliveryError) {
    do { try calls.sync(staging) } catch { throw .file(.sync, path: stagingPath, code: error.code) }
  }

  /// Makes moves from `staging/` to `new/` durable.
  func syncBoth() throws(DeliveryError) {
    do { try calls.sync(new) } catch { throw .file(.sync, path: newPath, code: error.code) }
    try syncStaging()
  }

  func stagedNames() throws(DeliveryError) -> [String] {
    do { return try calls.names(in: staging) } catch { throw .file(.list, path: stagingPath, code: error.code) }
  }

  /// The number of files that the consumer has not taken yet.
  func newFileCount() throws(DeliveryError) -> Int {
    do { return try calls.names(in: new).count } catch { throw .file(.list, path: newPath, code: error.code) }
  }

  /// Removes a file of `staging/` that is no longer needed. A failure is harmless: the next try overwrites the file, or the
  /// next start removes it.
  func discard(_ name: String) {
    do { try calls.remove(name, in: staging) } catch {}
  }
}

extension DropFolder {
  private static func open(
    _ name: String, path: String, _ calls: any FileSystemCalls, _ open: () throws(SystemCallError) -> Int32
  ) throws(DeliveryError) -> Int32 {
    do { return try open() } catch {
      switch error.code {
      case ENOENT: throw .folderMissing(path: path)
      case ENOTDIR, ELOOP: throw .notAFolder(path: path)
      default: throw .file(.open, path: path, code: error.code)
      }
    }
  }

  /// Runs a call that examines `path`, and reports a missing file as `folderMissing`.
  private func examine(
    _ path: String, _ identify: () throws(SystemCallError) -> FileIdentity
  ) throws(DeliveryError) -> FileIdentity {
    do { return try identify() } catch {
      guard error.code == ENOENT || error.code == ENOTDIR else {
        throw .file(.examine, path: path, code: error.code)
      }
      throw .folderMissing(path: path)
    }
  }

  private static func identity(
    of descriptor: Int32, path: String, _ calls: any FileSystemCalls
  ) throws(DeliveryError) -> FileIdentity {
    do { return try calls.identity(of: descriptor) } catch {
      throw .file(.examine, path: path, code: error.code)
    }
  }

  /// Closes a descriptor whose data no longer matters, and so ignores errors.
  private static func closeIgnoringErrors(_ descriptor: Int32, _ calls: any FileSystemCalls) {
    do { try calls.close(descriptor) } catch {}
  }
}
