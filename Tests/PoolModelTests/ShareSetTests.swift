import PoolModel
import Testing

/// Sets of partitions of a store's teams.
@Suite struct ShareSetTests {
  @Test func `all partitions are sixty-four, and the server's own is the first`() {
    #expect(ShareSet.count == 64 && ShareSet.all.count == 64 && ShareSet.all.shares == Array(0..<64))
    #expect(ShareSet.none.isEmpty && ShareSet.none.count == 0 && ShareSet.none.shares == [])
    #expect(!ShareSet.all.isEmpty && !ShareSet.ofServer.isEmpty)
    #expect(ShareSet.ofServer.shares == [0] && ShareSet.ofServer == ShareSet(of: nil))
  }

  @Test func `a set contains exactly its members`() {
    for share in 0..<64 {
      let one = ShareSet(share: share)
      #expect(one.shares == [share] && one.count == 1 && one.bits == UInt64(1) << UInt64(share))
      #expect(one == ShareSet([share]) && one == ShareSet(list: "\(share)"))
      #expect((0..<64).filter { one.contains($0) } == [share])
    }
    #expect(ShareSet([63, 0, 17, 0]).shares == [0, 17, 63])
    // Numbers out of range and text that is no number are ignored.
    #expect(ShareSet([-1, 5, 64, 1_000]).shares == [5])
    #expect(ShareSet(list: "3,x,,64,-2,12").shares == [3, 12])
    #expect(ShareSet(list: nil) == .none && ShareSet([Int]()) == .none)
  }

  @Test func `a team's partition is its number modulo sixty-four`() {
    for (number, share) in [(1, 1), (63, 63), (64, 0), (65, 1), (130, 2), (1_000_000_007, 7)] {
      let team = TeamID(Int64(number))
      #expect(ShareSet.share(of: team) == share && ShareSet(of: team).shares == [share])
      #expect(ShareSet([share]).contains(team: team) && !(ShareSet.all - ShareSet(share: share)).contains(team: team))
    }
    #expect(ShareSet.share(of: nil) == 0 && ShareSet.ofServer.contains(team: nil))
    #expect(!ShareSet(share: 1).contains(team: nil))
  }

  @Test func `sets have union, difference and intersection`() {
    let (low, high) = (ShareSet(0..<40), ShareSet(20..<64))
    #expect((low + high) == .all)
    #expect((low - high) == ShareSet(0..<20) && (high - low) == ShareSet(40..<64))
    #expect((low & high) == ShareSet(20..<40))
    #expect(low.isSuperset(of: ShareSet([0, 39])) && low.isSuperset(of: low) && low.isSuperset(of: .none))
    #expect(!low.isSuperset(of: ShareSet([39, 40])) && !ShareSet.none.isSuperset(of: ShareSet(share: 0)))
    #expect(high.first(3).shares == [20, 21, 22] && high.first(0) == .none && high.first(100) == high)
  }

  @Test(arguments: [
    ([], ""), ([0], "0"), ([63], "63"), ([0, 1], "0-1"), ([0, 2], "0, 2"), (Array(0...20) + [63], "0-20, 63"),
    ([1, 2, 3, 5, 7, 8], "1-3, 5, 7-8"), (Array(0..<64), "0-63"),
  ])
  func `a partition set is printed as ranges`(shares: [Int], words: String) {
    #expect(ShareSet(shares).description == words)
  }
}
