import FlowModel
import FlowPlatform
import FlowStore

/// Verifies a backup and reports all damage, without changing the backup.
package struct BackupVerifier: Sendable {
  private let folder: BackupFolder
  private let trades: BackupTrades
  private let testRestores: BackupFolder
  private let progress: WorkProgress

  /// - Parameter testRestores: the folder for test restores; nil for the folder of the backups itself.
  package init(
    folder: BackupFolder, trades: BackupTrades, testRestores: BackupFolder? = nil,
    progress: WorkProgress = WorkProgress()
  ) {
    self.folder = folder
    self.trades = trades
    self.testRestores = testRestores ?? folder
    self.progress = progress
  }

  /// Verifies a backup.
  ///
  /// - Parameters:
  ///   - recorded: the manifest's SHA-256 as recorded in the store; nil if the store does not know the backup. A different manifest is
  ///     damage.
  ///   - full: true to also restore the backup into an empty state directory and read every archive.
  /// - Returns: every damage found; empty if the backup is undamaged.
  package func damage(to id: String, recorded: String?, full: Bool) -> [BackupDamage] {
    let location = folder.location(id)
    let manifest: BackupManifest
    do throws(BackupDamage) { manifest = try self.manifest(of: location, recorded: recorded) } catch { return [error] }
    var damage = fileDamage(of: manifest.files, in: location, all: manifest)
    if full, damage.isEmpty {
      damage = testRestoreDamage(of: manifest, in: location) + archives(of: manifest, in: location)
    }
    return damage
  }

  /// Verifies everything but the snapshot, for a caller that copies the snapshot and verifies the copy.
  func damageExceptSnapshot(
    of location: BackupLocation, recorded: String?
  ) -> (manifest: BackupManifest?, damage: [BackupDamage]) {
    let manifest: BackupManifest
    do throws(BackupDamage) {
      manifest = try self.manifest(of: location, recorded: recorded)
    } catch {
      return (nil, [error])
    }
    let others = manifest.files.filter { $0.name != BackupManifest.snapshotName }
    return (manifest, fileDamage(of: others, in: location, all: manifest))
  }

  private func manifest(of location: BackupLocation, recorded: String?) throws(BackupDamage) -> BackupManifest {
    let found = try location.manifest()
    if let recorded, recorded != found.sum.sha256 { throw .otherThanRecorded }
    try compareChecksumFile(location, found.sum)
    return found.manifest
  }

  /// Compares the checksum file with the manifest.
  private func compareChecksumFile(_ location: BackupLocation, _ sum: FileSum) throws(BackupDamage) {
    let wanted = Array(BackupManifest.sumLine(sum).utf8)
    let found: [UInt8]
    do {
      found = try PrivateFiles.bytes("\(location.path)/\(BackupManifest.sumName)", limit: 4_096)
    } catch {
      throw .unreadable("\(error)")
    }
    guard found == wanted else { throw .wrongSum(BackupManifest.fileName) }
  }

  /// Verifies these files by size and SHA-256, and reports files that the manifest does not list.
  private func fileDamage(
    of files: [BackupManifest.File], in location: BackupLocation, all manifest: BackupManifest
  ) -> [BackupDamage] {
    var damage: [BackupDamage] = []
    let root = location.path
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

  /// Returns the difference between a file and its entry in the manifest; nil if there is none.
  static func difference(of sum: FileSum, to file: BackupManifest.File) -> BackupDamage? {
    if sum.bytes != file.bytes { return .wrongSize(file.name, found: sum.bytes, wanted: file.bytes) }
    return sum.sha256 == file.sha256 ? nil : .wrongSum(file.name)
  }

  /// Restores the backup into an empty state directory and reports the damage that this finds.
  private func testRestoreDamage(of manifest: BackupManifest, in location: BackupLocation) -> [BackupDamage] {
    guard manifest.hasSnapshot else { return [] }
    progress.begin("restoring the backup for proof")
    do {
      let testRestore = TestRestore(state: testRestores.testRestoreFolder(of: manifest.id), trades: trades)
      try testRestore.run(of: location, made: manifest.createdAt) { _ in }
      return []
    } catch let damage as BackupDamage {
      return [damage]
    } catch {
      return [.snapshot("\(error)")]
    }
  }

  /// Reads every archive completely and compares its counts with the manifest.
  private func archives(of manifest: BackupManifest, in location: BackupLocation) -> [BackupDamage] {
    var damage: [BackupDamage] = []
    let root = location.path
    progress.begin("reading the archives", of: manifest.archives.count)
    for archive in manifest.archives {
      defer { progress.add(1) }
      do throws(BackupDamage) {
        try trades.archives(with: archive).verify(archive, at: "\(root)/\(archive.name)")
      } catch {
        damage.append(error)
      }
    }
    return damage
  }
}
