import FlowBackup
import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Foundation
import Testing

/// A horse's staged photo after a crash.
struct HorsePhotoTests {
  private let folder: TemporaryFolder
  private let horse = Samples.uuid(1)

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String, _ name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(folder.path)/1/\(name)"))
  }

  /// - Parameters:
  ///   - mark: the change in progress at the crash; nil for a single photo.
  ///   - made: the last change that the store has committed.
  @Test(
    arguments: [
      (nil, nil, "new"), ("c1", "c1", "new"), ("c1", "c0", "old"), ("c1", nil, "old"), ("", "c0", "old"),
    ] as [(String?, String?, String)])
  func `a staged horse photo is kept if its change was committed, else removed`(
    mark: String?, made: String?, wanted: String
  ) async throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/1", withIntermediateDirectories: true)
    try write("old", "\(horse).bin")
    try write("new", ".\(horse).bin.partial")
    try write("gone", "\(Samples.uuid(2)).bin")
    if let mark { try write(mark, ".unsettled") }
    let failed = try await PhotoStore(folder: folder.path).recover { _ in
      (RecordPhotos(unsized: [horse]), made.map { PhotoChange(name: $0) })
    }
    #expect(failed.isEmpty)
    let photo = try String(contentsOf: URL(filePath: "\(folder.path)/1/\(horse).bin"), encoding: .utf8)
    #expect(photo == wanted)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/1")
    #expect(!names.contains { $0.hasPrefix(".") }, "\(names)")
    #expect(names.count == (mark == nil ? 2 : 1), "what no record names goes with a change: \(names)")
  }
}
