import FlowCommandKit
import FlowControl
import Testing
import TradeCommands

@testable import FlowOperations

extension PersonalName.Kind {
  fileprivate static let customer = PersonalName.Kind(rawValue: "customer")
}

struct RedactionTests {
  private static let catalogue = CommandCatalogue.every

  @Test func `names become placeholders, longer names first`() {
    let redaction = Redaction(
      Self.catalogue, [("Ann", "customer-1"), ("Ann Lee", "customer-2"), ("desert-blue", "team-1")])
    #expect(redaction.redacted("Ann Lee and Ann of desert-blue") == "customer-2 and customer-1 of team-1")
  }

  @Test func `a name is replaced only as a whole word, case-insensitively`() {
    let redaction = Redaction(
      Self.catalogue,
      [
        ("all", "technician-1"), ("csv", "team-1"), ("Steve", "technician-2"), ("O'Brien \"Q\" \\ Sons", "customer-1"),
        ("team", "technician-3"),
      ])
    let text =
      "steve, STEVE's --all --without-all steven esc.csv call small /srv/csv/x.csv; o'brien \"q\" \\ sons all. "
      + "team"
    let shown =
      "technician-2, technician-2's --all --without-all steven esc.csv call small /srv/team-1/x.csv; customer-1 "
      + "technician-1. technician-3"
    #expect(redaction.redacted(text) == shown)
  }

  @Test func `a quotation is kept if it is a path, a placeholder or an allowed word`() {
    var redaction = Redaction(Self.catalogue)
    redaction.word(for: "desert-blue", .team)
    redaction.word(for: "Vera \"V\" Cruz", .customer)
    redaction.addSafeWord("drop")
    #expect(
      redaction.sentence("'drop' of 'desert-blue': 'Gone Forever' in '/home/anna/x', not vera \"v\" cruz's team's")
        == "'drop' of 'team-1': '…' in '/home/user/x', not customer-2's team's")
  }

  @Test func `a value is replaced before encoding, according to its field`() throws {
    struct Line: Encodable {
      let team: String
      let job: String
      let id: String
      let set_by: String
      let note: String
      let message: String
    }
    var redaction = Redaction(Self.catalogue)
    redaction.word(for: "Vera \"V\" \\ Cruz", .customer)
    let text = try redaction.document(
      Line(
        team: "gone-forever", job: "reminder-call-zelda", id: "20260302T140000Z-reminder-call-zelda-17-f3a91c02-t3",
        set_by: "zelda (uid 1000)", note: "Zelda is ill", message: "no pool of Vera \"V\" \\ Cruz, gone-forever")
    ).line()
    #expect(
      text
        == #"{"id":"20260302T140000Z-reminder-2-17-f3a91c02-t3","job":"reminder-2","message":"no pool of customer-1, "#
        + #"team-4","note":"…","set_by":"user-3 (uid 1000)","team":"team-4"}"#)
  }

  @Test(arguments: [
    ("pool remove 'Gone Forever' --team desert-blue", "pool remove … --team team-1"),
    ("technician remove 'Zelda' --team north", "technician remove … --team team-2"),
    ("team remove barn", "team remove team-2"), ("team rename barn stall", "team rename team-2 team-3"),
    ("team set Desert-Blue language=es morning-time=06:30", "team set team-1 language=es morning-time=06:30"),
    ("horse add 'Star' --team barn --owner --am-grain", "horse add … --team team-2 --owner --am-grain"),  // Stables
    (
      "visit log 'sean o'brien' --team desert-blue --at 2026-03-02 --ph 7.4 --temp 84F --dose all",
      "visit log … --team team-1 --at 2026-03-02 --ph 7.4 --temp 84F --dose all"
    ),
    ("pool set 'Steve' --team desert-blue --gate --phone", "pool set … --team team-1 --gate --phone"),
    ("pool set 'A \\ \"B\" 4711' --team desert-blue", "pool set … --team team-1"),
    ("outbox discard --all --sink drop", "outbox discard --all --sink drop"),
    (
      "outbox retry --state dead --all --since 2026-03-02T00:00:00Z",
      "outbox retry --state dead --all --since 2026-03-02T00:00:00Z"
    ),
    ("publish rotate --team desert-blue --technician Zelda Moon", "publish rotate --team team-1 --technician …"),
    ("run morning-summary --team desert-blue", "run morning-summary --team team-1"),
    ("run reminder-zelda --team desert-blue --at 480-555-0100", "run reminder-2 --team team-1 --at …"),
    ("import 'zelda.zip' --team desert-blue --technician 'Zelda'", "import … --team team-1 --technician …"),
    ("feed mark Star am --team barn --date 2026-03-02", "feed mark … am --team team-2 --date 2026-03-02"),  // Stables
    ("team plan barn trial --until 2026-03-02", "team plan team-2 trial --until 2026-03-02"),
    ("care log 'Star' farrier --team barn --due none", "care log … farrier --team team-2 --due none"),  // Stables
    ("skip morning-summary --team barn --count 3", "skip morning-summary --team team-2 --count 3"),
    ("route move 'Vera' --team barn --place 3", "route move … --team team-2 --place 3"),
    ("backup create --notes call 480", "backup create --notes …"),
    ("Zelda was here", "…"),
  ]) func `an audit line keeps the command's words, enum values and numbers`(
    line: String, shown: String
  ) {
    var redaction = Redaction(Self.catalogue)
    redaction.word(for: "desert-blue", .team)
    for word in ["drop", "morning-summary"] { redaction.addSafeWord(word) }
    #expect(redaction.command(line) == shown)
  }

  @Test func `every audited call is named as its command, so that its line in a bug report is recognised`() {
    let paths = Set(Self.catalogue.descriptions.map(\.path))
    let commands = Self.catalogue.interfaces.methods.compactMap { $0.auditRedaction?.command }
    #expect(!commands.isEmpty && commands.filter { !paths.contains($0) } == [])
  }

  @Test(arguments: [
    ("call +1-480-555-0100 now", "call [phone] now"), ("write to a.b@example.org today", "write to [e-mail] today"),
    ("12345678901 bytes at 2026-03-02T07:00:00Z", "12345678901 bytes at 2026-03-02T07:00:00Z"),
  ])
  func `addresses and telephone numbers are removed, other numbers stay`(text: String, shown: String) {
    #expect(Redaction.withoutContacts(text) == shown)
  }
}
