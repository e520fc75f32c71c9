internal import Glibc
import PoolModel

/// A folder that a web server serves, open for one round of writing. In its root are two files that tell nothing; below `p/` is a
/// folder for each secret name. `p/` can be entered and not listed: a server that shows listings has none to show.
///
/// A page that cannot be written is an obstacle, and the other pages are written. No error holds a secret name.
final class SiteFolder {
  static let pagesName = "p"
  private static let draftEnd = ".new"
  /// The name under which a file is written before it takes the place of the old one; a crash may leave it.
  private static func draft(_ name: String) -> String { ".\(name)\(draftEnd)" }
  static func isDraft(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(draftEnd) }

  private let path: String
  let calls: any SiteCalls
  private let root: Int32
  let pages: Int32

  var pagesPath: String { "\(path)/\(Self.pagesName)" }
  /// Stands for the path of a folder of pages, whose own would tell the secret.
  var hiddenPath: String { "\(pagesPath)/…" }

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

  /// Writes the files of the root that differ from those that are there.
  func putRoot(_ files: [String: [UInt8]]) -> SiteOutcome {
    var outcome = SiteOutcome()
    put(files, in: root, path, &outcome) { SiteObstacle(folder: nil, error: $0) }
    return outcome
  }

  /// The same for a folder of pages, which is made where it is missing.
  func put(_ site: SitePages) -> SiteOutcome {
    var outcome = SiteOutcome()
    func obstacle(_ error: DeliveryError) -> SiteObstacle {
      SiteObstacle(folder: site.name, error: .page(owner: site.owner, error))
    }
    let folder: Int32
    do throws(DeliveryError) { folder = try makeAndOpen(site.name) } catch {
      outcome.obstacles.append(obstacle(error))
      return outcome
    }
    defer { Self.abandon(folder, calls) }
    put(site.files, in: folder, hiddenPath, &outcome, obstacle)
    guard outcome.hasWritten else { return outcome }
    do { try calls.sync(pages) } catch {
      outcome.hasWritten = false
      outcome.obstacles.append(obstacle(.file(.sync, path: pagesPath, code: error.code)))
    }
    return outcome
  }

  /// The files of a folder of pages as they are now; none for a file that is missing.
  func stamps(of files: some Sequence<String>, in name: String) -> [String: FileStamp] {
    guard let folder = try? calls.openFolder(name, in: pages) else { return [:] }
    defer { Self.abandon(folder, calls) }
    return Dictionary(
      uniqueKeysWithValues: files.compactMap { file in
        (try? calls.stamp(of: file, in: folder)).map { (file, $0) }
      })
  }

  /// Proves that a page can be written here: all steps, below a name that no other program has.
  func probe() throws(DeliveryError) {
    let name = ".probe-\(UInt64.random(in: 0 ... .max))"
    try replace(name, Array("poolflow\n".utf8), in: pages, "\(pagesPath)/\(name)")
    do {
      try calls.remove(name, in: pages)
      try calls.sync(pages)
    } catch { throw .file(.sync, path: pagesPath, code: error.code) }
  }

  /// Closes what holds nothing that matters any more; an error would change nothing.
  static func abandon(_ descriptor: Int32, _ calls: any SiteCalls) {
    do { try calls.close(descriptor) } catch {}
  }
}

// MARK: Writing

extension SiteFolder {
  private func makeAndOpen(_ name: String) throws(DeliveryError) -> Int32 {
    do { try calls.makeFolder(name, in: pages, mode: 0o755) } catch {
      throw .file(.create, path: hiddenPath, code: error.code)
    }
    do { return try calls.openFolder(name, in: pages) } catch {
      switch error.code {
      case ENOTDIR, ELOOP:
        throw .obstructed(path: hiddenPath, found: found(name, in: pages), wanted: "a folder of pages")
      default: throw .file(.open, path: hiddenPath, code: error.code)
      }
    }
  }

  private func put(
    _ files: [String: [UInt8]], in folder: Int32, _ path: String, _ outcome: inout SiteOutcome,
    _ obstacle: (DeliveryError) -> SiteObstacle
  ) {
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      do throws(DeliveryError) {
        if let stamp = current(name, bytes, in: folder) {
          outcome.stamps[name] = stamp
          // Of a writing that a crash cut off; mostly there is none.
          try? calls.remove(Self.draft(name), in: folder)
          continue
        }
        try replace(name, bytes, in: folder, "\(path)/\(name)")
        guard let stamp = current(name, bytes, in: folder) else { throw .replacedMeanwhile(path: "\(path)/\(name)") }
        outcome.stamps[name] = stamp
        outcome.hasWritten = true
      } catch { outcome.obstacles.append(obstacle(error)) }
    }
    guard outcome.hasWritten else { return }
    do { try calls.sync(folder) } catch {
      outcome.hasWritten = false
      outcome.obstacles.append(obstacle(.file(.sync, path: path, code: error.code)))
    }
  }

  /// Nil where the file is missing, is another one, or cannot be read by all: it is then written.
  private func current(_ name: String, _ bytes: [UInt8], in folder: Int32) -> FileStamp? {
    // Before it is read: a change in between shows at the next comparison.
    guard let stamp = try? calls.stamp(of: name, in: folder), stamp.kind == .file, stamp.isReadableByAll,
      stamp.size == bytes.count, (try? calls.read(name, in: folder, limit: bytes.count + 1)) == bytes
    else { return nil }
    return stamp
  }

  /// Never a moment without the file, nor with half of it.
  private func replace(
    _ name: String, _ bytes: [UInt8], in folder: Int32, _ path: String
  ) throws(DeliveryError) {
    let draft = Self.draft(name)
    // Removed rather than emptied: a hard link of that name would have another file's bytes written over.
    do { try calls.remove(draft, in: folder) } catch {
      if error.code == EISDIR {
        throw .obstructed(path: path, found: "a folder, named '\(draft)'", wanted: "the draft of this page")
      }
      guard error.code == ENOENT else { throw .file(.remove, path: path, code: error.code) }
    }
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
      if error.code == EISDIR { throw .obstructed(path: path, found: found(name, in: folder), wanted: "a page") }
      throw .file(operation, path: path, code: error.code)
    }
  }

  /// The kind of a file that is in the way, in words.
  private func found(_ name: String, in folder: Int32) -> String {
    switch (try? calls.stamp(of: name, in: folder))?.kind {
    case .file: "a file"
    case .folder: "a folder"
    case .link: "a symbolic link"
    case .other, nil: "a device, pipe or socket"
    }
  }
}
