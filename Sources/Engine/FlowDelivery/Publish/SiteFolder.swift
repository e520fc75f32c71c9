import FlowModel
import FlowNotices
internal import Glibc

/// A web server's folder, open for one round of writing. Its root holds two files without information; below `p/` each secret
/// name has a folder. `p/` has mode 711, so a web server cannot list it.
///
/// A page that cannot be written is returned as an obstacle, and the other pages are written. No error contains a secret name.
final class SiteFolder {
  static let pagesName = "p"
  private static let draftSuffix = ".new"
  /// The temporary name of a file before it replaces the old one; a crash may leave such a file.
  private static func draft(_ name: String) -> String { ".\(name)\(draftSuffix)" }
  static func isDraft(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(draftSuffix) }

  private let path: String
  let calls: any SiteFileSystemCalls
  private let root: Int32
  let pages: Int32

  var pagesPath: String { "\(path)/\(Self.pagesName)" }
  /// Replaces the path of a folder of pages in errors, because the real path would reveal the secret name.
  var hiddenPath: String { "\(pagesPath)/…" }

  /// Opens the folder, which must exist; creates `p/` if it is missing.
  ///
  /// - Throws: `folderMissing`, `notAFolder`, `file`.
  init(path: String, calls: any SiteFileSystemCalls) throws(DeliveryError) {
    let root: Int32
    do { root = try calls.openFolder(path) } catch {
      switch error.code {
      case ENOENT: throw .folderMissing(path: path)
      case ENOTDIR, ELOOP: throw .notAFolder(path: path)
      default: throw .file(.open, path: path, code: error.code)
      }
    }
    var isComplete = false
    defer { if !isComplete { Self.closeIgnoringErrors(root, calls) } }
    let pagesPath = "\(path)/\(Self.pagesName)"
    do { try calls.makeFolder(Self.pagesName, in: root, mode: 0o711) } catch {
      throw .file(.create, path: pagesPath, code: error.code)
    }
    do { pages = try calls.openFolder(Self.pagesName, in: root) } catch {
      switch error.code {
      case ENOTDIR, ELOOP: throw .notAFolder(path: pagesPath)
      default: throw .file(.open, path: pagesPath, code: error.code)
      }
    }
    (self.path, self.calls, self.root) = (path, calls, root)
    isComplete = true
  }

  deinit {
    for descriptor in [root, pages] { Self.closeIgnoringErrors(descriptor, calls) }
  }

  /// Writes those files of the root whose contents differ.
  func writeRootFiles(_ files: [String: [UInt8]]) -> SiteOutcome {
    var outcome = SiteOutcome()
    writePages(files, in: root, path, &outcome) { SiteObstacle(folder: nil, error: $0) }
    return outcome
  }

  /// Writes those files of a folder of pages whose contents differ; creates the folder if it is missing.
  func writePages(_ site: SitePages) -> SiteOutcome {
    var outcome = SiteOutcome()
    func obstacle(_ error: DeliveryError) -> SiteObstacle {
      SiteObstacle(folder: site.name, error: .page(owner: site.owner, error))
    }
    let folder: Int32
    do throws(DeliveryError) { folder = try makeAndOpen(site.name) } catch {
      outcome.obstacles.append(obstacle(error))
      return outcome
    }
    defer { Self.closeIgnoringErrors(folder, calls) }
    writePages(site.files, in: folder, hiddenPath, &outcome, obstacle)
    guard outcome.hasWritten else { return outcome }
    do { try calls.sync(pages) } catch {
      outcome.hasWritten = false
      outcome.obstacles.append(obstacle(.file(.sync, path: pagesPath, code: error.code)))
    }
    return outcome
  }

  /// The present stamps of the files in a folder of pages, without missing files.
  func stamps(of files: some Sequence<String>, in name: String) -> [String: FileStamp] {
    guard let folder = try? calls.openFolder(name, in: pages) else { return [:] }
    defer { Self.closeIgnoringErrors(folder, calls) }
    return Dictionary(
      uniqueKeysWithValues: files.compactMap { file in
        (try? calls.stamp(of: file, in: folder)).map { (file, $0) }
      })
  }

  /// Proves that pages can be written here, by performing all steps with a random file name.
  ///
  /// - Throws: the failure of a step.
  func probe() throws(DeliveryError) {
    let name = ".probe-\(UInt64.random(in: 0 ... .max))"
    try replace(name, Array("poolflow\n".utf8), in: pages, "\(pagesPath)/\(name)")
    do {
      try calls.remove(name, in: pages)
      try calls.sync(pages)
    } catch { throw .file(.sync, path: pagesPath, code: error.code) }
  }

