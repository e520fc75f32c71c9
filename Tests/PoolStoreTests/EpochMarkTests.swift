import PoolModel
import PoolPlatform
import PoolStore
import PoolTestKit
import Testing

/// What tells a store that was put back from a copy.
struct EpochMarkTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: Engine.all)
  func `a store that has seen less than the mark beside it was put back from a copy`(engine: Engine) async throws {
    let store = try engine.open(folder.path, now)
    #expect(try await store.isOlder(than: EpochMark(epoch: 0, hasEnded: false)) == false)
    #expect(try await store.isOlder(than: EpochMark(epoch: 1, hasEnded: false)))
    try await store.endEpoch(at: now)
    let second = try engine.open(folder.path, now)
    #expect(try await second.isOlder(than: EpochMark(epoch: 1, hasEnded: true)) == false)
    #expect(try await second.isOlder(than: EpochMark(epoch: 1, hasEnded: false)) == false)
    // The second life ended, its mark says so, and this copy was made while it lived.
    let third = try engine.open(folder.path, now)
    #expect(try await third.isOlder(than: EpochMark(epoch: 2, hasEnded: true)))
    #expect(try await third.isOlder(than: EpochMark(epoch: 2, hasEnded: false)) == false)
  }

  @Test func `a mark is read as it was written, and what is none is nothing`() throws {
    let path = folder.path + "/life"
    #expect(EpochMark(path: path) == nil)
    for mark in [EpochMark(epoch: 7, hasEnded: false), EpochMark(epoch: 8, hasEnded: true)] {
      try mark.write(to: path)
      #expect(EpochMark(path: path) == mark)
    }
  }
}
