import PoolInterchange
import PoolModel
import PoolPlatform
import PoolStore
import StableInterchange
import StableModel

/// Looks at a backup and tells everything that is wrong with it; changes nothing.
package struct BackupVerifier: Sendable {
  private let folder: BackupFolder
  private let progress: WorkProgress

  package init(folder: BackupFolder, progress: WorkProgress = WorkProgress()) {
    self.folder = folder
    self.progress = progress
  }

  /// - Parameters:
  ///   - recorded: the manifest's SHA-256 as the store remembers it; nil where it does not know the backup.
  ///   - full: open the snapshot and read every archive, too, as a restore would.
  /// - Returns: every damage found; empty where the backup is whole.
  package func damage(to id: String, recorded: String?, full: Bool) -> [BackupDamage] {
    let manifest: BackupManifest
    do throws(BackupDamage) { manifest = try self.manifest(of: id, recorded: recorded) } catch { return [error] }
    var damage = sums(of: manifest.files, in: id, all: manifest)
    if full, damage.isEmpty { damage = restoration(of: manifest, in: folder.folder(id), isOwn: recorded != nil) }
    return damage
  }

  /// Every damage but the snapshot's own, for whoever reads that anyway while it is copied.
  func damageBesideSnapshot(
    of id: String, recorded: String?
  ) -> (manifest: BackupManifest?, damage: [BackupDamage]) {
    let manifest: BackupManifest
    do throws(BackupDamage) { manifest = try self.manifest(of: id, recorded: recorded) } catch { return (nil, [error]) }
    let others = manifest.files.filter { $0.name != BackupManifest.snapshotName }
    return (manifest, sums(of: others, in: id, all: manifest))
  }

  private func manifest(of id: String, recorded: String?) throws(BackupDamage) -> BackupManifest {
    let found = try folder.manifest(id)
    if let recorded, recorded != found.sum.sha256 { throw .otherThanRecorded }
    try checkSumBeside(id, found.sum)
    return found.manifest
  }

  private func checkSumBeside(_ id: String, _ sum: FileSum) throws(BackupDamage) {
    let wanted = Array(BackupManifest.sumLine(sum).utf8)
    let found: [UInt8]
    do {
      found = try PrivateFiles.bytes("\(folder.folder(id))/\(BackupManifest.sumName)", limit: 4_096)
    } catch {
      throw .unreadable("\(error)")
    }
    guard found == wanted else { throw .wrongSum(BackupManifest.fileName) }
  }

  /// These files by size and SHA-256, and nothing beside all that the manifest names.
  private func sums(of files: [BackupManifest.File], in id: String, all manifest: BackupManifest) -> [BackupDamage] {
    var damage: [BackupDamage] = []
    let root = folder.folder(id)
    progress.begin("reading the backup", of: files.reduce(0) { $0 + $1.bytes })
    for file in files {
      let path = "\(root)/\(file.name)"
      guard FileFacts.exists(path) else {
        damage.append(.missing(file.name))
        continue
      }
      do {
        let sum = try PrivateFiles.sum(of: path, reading: progress.add)
        if let difference = Self.difference(of: sum, to: file) { damage.append(difference) }
      } catch {
        damage.append(.unreadable("\(error)"))
      }
    }
    do throws(SystemFailure) {
      let known = Set(manifest.files.map(\.name) + [BackupManifest.fileName, BackupManifest.sumName, "archives"])
      let names =
        try PrivateFiles.names(in: root) + PrivateFiles.names(in: "\(root)/archives").map { "archives/\($0)" }
      damage += names.filter { !known.contains($0) }.map { .extra($0) }
    } catch {
      damage.append(.unreadable("\(error)"))
    }
    return damage
  }

  /// Nil where they are the same.
  static func difference(of sum: FileSum, to file: BackupManifest.File) -> BackupDamage? {
    if sum.bytes != file.bytes { return .wrongSize(file.name, found: sum.bytes, wanted: file.bytes) }
    return sum.sha256 == file.sha256 ? nil : .wrongSum(file.name)
  }

  /// What a restore would find: the snapshot opened and read to the last page, every archive read to its end.
  ///
  /// - Parameter isOwn: the store remembers these very bytes. What it held from before a rule, its backup may hold, too.
  private func restoration(of manifest: BackupManifest, in root: String, isOwn: Bool) -> [BackupDamage] {
    var damage: [BackupDamage] = []
    if manifest.hasSnapshot {
      progress.begin("proving the snapshot")
      do {
        let snapshot = try StoreSnapshot(path: "\(root)/\(BackupManifest.snapshotName)")
        try snapshot.prove()
        if !isOwn { try snapshot.proveContents() }
        let rows = try snapshot.facts().rows
        for table in Set(rows.keys).union(manifest.rows.keys).sorted() where rows[table] != manifest.rows[table] {
          damage.append(.otherRows(table))
        }
      } catch {
        damage.append(.snapshot("\(error)"))
      }
    }
    progress.begin("reading the archives", of: manifest.archives.count)
    for archive in manifest.archives {
      defer { progress.add(1) }
      do throws(BackupDamage) {
        if let horses = archive.horses {
          let contents = try TeamArchive.rereadStable("\(root)/\(archive.name)", name: archive.name)
          guard contents.horses.count == horses, contents.care.count == archive.care,
            contents.horses.count(where: \.hasPhoto) == archive.photos
          else { throw .archive(archive.name, "it holds other records than were written") }
          continue
        }
        let contents = try TeamArchive.reread("\(root)/\(archive.name)", name: archive.name)
        guard contents.pools.count == archive.pools, contents.serviceEvents.count == archive.visits,
          contents.photoNames.count == archive.photos
        else { throw .archive(archive.name, "it holds other records than were written") }
      } catch {
        damage.append(error)
      }
    }
    return damage
  }
}
