import FlowModel
import FlowPlatform
import Foundation
import PoolBackup
import PoolInterchange
import PoolModel
import Testing

struct BackupExpectation: Decodable, Sendable {
  struct Restored: Decodable, Equatable {
    var pools: Int
    var serviceEvents: Int
    var chemicalDoses: Int
    var inventoryItems: Int
    var customerProfiles: Int
    var equipment: Int
  }
  struct Photo: Decodable, Equatable {
    var serviceEventID: String
    var bytes: Int
    var sha256: String
  }
  enum Value: Decodable, Equatable {
    case number(Int)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let number = try? container.decode(Int.self) {
        self = .number(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }
  var schemaVersion: Int?
  var restored: Restored?
  var equipmentSkipped: Int?
  var photos: [Photo]?
  var error: String?
  var value: Value?
}

/// The archives of `fixtures.json`.
struct ArchiveFixtureTests {
  @Test(arguments: FixtureFile.all.filter { $0.kind == "backup" })
  func `an archive is read or refused as the fixtures say`(_ file: FixtureFile) throws {
    let expected = try #require(file.backup)
    let contents: ArchiveContents
    let zip: ZIPArchive
    do {
      zip = try ZIPArchive(path: Fixtures.url("files/\(file.file)").path)
      contents = try ArchiveReader.read(ZIPMembers(zip))
      // Photos are read during the import; damage in them also refuses the archive.
      for photo in contents.photoNames { _ = try photoBytes(photo, zip) }
    } catch let error as ArchiveError {
      #expect(word(error) == expected.error, "\(error)")
      #expect(detail(error) == expected.value)
      return
    } catch let error as ZIPError {
      #expect(expected.error == "unreadableArchive", "\(error)")
      #expect(!error.isAboutTheFile)
      return
    }
    #expect(expected.error == nil)
    #expect(contents.manifest.schemaVersion == expected.schemaVersion)
    #expect(
      BackupExpectation.Restored(
        pools: contents.pools.count, serviceEvents: contents.serviceEvents.count,
        chemicalDoses: contents.chemicalDoses.count, inventoryItems: contents.inventory.count,
        customerProfiles: contents.profiles.count, equipment: contents.equipment.count) == expected.restored)
    #expect(contents.equipmentSkipped == expected.equipmentSkipped)
    let photos = try contents.photoNames.map { photo in
      let bytes = try photoBytes(photo, zip)
      return BackupExpectation.Photo(
        serviceEventID: photo.eventID.description, bytes: bytes.count, sha256: SHA256.hex(of: bytes))
    }
    #expect(photos.sorted { $0.serviceEventID < $1.serviceEventID } == expected.photos)
    #expect(contents.serviceEvents.count(where: { $0.photoFileName != nil }) == photos.count)
  }

  @Test func `archives that differ only in format contain the same data`() throws {
    let stored = try Fixtures.open("v2-stored.zip")
    for name in ["v2-deflated.zip", "v2-data-descriptors.zip", "v2-comment.zip", "v2-lowercase-references.zip"] {
      let other = try Fixtures.open(name)
      #expect(other.pools == stored.pools, "\(name)")
      #expect(other.serviceEvents == stored.serviceEvents, "\(name)")
      #expect(other.chemicalDoses == stored.chemicalDoses, "\(name)")
      #expect(other.inventory == stored.inventory, "\(name)")
      #expect(other.profiles == stored.profiles, "\(name)")
      #expect(other.equipment == stored.equipment, "\(name)")
    }
  }

  @Test func `members left out of an archive are reported`() throws {
    #expect(try Fixtures.open("v2-stored.zip").warnings == [])
    #expect(
      try Fixtures.open("v2-extra-files.zip").warnings == [
        .foreign(name: "README.txt"), .foreign(name: "__MACOSX/._pools.json"),
      ])
    let visit = try #require(ServiceEventID("4B6D24B7-6E00-4329-9479-B7E5CF6C4C4C"))
    #expect(try Fixtures.open("v2-photo-missing.zip").warnings == [.photoMissing(visit)])
    #expect(
      try Fixtures.open("v2-equipment-missing-pool.zip").warnings == [
        .equipmentOfNoPool(1, of: 3)
      ])
    #expect(
      try Fixtures.open("v2-no-equipment-file.zip").warnings == [
        .countDiffers(name: "equipment", claimed: 3, found: 0)
      ])
  }

  @Test func `an orphan is named with its file, its id and the missing record`() throws {
    #expect {
      try Fixtures.open("orphan-dose.zip")
    } throws: { error in
      guard case .invalidReference(let dangling, let total)? = error as? ArchiveError else { return false }
      return total == dangling.count && dangling.contains { $0.file == "chemical_doses.json" }
        && "\(error)".contains("chemical_doses.json: ")
    }
  }

  @Test func `the records are written with exactly the app's bytes`() throws {
    for name in ["v2-stored.zip", "v2-empty.zip", "v2-photos-stored.zip"] {
      let zip = try ZIPArchive(path: Fixtures.url("files/\(name)").path)
      let contents = try ArchiveReader.read(ZIPMembers(zip))
      let members = ArchiveWriter.members(of: contents).map { (name: $0.name, bytes: $0.bytes()) }
      #expect(members.map(\.name) == zip.entries.filter { !$0.isFolder && !$0.name.hasPrefix("media") }.map(\.name))
      for (member, bytes) in members {
        let original = try zip.read(try #require(zip.file(named: member)), limit: 1 << 20)
        #expect(
          String(decoding: bytes, as: UTF8.self) == String(decoding: original, as: UTF8.self), "\(name) \(member)")
      }
    }
  }

  private func photoBytes(_ photo: ArchivePhotoName, _ zip: ZIPArchive) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try zip.extract(try #require(zip.file(named: photo.memberName))) { bytes.append(contentsOf: $0) }
    return bytes
  }

  private func word(_ error: ArchiveError) -> String {
    switch error {
    case .missingManifest: "missingManifest"
    case .unsupportedSchemaVersion: "unsupportedSchemaVersion"
    case .missingRequiredFile: "missingRequiredFile"
    case .invalidReference: "invalidReference"
    case .unreadableArchive: "unreadableArchive"
    }
  }

  private func detail(_ error: ArchiveError) -> BackupExpectation.Value? {
    switch error {
    case .unsupportedSchemaVersion(let version): .number(version)
    case .missingRequiredFile(let name): .text(name)
    default: nil
    }
  }
}
