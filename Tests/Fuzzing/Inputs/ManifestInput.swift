import FlowBackup

/// Bytes as a backup's manifest.
enum ManifestInput {
  static func check(_ bytes: [UInt8], _ limit: TimeLimit) throws(BrokenLaw) {
    let promise: Duration = .milliseconds(2) + .nanoseconds(1_000 * bytes.count)
    let read: Result<BackupManifest, BackupDamage> = try limit.call("reading", promise) {
      do throws(BackupDamage) { return .success(try BackupManifest(bytes)) } catch { return .failure(error) }
    }
    switch read {
    case .failure(let damage):
      try require(!damage.description.isEmpty, "the damage says nothing")
    case .success(let manifest):
      for file in manifest.files {
        let parts = file.name.split(separator: "/", omittingEmptySubsequences: false)
        try require(
          !parts.isEmpty && parts.count <= 2 && !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." },
          "'\(file.name)' leads out of the backup")
      }
      try checkAgain(manifest)
    }
  }

  /// A parsed manifest is written and parsed back unchanged.
  private static func checkAgain(_ manifest: BackupManifest) throws(BrokenLaw) {
    let again: BackupManifest
    do {
      again = try BackupManifest(try manifest.encoded())
    } catch {
      throw BrokenLaw("what was accepted is written and then refused: \(error)")
    }
    try require(again == manifest, "it changes when it is written and read again")
    try require(manifest.bytes >= 0 || manifest.files.contains { $0.bytes < 0 }, "its size overflows")
  }
}
