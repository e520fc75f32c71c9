import FlowModel
import PoolRouting
import Testing

struct DistanceTableTests {
  @Test(arguments: [0.01, 1.0, 90.0])
  func `table distances are within a billionth of a mile of the definition`(reach: Double) throws {
    let seed: UInt64 = 8
    var days = RandomDays(seed: seed)
    func places(_ count: Int) throws -> [Coordinate] {
      try (0..<count).map { _ in
        try Coordinate(
          latitude: reach * (2 * days.factor(0...1) - 1), longitude: 2 * reach * (2 * days.factor(0...1) - 1))
      }
    }
    for (rows, columns) in [(1, 1), (7, 5), (60, 61)] {
      let from = try places(rows)
      let to = try places(columns)
      let table = DistanceTable(from: from, to: to)
      for row in 0..<rows {
        for column in 0..<columns {
          let error = (table[row: row, column: column] - from[row].miles(to: to[column])).magnitude
          #expect(error <= 1e-9, "seed \(seed): \(from[row]) to \(to[column])")
        }
      }
    }
  }

  @Test func `equal and opposite coordinates have the definition's distance`() throws {
    var days = RandomDays(seed: 5)
    var from: [Coordinate] = []
    var to: [Coordinate] = []
    for _ in 0..<200 {
      let latitude = days.factor(-89...89)
      let longitude = days.factor(0...179)
      from.append(try Coordinate(latitude: latitude, longitude: longitude))
      let off = days.factor(-0.001...0.001)
      to.append(try Coordinate(latitude: -latitude + off, longitude: longitude - 180))
    }
    let opposite = DistanceTable(from: from, to: to)
    let equal = DistanceTable(from: from, to: from)
    for row in from.indices {
      #expect((opposite[row: row, column: row] - from[row].miles(to: to[row])).magnitude <= 1e-9)
      #expect(equal[row: row, column: row] == 0)
    }
    let none = DistanceTable(from: from, to: [])
    #expect(none.columns == 0)
  }
}
