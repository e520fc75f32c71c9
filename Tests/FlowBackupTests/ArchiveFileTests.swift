import FlowBackup
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import PoolInterchange
import PoolModel
import Testing

@testable import FlowStore
@testable import PoolBackup
@testable import PoolStore

extension OpenArchive {
  /// Stores each visit's photo in `directory`, which must exist, as a restore does.
  fileprivate func extractPhotos(into directory: String) throws -> [PhotoFile] {
    guard !contents.photoNames.isEmpty else { return [] }
    let staged = try Self.stagePhotos(of: [self], in: try PhotoFolder(path: directory))
    try staged.keep()
    return staged.files
  }
}

/// Archives on disk: records, photos extracted to files, and refused archives that change nothing.
struct ArchiveFileTests {
  private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("PoolInterchangeTests/Fixtures/files")

  private func open(_ name: String) throws -> OpenArchive {
    try ArchiveFile.open(path: Self.fixtures.appendingPathComponent(name).path)
  }

  /// Runs `body` with an empty folder and returns the files left in it.
  private func files(_ body: (String) throws -> Void) throws -> [String] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record("\(error)") }
    }
    try body(folder)
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test(arguments: ["v2-photos-stored.zip", "v2-photos-deflated.zip"])
  func `photos are extracted under their visit's id, complete and private`(_ name: String) throws {
    let archive = try open(name)
    let left = try files { folder in
      for _ in 0..<2 {
        let photos = try archive.extractPhotos(into: folder)
        #expect(photos.map(\.record) == archive.contents.photoNames.map(\.eventID.uuid))
        #expect(Set(photos.map(\.bytes)) == [1_295, 1_364, 826])
        for photo in photos {
          let path = "\(folder)/\(photo.fileName)"
          #expect(SHA256.hex(of: Array(try Data(contentsOf: URL(fileURLWithPath: path)))) == photo.sha256)
          let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
          #expect(mode == 0o600)
        }
      }
    }
    #expect(
      left == [
        "39B33FB4-53BD-4A36-9C2A-7495069C6B94.bin", "4B6D24B7-6E00-4329-9479-B7E5CF6C4C4C.bin",
        "E0D4C20A-7A88-4370-9055-BA0E10108622.bin",
      ])
  }

  @Test func `a damaged photo leaves no file, not even the intact ones before it`() throws {
    var bytes = Array(try Data(contentsOf: Self.fixtures.appendingPathComponent("v2-photos-stored.zip")))
    // The last photo's data ends where the central directory begins.
    let directory = bytes.suffix(22).dropFirst(16).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    bytes[directory - 1] ^= 1
    let left = try files { folder in
      let path = "\(folder)/damaged.zip"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      let archive = try ArchiveFile.open(path: path)
      #expect(archive.contents.photoNames.count == 3)
      #expect {
        try archive.extractPhotos(into: folder)
      } throws: { error in
        guard case .unreadableArchive(.container)? = error as? ArchiveError else { return false }
        return true
      }
    }
    #expect(left == ["damaged.zip"])
  }

  @Test func `an archive with a pin before other profiles reads back as the same records`() throws {
    let pools = [Samples.pool(1), Samples.pool(2)]
    var pinned = CustomerProfile.blank(pools[0].id)
    pinned.pin = 2
    var other = CustomerProfile.blank(pools[1].id)
    other.contactName = "Bea Senior"
    let records = RecordSet(pools: pools, profiles: [pinned, other])
    let left = try files { folder in
      let archive = TeamArchive(photoFolder: folder, version: "test", now: Samples.mondayMorning)
      _ = try archive.write(
        ArchivePartRecords(records: records, photos: [], dosesWithoutStock: 0), to: folder + "/small.zip", name: "small"
      )
      let contents = try ArchiveFile.open(path: folder + "/small.zip").contents
      #expect(Set(contents.profiles) == [pinned, other])
    }
    #expect(left == ["small.zip"])
  }

  @Test func `a missing folder is reported by name`() throws {
    #expect {
      try open("v2-photos-stored.zip").extractPhotos(into: "/nonexistent")
    } throws: { error in
      "\(error)" == "cannot open '/nonexistent': No such file or directory"
    }
    #expect(try open("v2-empty.zip").extractPhotos(into: "/nonexistent").isEmpty)
  }

  @Test func `an invalid archive gives an archive error, a missing file a file error`() {
    #expect(throws: ArchiveError.unreadableArchive(.container(ZIPError.notAZIP.description))) {
      try open("empty-file.zip")
    }
    #expect(throws: ArchiveError.missingManifest) { try open("missing-manifest.zip") }
    #expect {
      try open("none.zip")
    } throws: { error in
      (error as? ZIPError)?.isAboutTheFile == true
    }
  }
}
