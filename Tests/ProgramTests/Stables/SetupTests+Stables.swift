import FlowControl
import FlowTestKit
import Foundation
import Testing

extension Programs.SetupTests {
  @Test func `a stable is set up with horses, feed times and technicians`() throws {
    let daemon = try stand()
    try daemon.scratch.write("horses.csv", "horse,owner,clipped\nJuniper,Ada Field,yes\nOld Bob,,no\n".utf8)
    let words = [
      "--team", "willow-barn", "--zone", "Europe/Berlin", "--trade", "stable", "--horses",
      daemon.scratch.path + "/horses.csv", "--morning-time", "06:30", "--feed-am", "08:30", "--tell",
      "Ann=mail:ann@example.com", "--no-test",
    ]
    let first = try setup(daemon, words)
    #expect(first.code == 0, "\(first)")
    for line in [
      " team add willow-barn --zone Europe/Berlin --trade stable\n",
      " job set barn-digest --team willow-barn 'rule=*-*-* 06:30:00'\n",
      " job set feed-am --team willow-barn 'rule=*-*-* 08:30:00'\n",
      " technician add Ann --team willow-barn --mail ADDRESS\n",
      " digest --team willow-barn --at tomorrow\n",
    ] { #expect(first.output.contains(line), "\(line) in \(first.output)") }
    #expect(first.output.contains("the barn's next morning is sent Tue 2026-03-03 06:30"), "\(first.output)")
    let team = try #require(try daemon.query(TeamsCall.List.Reply.self, "team", "list").teams.first)
    #expect(team.horses == 2 && team.trade == "stable")
    let report = try JSONDecoder().decode(Report.self, from: Data(try setup(daemon, words + ["--json"]).output.utf8))
    #expect(report.commands == [] && report.gaps == [], "\(report)")
    let other = try setup(daemon, ["--team", "willow-barn", "--trade", "pool-service"])
    #expect(other.code == ExitCode.usage && other.errors.contains("which cannot change"), "\(other)")

    let terminal = try terminal(daemon)
    let screen = try talk(
      terminal,
      [
        ("Team [willow-barn]: ", "hill-barn"), ("Create hill-barn? [Y/n] ", ""), ("Time zone", "Europe/Berlin"),
        ("Language", ""),
        ("Pools or horses [pools]: ", "horses"),
        ("a list of horses (CSV) [later]: ", "\(daemon.scratch.path)/horses.csv"),
        ("Time of the stable's morning notice [06:00]: ", ""),
        ("Time to report open morning feeds [09:00]: ", "08:45"),
        ("Time to report open evening feeds [19:30]: ", ""), ("Mail relay", ""),
        ("Address of the office, which gets notices of everything", ""), ("Another technician", ""),
      ])
    let end = try terminal.end()
    #expect(end.code == 0 && (screen + end.screen).contains("job set feed-am --team hill-barn 'rule=*-*-* 08:45:00'"))
  }

  @Test func `a stable has no --show-access`() throws {
    let daemon = try stand()
    try daemon.change("team", "add", "hill-barn", "--zone", "Europe/Berlin", "--trade", "stable")
    let refused = try setup(daemon, ["--team", "hill-barn", "--show-access", "yes"])
    #expect(refused.code == ExitCode.usage && refused.errors.contains("and hill-barn is a stable"), "\(refused)")
  }
}
