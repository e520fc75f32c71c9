import FlowModel
import Testing

/// Matching of a typed name with the known names.
struct NameMatchTests {
  @Test(
    arguments: [
      ("Maria Lopez", NameMatch.same("Maria Lopez")), ("maria lopez ", .same("Maria Lopez")),
      ("María López", .same("Maria Lopez")), ("Maria-Lopez", .same("Maria Lopez")),
      ("OBrien", .part(of: "Zoë O'Brien")),
      ("Maria", .part(of: "Maria Lopez")), ("lopez", .part(of: "Maria Lopez")),
      ("Lopez, Maria", .part(of: "Maria Lopez")),
      ("M. Lopez", .part(of: "Maria Lopez")), ("Maria L.", .part(of: "Maria Lopez")), ("zoe", .part(of: "Zoë O'Brien")),
      ("Dan", .near(["Dan Kim", "Dan Park"])), ("Marai", .near(["Maria Lopez"])),
      ("Marai Lopez", .near(["Maria Lopez"])),
      ("Mari", .near(["Maria Lopez"])), ("Maria Lopes", .near(["Maria Lopez"])), ("Cher Bono", .near(["Cher"])),
      ("Alex Stone", .near(["Alexander Stone"])), ("Danny Kim", .near(["Dan Kim"])), ("Ian", .none), ("Jo", .none),
      ("Robert Paulson", .none), ("李", .none), ("李小龙", .same("李小龙")), ("", .none), ("!!", .none), ("M", .none),
    ])
  func `a typed name is equal, partial, similar or new`(typed: String, match: NameMatch) {
    let known = ["Maria Lopez", "Dan Kim", "Dan Park", "Zoë O'Brien", "Cher", "Alexander Stone", "李小龙"]
    #expect(NameMatch(typed, among: known) == match)
  }

  @Test func `an equal name is preferred to a partial match, and no names match nothing`() {
    #expect(NameMatch("Maria", among: []) == .none)
    #expect(NameMatch("Maria", among: ["Maria Lopez", "maria"]) == .same("maria"))
    #expect(NameMatch.areEqual("Desert Blue", "desert-blue") && !NameMatch.areEqual("!", "?"))
  }
}
