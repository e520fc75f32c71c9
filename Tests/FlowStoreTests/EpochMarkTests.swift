import FlowModel
import FlowPlatform
import FlowStore
import FlowTestKit
import Testing

/// Detection of a store that was restored from a copy, by the epoch file beside it.
struct EpochMarkTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: Engine.all)
  func `a store with a lower epoch than its mark file was restored from a copy`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    #expect(try await store.isOlder(than: EpochMark(epoch: 0, hasEnded: false)) == false)
    #expect(try await store.isOlder(than: EpochMark(epoch: 1, hasEnded: false)))
    try await store.endEpoch(at: now)
    let second = try engine.open(folder.path, now)
    #expect(try await second.isOlder(than: EpochMark(epoch: 1, hasEnded: true)) == false)
    #expect(try await second.isOlder(than: EpochMark(epoch: 1, hasEnded: false)) == false)
    // The second process ended and its mark says so; this copy was made while it ran.
    let third = try engine.open(folder.path, now)
    #expect(try await third.isOlder(than: EpochMark(epoch: 2, hasEnded: true)))
    #expect(try await third.isOlder(than: EpochMark(epoch: 2, hasEnded: false)) == false)
  }

  @Test func `an epoch mark is read back as written, and an invalid file reads as nil`() throws {
    let path = folder.path + "/life"
    #expect(EpochMark(path: path) == nil)
    for mark in [EpochMark(epoch: 7, hasEnded: false), EpochMark(epoch: 8, hasEnded: true)] {
      try mark.write(to: path)
      #expect(EpochMark(path: path) == mark)
    }
  }
}
