import PoolModel
import PoolPlatform
import PoolStore
import PoolTestKit
import Testing

/// What tells a store that was put back from a copy.
struct LifeMarkTests {
  private let folder: TemporaryFolder
  private let now = Samples.mondayMorning

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> Store { try Store(path: folder.path + "/poolflow.db", now: now, version: "test") }

  @Test func `a store that has seen less than the mark beside it was put back from a copy`() async throws {
    let store = try open()
    #expect(try await store.isOlder(than: LifeMark(epoch: 0, hasEnded: false)) == false)
    #expect(try await store.isOlder(than: LifeMark(epoch: 1, hasEnded: false)))
    try await store.endEpoch(at: now)
    let second = try open()
    #expect(try await second.isOlder(than: LifeMark(epoch: 1, hasEnded: true)) == false)
    #expect(try await second.isOlder(than: LifeMark(epoch: 1, hasEnded: false)) == false)
    // The second life ended, its mark says so, and this copy was made while it lived.
    let third = try open()
    #expect(try await third.isOlder(than: LifeMark(epoch: 2, hasEnded: true)))
    #expect(try await third.isOlder(than: LifeMark(epoch: 2, hasEnded: false)) == false)
  }

  @Test func `a mark is read as it was written, and what is none is nothing`() throws {
    let path = folder.path + "/life"
    #expect(LifeMark(path: path) == nil)
    for mark in [LifeMark(epoch: 7, hasEnded: false), LifeMark(epoch: 8, hasEnded: true)] {
      try mark.write(to: path)
      #expect(LifeMark(path: path) == mark)
    }
  }
}
