import PoolModel
import Testing

/// A name as it was typed, beside those that are known.
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
  func `a typed name is one, a part of one, near some or new`(typed: String, match: NameMatch) {
    let known = ["Maria Lopez", "Dan Kim", "Dan Park", "Zoë O'Brien", "Cher", "Alexander Stone", "李小龙"]
    #expect(NameMatch(typed, among: known) == match)
  }

  @Test func `without known names every name is new, and a known name is itself before it is a part`() {
    #expect(NameMatch("Maria", among: []) == .none)
    #expect(NameMatch("Maria", among: ["Maria Lopez", "maria"]) == .same("maria"))
    #expect(NameMatch.areEqual("Desert Blue", "desert-blue") && !NameMatch.areEqual("!", "?"))
  }
}
