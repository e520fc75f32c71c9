import FlowBackup
import FlowModel
import FlowPlatform
import FlowTestKit
import Foundation
import Testing
import TradeBackups

/// A backup of four KiB, with every bit flipped and truncated at every length.
struct BackupDamageTests {
  private let scratch: TemporaryFolder
  private let folder: BackupFolder
  private let id = "20260302T021500Z"
  private let sum: FileSum
  private let files: [String: [UInt8]]

  init() throws {
    scratch = try TemporaryFolder()
    folder = BackupFolder(path: scratch.path + "/backups")
    try folder.prepare()
    let root = folder.folder(id)
    try PrivateFiles.makeFolder(root)
    var numbers = SeededNumbers(seed: 10)
    let content = (0..<3_000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    let snapshot = try PrivateFiles.write("\(root)/poolflow.db", content)
    let manifest = BackupManifest(
      id: id, createdAt: Timestamp(seconds: 1_772_417_700), reason: "test", version: "test", install: "0a1b2c3d",
      schema: 1, rows: ["pools": 3], weekSHA256: snapshot.sha256, archives: [],
      files: [BackupManifest.File(name: "poolflow.db", bytes: snapshot.bytes, sha256: snapshot.sha256)])
    sum = try PrivateFiles.write("\(root)/manifest.json", try manifest.encoded())
    try PrivateFiles.write("\(root)/manifest.json.sha256", Array("\(sum.sha256)  manifest.json\n".utf8))
    files = try BackupStand.files(below: root).mapValues { Array($0) }
  }

  private func isWhole(recorded: String?) -> Bool {
    BackupVerifier(folder: folder).damage(to: id, recorded: recorded, full: false).isEmpty
  }

  @Test(arguments: ["poolflow.db", "manifest.json", "manifest.json.sha256"])
  func `every flipped bit and every truncation is detected`(name: String) throws {
    let total = files.values.map(\.count).reduce(0, +)
    #expect((3_500...4_300).contains(total), "it is \(total) bytes")
    #expect(isWhole(recorded: nil) && isWhole(recorded: sum.sha256))
    let path = "\(folder.folder(id))/\(name)"
    let whole = try #require(files[name])
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    defer { try? handle.close() }
    var missed: [String] = []
    for offset in whole.indices {
      for bit in 0..<8 {
        try handle.seek(toOffset: UInt64(offset))
        try handle.write(contentsOf: [whole[offset] ^ (1 << UInt8(bit))])
        if isWhole(recorded: nil) { missed.append("bit \(bit) of byte \(offset)") }
      }
      try handle.seek(toOffset: UInt64(offset))
      try handle.write(contentsOf: [whole[offset]])
    }
    #expect(isWhole(recorded: sum.sha256), "the last byte is back")
    for length in whole.indices.reversed() {
      try handle.truncate(atOffset: UInt64(length))
      if isWhole(recorded: nil) { missed.append("cut to \(length)") }
    }
    #expect(missed == [])
  }

  @Test func `a manifest with a consistent but different checksum is not the recorded one`() throws {
    #expect(!isWhole(recorded: String(repeating: "0", count: 64)))
  }

  @Test func `an extra and a missing file are named`() throws {
    let root = folder.folder(id)
    try PrivateFiles.write("\(root)/notes.txt", [1])
    #expect(BackupVerifier(folder: folder).damage(to: id, recorded: nil, full: false) == [.extra("notes.txt")])
    try PrivateFiles.removeTree("\(root)/notes.txt")
    try PrivateFiles.removeTree("\(root)/poolflow.db")
    #expect(BackupVerifier(folder: folder).damage(to: id, recorded: nil, full: false) == [.missing("poolflow.db")])
  }
}
