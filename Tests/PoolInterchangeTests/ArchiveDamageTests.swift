import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import PoolBackup
import PoolInterchange
import Testing

/// Damage of every kind to a small archive: it is refused, or its contents are read unchanged.
struct ArchiveDamageTests {
  /// The data that an import would store: records and photos, without warnings.
  private struct Data: Equatable {
    var contents: ArchiveContents
    var photos: [[UInt8]]

    init(_ bytes: [UInt8]) throws {
      let zip = try ZIPArchive(bytes: bytes)
      // Verify checksums first: parsing the records of each damaged archive would take far longer.
      for entry in zip.entries { try zip.extract(entry) { _ in } }
      contents = try ArchiveReader.read(ZIPMembers(zip))
      contents.warnings = []
      photos = try contents.photoNames.map { photo in
        struct Gone: Error {}
        guard let entry = zip.file(named: photo.memberName) else { throw Gone() }
        return try zip.read(entry, limit: 1 << 20)
      }
    }
  }

  /// Archives of 3 kB with a pool, a visit with a photo, a dose, an item and a profile; one deflated, one stored.
  static let archives = ["small-deflated.zip", "small-stored.zip"]

  /// The same members packed by Python 3.11 zipfile (one with folders, comment and a second session, one streamed), Info-ZIP
  /// 3.0 (deflated, stored, through a pipe), libarchive 3.6 and Java's jar.
  static let foreign = [
    "small-deflated.zip", "python-folders-comment.zip", "python-streamed.zip", "infozip.zip", "infozip-stored.zip",
    "infozip-piped.zip", "libarchive.zip", "java.zip",
  ]

  @Test(arguments: foreign)
  func `an archive packed by another program reads the same`(_ name: String) throws {
    #expect(try Data(Fixtures.bytes("foreign/\(name)")) == Data(Fixtures.bytes("foreign/small-stored.zip")))
  }

  @Test(arguments: archives)
  func `every flipped bit is refused or changes no data`(_ name: String) throws {
    var bytes = try Fixtures.bytes("foreign/\(name)")
    let original = try Data(bytes)
    #expect(original.photos.count == 1)
    var harmless = 0
    for index in bytes.indices {
      for bit in 0..<8 {
        bytes[index] ^= 1 << bit
        do {
          let data = try Data(bytes)
          harmless += 1
          if data != original { Issue.record("bit \(bit) of byte \(index) changes what is read") }
        } catch is ZIPError {} catch is ArchiveError {}
        bytes[index] ^= 1 << bit
      }
    }
    // Dates, versions and similar fields: some in each header, always a minority.
    #expect(harmless < bytes.count * 8 / 4)
  }

  @Test(arguments: archives)
  func `every truncation is refused`(_ name: String) throws {
    let bytes = try Fixtures.bytes("foreign/\(name)")
    for count in 0..<bytes.count {
      #expect(throws: (any Error).self, "\(count) bytes") { try Data(Array(bytes[..<count])) }
    }
  }

  @Test(arguments: archives)
  func `an inserted or removed byte is refused or changes no data`(_ name: String) throws {
    let bytes = try Fixtures.bytes("foreign/\(name)")
    let original = try Data(bytes)
    for index in bytes.indices {
      var longer = bytes
      longer.insert(0, at: index)
      var shorter = bytes
      shorter.remove(at: index)
      for changed in [longer, shorter] {
        do {
          if try Data(changed) != original { Issue.record("a change at byte \(index) changes what is read") }
        } catch is ZIPError {} catch is ArchiveError {}
      }
    }
  }

  @Test func `random damage in several places is refused or changes no data`() throws {
    var random = SeededNumbers(seed: 20_260_302)
    var refused = 0
    for name in Self.archives {
      let bytes = try Fixtures.bytes("foreign/\(name)")
      for _ in 0..<2_000 {
        var changed = bytes
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let index = Int.random(in: 0..<changed.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: changed[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
          case 1: changed[index] = UInt8.random(in: 0...255, using: &random)
          case 2: changed.replaceSubrange(index..<min(index + 8, changed.count), with: changed.suffix(8))
          default: changed.removeSubrange(index..<min(index + 16, changed.count))
          }
          if changed.isEmpty { break }
        }
        do { _ = try Data(changed) } catch {
          #expect(error is ZIPError || error is ArchiveError, "\(name): \(error)")
          refused += 1
        }
      }
    }
    #expect(refused > 1_000 * Self.archives.count)
  }

  @Test func `random damage to the records is refused or read as valid records`() throws {
    let zip = try ZIPArchive(bytes: Fixtures.bytes("foreign/small-stored.zip"))
    var members: [String: [UInt8]] = [:]
    for entry in zip.entries where !entry.isFolder { members[entry.name] = try zip.read(entry, limit: 1 << 20) }
    let names = members.keys.filter { $0.hasSuffix(".json") }.sorted()
    let tokens = ["{", "}", "[", "]", ",", ":", "\"", "\\", "\\u0000", "null", "1e999", "-", "0", "\u{1}", "\u{FEFF}"]
    var random = SeededNumbers(seed: 7)
    var refused = 0
    for _ in 0..<4_000 {
      var changed = members
      let name = names.randomElement(using: &random) ?? "pools.json"
      var bytes = changed[name] ?? []
      let index = Int.random(in: 0..<bytes.count, using: &random)
      if Bool.random(using: &random) {
        bytes.insert(contentsOf: (tokens.randomElement(using: &random) ?? "").utf8, at: index)
      } else {
        bytes.removeSubrange(index..<min(index + Int.random(in: 1...9, using: &random), bytes.count))
      }
      changed[name] = bytes
      do throws(ArchiveError) { _ = try ArchiveReader.read(ListedMembers(members: changed)) } catch { refused += 1 }
    }
    #expect(refused > 1_000)
  }
}
