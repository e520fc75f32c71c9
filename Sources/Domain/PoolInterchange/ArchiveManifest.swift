package import PoolModel

/// What `manifest.json` says about an archive.
package struct ArchiveManifest: Hashable, Sendable {
  /// 1 or 2; 2 added equipment.
  package var schemaVersion: Int
  /// The version of the app (or of poolflow) that wrote it.
  package var appVersion: String
  package var createdAt: Timestamp
  package var counts: ArchiveCounts

  package init(schemaVersion: Int, appVersion: String, createdAt: Timestamp, counts: ArchiveCounts) {
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

/// Records by kind. A manifest's counts are a claim: the reader compares them and warns, it never trusts them.
package struct ArchiveCounts: Hashable, Sendable {
  package var pools: Int
  package var serviceEvents: Int
  package var chemicalDoses: Int
  package var inventoryItems: Int
  package var customerProfiles: Int
  package var equipment: Int
  package var mediaFiles: Int

  package init(
    pools: Int = 0, serviceEvents: Int = 0, chemicalDoses: Int = 0, inventoryItems: Int = 0, customerProfiles: Int = 0,
    equipment: Int = 0, mediaFiles: Int = 0
  ) {
    self.pools = pools
    self.serviceEvents = serviceEvents
    self.chemicalDoses = chemicalDoses
    self.inventoryItems = inventoryItems
    self.customerProfiles = customerProfiles
    self.equipment = equipment
    self.mediaFiles = mediaFiles
  }

  /// Each count under its name in the manifest, in the order of the alphabet.
  package var byName: [(name: String, count: Int)] {
    [
      ("chemicalDoses", chemicalDoses), ("customerProfiles", customerProfiles), ("equipment", equipment),
      ("inventoryItems", inventoryItems), ("mediaFiles", mediaFiles), ("pools", pools),
      ("serviceEvents", serviceEvents),
    ]
  }
}
