import FlowControl
import FlowModel
import Testing

struct ControlErrorTests {
  @Test func `an error names the missing object and a suggestion`() {
    #expect(
      ControlError.noSuchTeam("dsert", suggestion: "desert").message
        == "no team is called 'dsert'; did you mean 'desert'?")
    #expect(
      ControlError.noSuchReminder("Al", team: "desert").message
        == "team desert has no reminder 'Al'; `pfctl reminder list --team desert` shows them all")
    #expect(
      ControlError.badValue(field: "morning-time", value: "25:00", why: "write HH:MM").message
        == "morning-time cannot be '25:00': write HH:MM")
  }

  @Test(arguments: [
    (ControlError.Kind.noSuchTeam, 67 as Int), (.badValue, 64), (.badFile, 65), (.planLimit, 65), (.stopping, 69),
    (.internal, 70), (.teamExists, 73), (.storage, 74), (.busy, 75), (.methodNotFound, 76), (.notPermitted, 77),
  ])
  func `each kind of error has its sysexits exit code`(kind: ControlError.Kind, code: Int) {
    #expect(InterfaceCatalogue([.flowControl]).exitCode(of: ControlError(kind, "")) == Int32(code))
  }

  @Test(arguments: [
    ("staus", "status"), ("lsit", "list"), ("hisotry", "history"), ("simul", "simulate"), ("STATUS", "status"),
  ])
  func `a misspelt word gets the intended one as suggestion`(typed: String, meant: String) {
    #expect(Suggestion.nearest(to: typed, among: ["status", "list", "history", "simulate", "next"]) == meant)
  }

  @Test(arguments: ["", "x", "banana", "zz", "sta-te-of-things"])
  func `a word unlike all others gets no suggestion`(typed: String) {
    #expect(Suggestion.nearest(to: typed, among: ["status", "list", "history"]) == nil)
  }

  @Test func `edit distance counts swapped neighbours as one edit`() {
    func distance(_ left: String, _ right: String) -> Int { Suggestion.distance(Array(left), Array(right)) }
    #expect(distance("", "abc") == 3)
    #expect(distance("abc", "") == 3)
    #expect(distance("lsit", "list") == 1)
    #expect(distance("kitten", "sitting") == 3)
  }
}
