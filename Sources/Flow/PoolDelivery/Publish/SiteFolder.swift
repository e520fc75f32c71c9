internal import Glibc
import PoolModel

/// A folder that a web server serves, open for one round of writing. In its root lies what says nothing; below `p/` is a
/// folder for each secret name. `p/` can be entered and not listed: a server that shows listings has none to show.
///
/// A secret name stands in no error.
final class SiteFolder {
  static let pagesName = "p"
  /// What was being written when a crash came.
  private static func draft(_ name: String) -> String { ".\(name).new" }

  private let path: String
  private let calls: any SiteCalls
  private let root: Int32
  private let pages: Int32

  /// Opens the folder, which must exist; `p/` is made where it is missing.
  ///
  /// - Throws: `folderMissing`, `folderIsNoFolder`, `file`.
  init(path: String, calls: any SiteCalls) throws(DeliveryError) {
    let root: Int32
    do { root = try calls.openFolder(path) } catch {
      switch error.code {
      case ENOENT: throw .folderMissing(path: path)
      case ENOTDIR, ELOOP: throw .folderIsNoFolder(path: path)
      default: throw .file(.open, path: path, code: error.code)
      }
    }
    var isComplete = false
    defer { if !isComplete { Self.abandon(root, calls) } }
    let pagesPath = "\(path)/\(Self.pagesName)"
    do { try calls.makeFolder(Self.pagesName, in: root, mode: 0o711) } catch {
      throw .file(.create, path: pagesPath, code: error.code)
    }
    do { pages = try calls.openFolder(Self.pagesName, in: root) } catch {
      switch error.code {
      case ENOTDIR, ELOOP: throw .folderIsNoFolder(path: pagesPath)
      default: throw .file(.open, path: pagesPath, code: error.code)
      }
    }
    (self.path, self.calls, self.root) = (path, calls, root)
    isComplete = true
  }

  deinit {
    for descriptor in [root, pages] { Self.abandon(descriptor, calls) }
  }

  /// Writes the files of the root that are others than what stands there.
  func putRoot(_ files: [String: [UInt8]]) throws(DeliveryError) { _ = try put(files, in: root, path) }

  /// The same for one name's folder, which is made where it is missing.
  func put(_ files: [String: [UInt8]], of name: String) throws(DeliveryError) {
    let path = "\(path)/\(Self.pagesName)/…"
    let folder: Int32
    do {
      try calls.makeFolder(name, in: pages, mode: 0o755)
      folder = try calls.openFolder(name, in: pages)
    } catch { throw .file(.create, path: path, code: error.code) }
    defer { Self.abandon(folder, calls) }
    guard try put(files, in: folder, path) else { return }
    do { try calls.sync(pages) } catch { throw .file(.sync, path: path, code: error.code) }
  }

  /// - Returns: false where all of it stood there already.
  private func put(_ files: [String: [UInt8]], in folder: Int32, _ path: String) throws(DeliveryError) -> Bool {
    var hasChanged = false
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      // What cannot be read is written anew.
      if (try? calls.read(name, in: folder, limit: bytes.count + 1)) == bytes {
        // Of a writing that a crash cut off; mostly there is none.
        try? calls.remove(Self.draft(name), in: folder)
        continue
      }
      try replace(name, bytes, in: folder, "\(path)/\(name)")
      hasChanged = true
    }
    guard hasChanged else { return false }
    do { try calls.sync(folder) } catch { throw .file(.sync, path: path, code: error.code) }
    return true
  }

  /// Never a moment without the file, nor with half of it.
  private func replace(
    _ name: String, _ bytes: [UInt8], in folder: Int32, _ path: String
  ) throws(DeliveryError) {
    let draft = Self.draft(name)
    var operation = DeliveryError.Operation.create
    do throws(CallFailure) {
      let file = try calls.create(draft, in: folder, mode: 0o644)
      do throws(CallFailure) {
        operation = .write
        var rest = bytes[...]
        while !rest.isEmpty { rest = rest.dropFirst(try calls.write(rest, to: file)) }
        operation = .sync
        try calls.sync(file)
      } catch {
        Self.abandon(file, calls)
        throw error
      }
      operation = .close
      try calls.close(file)
      operation = .move
      try calls.replace(name, by: draft, in: folder)
    } catch {
      // On a full disk it would only take room.
      try? calls.remove(draft, in: folder)
      throw .file(operation, path: path, code: error.code)
    }
  }

  /// Takes away every folder of pages that has none of these names.
  func keep(only names: Set<String>) throws(DeliveryError) {
    let path = "\(path)/\(Self.pagesName)"
    do {
      for name in try calls.names(in: pages) where SecretName.isOne(name) && !names.contains(name) {
        // Somebody else was quicker, or it is no folder of ours.
        do { try remove(name) } catch  where [ENOENT, ENOTDIR, ELOOP].contains(error.code) {}
      }
      try calls.sync(pages)
    } catch { throw .file(.remove, path: path, code: error.code) }
  }

  private func remove(_ name: String) throws(CallFailure) {
    let folder = try calls.openFolder(name, in: pages)
    defer { Self.abandon(folder, calls) }
    for file in try calls.names(in: folder) { try calls.remove(file, in: folder) }
    try calls.removeFolder(name, in: pages)
  }

  /// Closes what holds nothing that matters any more; an error would change nothing.
  private static func abandon(_ descriptor: Int32, _ calls: any SiteCalls) {
    do { try calls.close(descriptor) } catch {}
  }
}
