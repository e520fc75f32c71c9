package import FlowModel
import PoolModel

/// The contents of `manifest.json`.
package struct ArchiveManifest: Hashable, Sendable {
  /// 1 or 2; version 2 added equipment.
  package var schemaVersion: Int
  /// The version of the program that wrote the archive: the app or poolflow.
  package var appVersion: String
  package var createdAt: Timestamp
  package var counts: RecordCounts

  package init(schemaVersion: Int, appVersion: String, createdAt: Timestamp, counts: RecordCounts) {
    self.schemaVersion = schemaVersion
    self.appVersion = appVersion
    self.createdAt = createdAt
    self.counts = counts
  }

  /// The schema versions that `ArchiveReader` accepts.
  package static let readableVersions = 1...2
  /// The schema version that `ArchiveWriter` writes.
  package static let writtenVersion = 2
}

/// The reader compares a manifest's counts with the records and warns about differences; it never relies on them.
extension RecordCounts {
  /// Each count with its field name in the manifest, in alphabetical order.
  package var byName: [(name: String, count: Int)] {
    [
      ("chemicalDoses", chemicalDoses), ("customerProfiles", customerProfiles), ("equipment", equipment),
      ("inventoryItems", inventoryItems), ("mediaFiles", photos), ("pools", pools),
      ("serviceEvents", serviceEvents),
    ]
  }
}
