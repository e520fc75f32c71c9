import Testing

@testable import PoolCommands

struct RedactionTests {
  @Test func `names become words, longer ones first`() {
    let redaction = Redaction([("Ann", "customer-1"), ("Ann Lee", "customer-2"), ("desert-blue", "team-1")])
    #expect(redaction.redacted("Ann Lee and Ann of desert-blue") == "customer-2 and customer-1 of team-1")
  }

  @Test(arguments: [
    ("call +1-480-555-0100 now", "call [phone] now"), ("write to a.b@example.org today", "write to [e-mail] today"),
    ("12345678901 bytes at 2026-03-02T07:00:00Z", "12345678901 bytes at 2026-03-02T07:00:00Z"),
  ])
  func `what looks like a way to reach somebody goes, numbers stay`(text: String, shown: String) {
    #expect(Redaction.withoutContacts(text) == shown)
  }
}
