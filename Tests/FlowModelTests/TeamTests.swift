import FlowModel
import FlowTestKit
import PoolModel
import Testing

struct TeamTests {
  @Test(arguments: ["desert-blue", "a", "Team.7", "x_y", String(repeating: "n", count: 64)])
  func `a plain name is a valid team name`(name: String) {
    #expect(TeamName(name)?.text == name)
  }

  @Test(arguments: ["", "-a", ".a", "a b", "a/b", "ä", "a\n", String(repeating: "n", count: 65)])
  func `a name that could break a path or a table is refused`(name: String) {
    #expect(TeamName(name) == nil)
  }

  @Test func `an expired trial is limited like the free plan`() {
    let now = Timestamp(seconds: 1_772_460_000)
    #expect(Plan.free.isLimited(at: now))
    #expect(!Plan.paid.isLimited(at: now))
    #expect(!Plan.trial(expires: now.advanced(by: .seconds(1))).isLimited(at: now))
    #expect(Plan.trial(expires: now).isLimited(at: now))
  }

  @Test(
    arguments: [
      ("tech:maria,residential", "maria"), ("vip, TECH: Dan Lee ,salt", "Dan Lee"), ("tech:,tech:keisha", "keisha"),
      ("salt", nil), ("", nil), ("biotech:x", nil),
    ] as [(String, String?)]) func `a tag names the technician`(tags: String, technician: String?)
  {
    var profile = Samples.profile(of: Samples.pool().id)
    profile.tagsCSV = tags
    #expect(profile.technicianTag == technician)
  }

  @Test func `reserved words are no technician's name`() {
    for name in ["office", "Office", " ALL ", "all"] { #expect(Technician.isReserved(name), "\(name)") }
    for name in ["", "maria", "back office", "Allan"] { #expect(!Technician.isReserved(name), "\(name)") }
  }
}
