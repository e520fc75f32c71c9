import FlowModel
import Testing

/// Sets of partitions of a store's teams.
@Suite struct PartitionSetTests {
  @Test func `all partitions are sixty-four, and the server's own is the first`() {
    #expect(PartitionSet.count == 64 && PartitionSet.all.count == 64 && PartitionSet.all.partitions == Array(0..<64))
    #expect(PartitionSet.none.isEmpty && PartitionSet.none.count == 0 && PartitionSet.none.partitions == [])
    #expect(!PartitionSet.all.isEmpty && !PartitionSet.ofServer.isEmpty)
    #expect(PartitionSet.ofServer.partitions == [0] && PartitionSet.ofServer == PartitionSet(of: nil))
  }

  @Test func `a set contains exactly its members`() {
    for partition in 0..<64 {
      let one = PartitionSet(partition: partition)
      #expect(one.partitions == [partition] && one.count == 1 && one.bits == UInt64(1) << UInt64(partition))
      #expect(one == PartitionSet([partition]) && one == PartitionSet(list: "\(partition)"))
      #expect((0..<64).filter { one.contains($0) } == [partition])
    }
    #expect(PartitionSet([63, 0, 17, 0]).partitions == [0, 17, 63])
    // Numbers out of range and text that is no number are ignored.
    #expect(PartitionSet([-1, 5, 64, 1_000]).partitions == [5])
    #expect(PartitionSet(list: "3,x,,64,-2,12").partitions == [3, 12])
    #expect(PartitionSet(list: nil) == .none && PartitionSet([Int]()) == .none)
  }

  @Test func `a team's partition is its number modulo sixty-four`() {
    for (number, partition) in [(1, 1), (63, 63), (64, 0), (65, 1), (130, 2), (1_000_000_007, 7)] {
      let team = TeamID(Int64(number))
      #expect(PartitionSet.partition(of: team) == partition && PartitionSet(of: team).partitions == [partition])
      #expect(
        PartitionSet([partition]).contains(team: team)
          && !(PartitionSet.all - PartitionSet(partition: partition)).contains(team: team))
    }
    #expect(PartitionSet.partition(of: nil) == 0 && PartitionSet.ofServer.contains(team: nil))
    #expect(!PartitionSet(partition: 1).contains(team: nil))
  }

  @Test func `sets have union, difference and intersection`() {
    let (low, high) = (PartitionSet(0..<40), PartitionSet(20..<64))
    #expect((low + high) == .all)
    #expect((low - high) == PartitionSet(0..<20) && (high - low) == PartitionSet(40..<64))
    #expect((low & high) == PartitionSet(20..<40))
    #expect(low.isSuperset(of: PartitionSet([0, 39])) && low.isSuperset(of: low) && low.isSuperset(of: .none))
    #expect(
      !low.isSuperset(of: PartitionSet([39, 40])) && !PartitionSet.none.isSuperset(of: PartitionSet(partition: 0)))
    #expect(high.first(3).partitions == [20, 21, 22] && high.first(0) == .none && high.first(100) == high)
  }

  @Test(arguments: [
    ([], ""), ([0], "0"), ([63], "63"), ([0, 1], "0-1"), ([0, 2], "0, 2"), (Array(0...20) + [63], "0-20, 63"),
    ([1, 2, 3, 5, 7, 8], "1-3, 5, 7-8"), (Array(0..<64), "0-63"),
  ])
  func `a partition set is printed as ranges`(partitions: [Int], words: String) {
    #expect(PartitionSet(partitions).description == words)
  }
}
