extension StatementTests {
  /// Runs the suites of stables, which call every method of their tables.
  static func stables() async throws {
    try await StableStoreTests().`a horse is added, changed, and removed with its schedule, care and marks`(
      engine: engine)
    try await StableStoreTests().`schedules and templates are stored completely, and a board changes in one step`(
      engine: engine)
    try await StableStoreTests().`care is stored exactly, changed, found by date and removed`(engine: engine)
    try await StableStoreTests().`the newest forecast is stored with its predecessor, and a barn's settings stay`(
      engine: engine)
    try await StableStoreTests().`a list changes horses, feed and care in one step, and swaps names`(engine: engine)
    try await StableStoreTests()
      .`a stable's records are replaced as a whole, and a cleared barn keeps its settings`(engine: engine)
    try await StableStoreTests().`a closed feed day and a blanket advice are committed with their run`(engine: engine)
    try await StableReaderTests().`a reader reads a stable's records`(engine: engine)
    try await StableReaderTests().`a stable has no pools to locate, and is empty until it has a horse`(engine: engine)
  }
}
