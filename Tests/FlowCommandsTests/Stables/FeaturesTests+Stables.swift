import Testing

extension FeaturesTests {
  /// The number of features in the second app's list.
  private static let ofTheStable = 14

  @Test func `each of the second app's features is on the page once, in order, after the first app's`() throws {
    let rows = try rows()
    let first = rows.filter { !$0.isOfStables }
    #expect(rows.map(\.number) == first.map(\.number) + (1...Self.ofTheStable).map { "S.\($0)" })
  }

  @Test func `a working or replaced feature of the second app names an existing test`() throws {
    try expectTests(of: rows().filter(\.isOfStables))
  }
}