  /// Closes a descriptor whose data no longer matters, and so ignores errors.
  static func closeIgnoringErrors(_ descriptor: Int32, _ calls: any SiteFileSystemCalls) {
    do { try calls.close(descriptor) } catch {}
  }
}

// MARK: Writing

extension SiteFolder {
  /// Opens a folder of pages, creating it if it is missing.
  private func makeAndOpen(_ name: String) throws(DeliveryError) -> Int32 {
    do { try calls.makeFolder(name, in: pages, mode: 0o755) } catch {
      throw .file(.create, path: hiddenPath, code: error.code)
    }
    do { return try calls.openFolder(name, in: pages) } catch {
      switch error.code {
      case ENOTDIR, ELOOP:
        throw .pathOccupied(path: hiddenPath, found: found(name, in: pages), wanted: "a folder of pages")
      default: throw .file(.open, path: hiddenPath, code: error.code)
      }
    }
  }

  /// Writes the files whose contents differ, and adds stamps and obstacles to `outcome`.
  private func writePages(
    _ files: [String: [UInt8]], in folder: Int32, _ path: String, _ outcome: inout SiteOutcome,
    _ obstacle: (DeliveryError) -> SiteObstacle
  ) {
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      do throws(DeliveryError) {
        if let stamp = stampIfUnchanged(name, bytes, in: folder) {
          outcome.stamps[name] = stamp
          // A crash may have left a draft; usually there is none.
          try? calls.remove(Self.draft(name), in: folder)
          continue
        }
        try replace(name, bytes, in: folder, "\(path)/\(name)")
        guard let stamp = stampIfUnchanged(name, bytes, in: folder) else {
          throw .replacedWhileWriting(path: "\(path)/\(name)")
        }
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

  /// Returns the file's stamp if all users can read it and it has these bytes, except for the time at which it was made; nil if it
  /// must be written.
  private func stampIfUnchanged(_ name: String, _ bytes: [UInt8], in folder: Int32) -> FileStamp? {
    // Take the stamp before reading: a change in between then shows at the next comparison.
    guard let stamp = try? calls.stamp(of: name, in: folder), stamp.kind == .file, stamp.isReadableByAll,
      let present = try? calls.read(name, in: folder, limit: bytes.count + PageSignature.timeLength),
      present.count == stamp.size, PageSignature.isSame(present, bytes)
    else { return nil }
    return stamp
  }

  /// Replaces a file atomically: readers find the old or the new version, never a part.
  private func replace(
    _ name: String, _ bytes: [UInt8], in folder: Int32, _ path: String
  ) throws(DeliveryError) {
    let draft = Self.draft(name)
    // Remove the draft instead of truncating it: if it is a hard link, truncating would overwrite another file's bytes.
    do { try calls.remove(draft, in: folder) } catch {
      if error.code == EISDIR {
        throw .pathOccupied(path: path, found: "a folder, named '\(draft)'", wanted: "the draft of this page")
      }
      guard error.code == ENOENT else { throw .file(.remove, path: path, code: error.code) }
    }
    var operation = DeliveryError.Operation.create
    do throws(SystemCallError) {
      let file = try calls.create(draft, in: folder, mode: 0o644)
      do throws(SystemCallError) {
        operation = .write
        var rest = bytes[...]
        while !rest.isEmpty { rest = rest.dropFirst(try calls.write(rest, to: file)) }
        operation = .sync
        try calls.sync(file)
      } catch {
        Self.closeIgnoringErrors(file, calls)
        throw error
      }
      operation = .close
      try calls.close(file)
      operation = .move
      try calls.replace(name, by: draft, in: folder)
    } catch {
      // On a full disk the draft would only occupy space.
      try? calls.remove(draft, in: folder)
      if error.code == EISDIR { throw .pathOccupied(path: path, found: found(name, in: folder), wanted: "a page") }
      throw .file(operation, path: path, code: error.code)
    }
  }

  /// The kind of file that is in the way, for an error message.
  private func found(_ name: String, in folder: Int32) -> String {
    switch (try? calls.stamp(of: name, in: folder))?.kind {
    case .file: "a file"
    case .folder: "a folder"
    case .link: "a symbolic link"
    case .other, nil: "a device, pipe or socket"
    }
  }
}
