import FlowControl
import PoolControl
import Testing

struct PoolCallTests {
  @Test func `the audit names notes, phones and gate codes without their values`() {
    let secret = SettingChangeView(key: "gate", value: "4711")
    #expect(
      FieldCall.SetProfile(team: "a", pool: "Nora", changes: [secret]).auditWords
        == "pool set 'Nora' --team a --gate")
    #expect(
      FieldCall.LogVisit(
        team: "a", pool: "Nora", readings: [SettingChangeView(key: "ph", value: "7.4")], dose: .all, measured: [],
        notes: "gate 4711"
      ).auditWords == "visit log 'Nora' --team a --ph 7.4 --dose all")
  }

  @Test func `an error names the missing pool`() {
    #expect(
      ControlError.noSuchPool("Al", team: "desert").message
        == "team desert has no pool 'Al'; `pfctl pool list --team desert` shows them all")
  }

  @Test func `an ambiguous pool lists its matches and what to type`() {
    let few = ControlError.ambiguous(
      .ambiguousPool, "Al", "pools", [("Al (1B2E)", "1"), ("Ali (2C)", "2")], isNamed: true)
    #expect(few.message == "'Al' could be several pools: Al (1B2E), Ali (2C); type more of the name or id")
    #expect(
      few.facts == ["name": "Al", "matches": "1, 2"]
        && InterfaceCatalogue([.flowControl, .poolControl]).exitCode(of: few) == 64)
  }
}
