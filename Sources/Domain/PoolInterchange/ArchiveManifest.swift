package import PoolModel

/// What `manifest.json` says about an archive.
package struct ArchiveManifest: Hashable, Sendable {
  /// 1 or 2; 2 added equipment.
  package var schemaVersion: Int
  /// The version of the app (or of poolflow) that wrote it.
  package var appVersion: String
  package var createdAt: Timestamp
  package var counts: RecordCounts

  package init(schemaVersion: Int, appVersion: String, createdAt: Timestamp, counts: RecordCounts) {
    self.schemaVersion = schemaVersion
    self.appVersion = appVersion
    self.createdAt = createdAt
    self.counts = counts
  }

  /// The schemas this reader knows.
  package static let readableVersions = 1...2
  /// The schema `ArchiveWriter` writes.
  package static let writtenVersion = 2
}

/// A manifest's counts are a claim: the reader compares them and warns, it never trusts them.
extension RecordCounts {
  /// Each count under its name in the manifest, in the order of the alphabet.
  package var byName: [(name: String, count: Int)] {
    [
      ("chemicalDoses", chemicalDoses), ("customerProfiles", customerProfiles), ("equipment", equipment),
      ("inventoryItems", inventoryItems), ("mediaFiles", photos), ("pools", pools),
      ("serviceEvents", serviceEvents),
    ]
  }
}
