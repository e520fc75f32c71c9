import FlowStore
import FlowTestKit
import Testing
import TradeStores

// The fingerprint is that of the schema with all trades.
extension StoreSchemaTests {
  @Test func `the fingerprint equals that of the schema made by the current migrations`() throws {
    let made = try StoreSchema.made(by: Schema.currentVersion).fingerprint
    #expect(made == StoreSchema.currentFingerprint)
    let next = try StoreSchema.made(by: Schema.currentVersion + 1, migrations: Schema.next)
    #expect(next.fingerprint != StoreSchema.currentFingerprint)
  }
}
