import FlowModel
import FlowNotices
internal import Glibc

/// Removal of published pages whose names are withdrawn, for example after a person left or a copy of the folder was restored.
extension SiteFolder {
  /// The outcome of removing withdrawn pages.
  struct Withdrawal: Sendable {
    var obstacles: [SiteObstacle] = []
    /// The names whose folders could not be removed completely.
    var left: Set<String> = []
  }

  /// Removes the published pages in all folders without a present name, and each such folder that is then empty. Files that
  /// poolflow did not write are kept.
  ///
  /// - Parameters:
  ///   - names: the present names.
  ///   - known: earlier names; a folder of such a name was poolflow's, whatever it contains now.
  func withdraw(allBut names: Set<String>, known: Set<String>) throws(DeliveryError) -> Withdrawal {
    let entries: [String]
    do { entries = try calls.names(in: pages) } catch { throw .file(.list, path: pagesPath, code: error.code) }
    var withdrawal = Withdrawal()
    var hasRemoved = false
    for name in entries where SecretName.isSecretName(name) && !names.contains(name) {
      do throws(DeliveryError) {
        if try withdraw(name, isKnown: known.contains(name)) { hasRemoved = true }
      } catch {
        withdrawal.left.insert(name)
        withdrawal.obstacles.append(
          SiteObstacle(folder: name, error: .page(owner: "a withdrawn address", error)))
      }
    }
    guard hasRemoved else { return withdrawal }
    do { try calls.sync(pages) } catch { throw .file(.sync, path: pagesPath, code: error.code) }
    return withdrawal
  }

  /// Removes one withdrawn folder.
  ///
  /// - Returns: true if it was poolflow's and is removed; false if it is another program's or missing.
  private func withdraw(_ name: String, isKnown: Bool) throws(DeliveryError) -> Bool {
    let folder: Int32
    do { folder = try calls.openFolder(name, in: pages) } catch {
      switch error.code {
      // Another program removed it in the meantime.
      case ENOENT: return false
      case ENOTDIR, ELOOP:
        guard isLink(name), isKnown || leadsToPages(name) else { return false }
        throw .pathOccupied(path: hiddenPath, found: "a symbolic link to withdrawn pages", wanted: "absent")
      default: throw .file(.open, path: hiddenPath, code: error.code)
      }
    }
    defer { Self.closeIgnoringErrors(folder, calls) }
    let (ours, others) = try contents(of: folder)
    guard isKnown || !ours.isEmpty else { return false }
    try remove(ours, in: folder)
    if let item = others.first { throw .withdrawnFolderNotEmpty(path: hiddenPath, item: item) }
    do { try calls.removeFolder(name, in: pages) } catch {
      throw .file(.remove, path: hiddenPath, code: error.code)
    }
    return true
  }

  /// Removes as many of the files as possible, then throws the first failure.
  private func remove(_ files: [String], in folder: Int32) throws(DeliveryError) {
    var failure: SystemCallError?
    for file in files {
      do { try calls.remove(file, in: folder) } catch  where error.code != ENOENT { failure = failure ?? error } catch {
      }
    }
    if let failure { throw .file(.remove, path: hiddenPath, code: failure.code) }
    guard !files.isEmpty else { return }
    do { try calls.sync(folder) } catch { throw .file(.sync, path: hiddenPath, code: error.code) }
  }

  /// The contents of a folder: `ours` are published pages and their drafts, `others` all other files.
  private func contents(of folder: Int32) throws(DeliveryError) -> (ours: [String], others: [String]) {
    let names: [String]
    do { names = try calls.names(in: folder).sorted() } catch {
      throw .file(.list, path: hiddenPath, code: error.code)
    }
    var (ours, others): ([String], [String]) = ([], [])
    for (index, name) in names.enumerated() {
      if index < Limits.siteFilesExamined, try isPage(name, in: folder) {
        ours.append(name)
      } else {
        others.append(name)
      }
    }
    return (ours, others)
  }

  /// Whether a file is a published page, recognized by its mark, or an empty draft.
  private func isPage(_ name: String, in folder: Int32) throws(DeliveryError) -> Bool {
    do {
      let stamp = try calls.stamp(of: name, in: folder)
      guard stamp.kind == .file else { return false }
      // A crash may leave a draft of zero bytes.
      if stamp.size == 0 { return Self.isDraft(name) }
      return PageSignature.isAt(try calls.read(name, in: folder, limit: PageSignature.length))
    } catch {
      if error.code == ENOENT { return false }
      throw .file(.read, path: hiddenPath, code: error.code)
    }
  }

  private func isLink(_ name: String) -> Bool { (try? calls.stamp(of: name, in: pages))?.kind == .link }

  /// Whether a symbolic link leads to published pages; nothing behind it is changed.
  private func leadsToPages(_ name: String) -> Bool {
    // Append `/.` to follow the symbolic link: only the last part of a path is never followed.
    guard let folder = try? calls.openFolder("\(name)/.", in: pages) else { return false }
    defer { Self.closeIgnoringErrors(folder, calls) }
    return (try? contents(of: folder).ours.isEmpty) == false
  }
}
