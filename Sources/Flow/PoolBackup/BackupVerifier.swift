import PoolInterchange
import PoolModel
import PoolPlatform
import PoolStore
import StableInterchange
import StableModel

/// Looks at a backup and reports everything that is wrong with it; the backup itself is never changed.
package struct BackupVerifier: Sendable {
  private let folder: BackupFolder
  private let proofs: BackupFolder
  private let progress: WorkProgress

  /// - Parameter proofs: where backups are restored for proof; the folder of the backups itself where none is named.
  package init(folder: BackupFolder, proofs: BackupFolder? = nil, progress: WorkProgress = WorkProgress()) {
    self.folder = folder
    self.proofs = proofs ?? folder
    self.progress = progress
  }

  /// - Parameters:
  ///   - recorded: the manifest's SHA-256 as the store remembers it; nil where it does not know the backup. A manifest with
  ///     another one is damage; nothing else is judged by what the store remembers.
  ///   - full: restore the backup into an empty state directory and read every archive, too.
  /// - Returns: every damage found; empty where the backup is whole.
  package func damage(to id: String, recorded: String?, full: Bool) -> [BackupDamage] {
    let place = folder.place(id)
    let manifest: BackupManifest
    do throws(BackupDamage) { manifest = try self.manifest(of: place, recorded: recorded) } catch { return [error] }
    var damage = sums(of: manifest.files, in: place, all: manifest)
    if full, damage.isEmpty {
      damage = restoration(of: manifest, in: place) + archives(of: manifest, in: place)
    }
    return damage
  }

  /// Every damage but the snapshot's own, for a caller who reads that anyway while it is copied.
  func damageBesideSnapshot(
    of place: BackupPlace, recorded: String?
  ) -> (manifest: BackupManifest?, damage: [BackupDamage]) {
    let manifest: BackupManifest
    do throws(BackupDamage) {
      manifest = try self.manifest(of: place, recorded: recorded)
    } catch {
      return (nil, [error])
    }
    let others = manifest.files.filter { $0.name != BackupManifest.snapshotName }
    return (manifest, sums(of: others, in: place, all: manifest))
  }

  private func manifest(of place: BackupPlace, recorded: String?) throws(BackupDamage) -> BackupManifest {
    let found = try place.manifest()
    if let recorded, recorded != found.sum.sha256 { throw .otherThanRecorded }
    try checkSumBeside(place, found.sum)
    return found.manifest
  }

  private func checkSumBeside(_ place: BackupPlace, _ sum: FileSum) throws(BackupDamage) {
    let wanted = Array(BackupManifest.sumLine(sum).utf8)
    let found: [UInt8]
    do {
      found = try PrivateFiles.bytes("\(place.path)/\(BackupManifest.sumName)", limit: 4_096)
    } catch {
      throw .unreadable("\(error)")
    }
    guard found == wanted else { throw .wrongSum(BackupManifest.fileName) }
  }

  /// These files by size and SHA-256, and nothing beside all that the manifest names.
  private func sums(
    of files: [BackupManifest.File], in place: BackupPlace, all manifest: BackupManifest
  ) -> [BackupDamage] {
    var damage: [BackupDamage] = []
    let root = place.path
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

  /// What a restore finds: the backup is restored into an empty state directory.
  private func restoration(of manifest: BackupManifest, in place: BackupPlace) -> [BackupDamage] {
    guard manifest.hasSnapshot else { return [] }
    progress.begin("restoring the backup for proof")
    do {
      try RestoreProof(state: proofs.proof(of: manifest.id)).run(of: place, made: manifest.createdAt) { _ in }
      return []
    } catch let damage as BackupDamage {
      return [damage]
    } catch {
      return [.snapshot("\(error)")]
    }
  }

  /// Reads every archive to its end.
  private func archives(of manifest: BackupManifest, in place: BackupPlace) -> [BackupDamage] {
    var damage: [BackupDamage] = []
    let root = place.path
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
