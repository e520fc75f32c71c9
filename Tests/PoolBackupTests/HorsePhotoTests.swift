import Foundation
import PoolBackup
import PoolModel
import PoolPlatform
import PoolStore
import PoolTestKit
import Testing

/// What becomes of a horse's staged photo at the start after a crash.
struct HorsePhotoTests {
  private let folder: TemporaryFolder
  private let horse = Samples.uuid(1)

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/1/\(name)"))
  }

  /// - Parameters:
  ///   - mark: the change that was under way; nil where one photo was set by itself.
  ///   - made: the last one that the store knows.
  @Test(
    arguments: [
      (nil, nil, "new"), ("c1", "c1", "new"), ("c1", "c0", "old"), ("c1", nil, "old"), ("", "c0", "old"),
    ] as [(String?, String?, String)])
  func `it takes the old one's place where its change was made, and goes where it was not`(
    mark: String?, made: String?, wanted: String
  ) async throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/1", withIntermediateDirectories: true)
    try write("old", "\(horse).bin")
    try write("new", ".\(horse).bin.partial")
    try write("gone", "\(Samples.uuid(2)).bin")
    if let mark { try write(mark, ".unsettled") }
    let strayed = try await PhotoStore(folder: folder.path).recover { _ in
      ([:], [horse], made.map { PhotoChange(name: $0) })
    }
    #expect(strayed.isEmpty)
    let photo = try String(contentsOf: URL(filePath: "\(folder.path)/1/\(horse).bin"), encoding: .utf8)
    #expect(photo == wanted)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/1")
    #expect(!names.contains { $0.hasPrefix(".") }, "\(names)")
    #expect(names.count == (mark == nil ? 2 : 1), "what no record names goes with a change: \(names)")
  }
}
