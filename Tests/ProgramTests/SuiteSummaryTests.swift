import Foundation
import Testing

/// The summary that `config/suite-summary.sh` makes from a run's logs.
@Suite struct SuiteSummaryTests {
  private static let good = """
    ◇ Test run started.
    ➜ Test "a page prints" skipped: "needs chromium: config/packages.sh chromium"
    ➜ Test two() skipped: "needs PostgreSQL: config/packages.sh postgresql; needs root: run the tests as root"
    ◇ Test "a route is short" started.
    a line of the program's ✔ Test "a route is short" passed after 0.001 seconds.
    ◇ Test case passing 1 argument a → 1 to "each day" started.
    ✔ Test "each day" with 3 test cases passed after 0.001 seconds.
    ✔ Suite RouteTests passed after 0.002 seconds.
    ✔ Test run with 4 tests in 1 suite passed after 0.005 seconds.

    """
  private static let chosen = """
    ➜ Suite RecoveryTests skipped: "only with a store in a file"
    ➜ Test "a store comes back" skipped: "only with a store in a file"
    ➜ Test "an upgrade \\"of nodes\\"" was cancelled after 0.101 seconds: "only where the schema is the same"
    ✔ Test run with 2 tests in 1 suite passed after 0.005 seconds.

    """
  private static let bad = """
    \u{1B}[92m✔\u{1B}[0m Test "one" passed after 0.001 seconds.
    ✘ Test "two" recorded an issue at T.swift:11:45: Expectation failed: it failed after 3 seconds
    ✘ Test "two" failed after 0.001 seconds with 1 issue.
    ✘ Test run with 2 tests in 1 suite failed after 0.005 seconds with 1 issue.

    """

  private func summary(_ logs: [String: String], _ options: String...) throws -> Answer {
    let scratch = try Scratch()
    let folder = try scratch.folder("logs")
    for (name, text) in logs { try scratch.write("logs/\(name).log", text.utf8) }
    return try Program.run("\(Checkout.root)/config/suite-summary.sh", [folder] + options, in: scratch)
  }

  @Test func `the summary lists each skipped test with its reason, then three totals`() throws {
    let answer = try summary(["PoolRoutingTests": Self.good, "FlowBackupTests": Self.chosen])
    #expect(answer.code == 0 && answer.errors == "", "\(answer)")
    #expect(
      answer.output == """
        skipped:
          PoolRoutingTests: two(): needs PostgreSQL: config/packages.sh postgresql; needs root: run the tests as root
          PoolRoutingTests: "a page prints": needs chromium: config/packages.sh chromium
          FlowBackupTests: "an upgrade \\"of nodes\\"": only where the schema is the same
          FlowBackupTests: "a store comes back": only with a store in a file
        2 passed, 0 failed, 4 skipped

        """)
  }

  @Test func `a run without skips lists none`() throws {
    let log =
      "✔ Test one() passed after 0.001 seconds.\n✔ Test run with 1 test in 0 suites passed after 0.005 seconds.\n"
    #expect(try summary(["FlowModelTests": log]).output == "1 passed, 0 failed, 0 skipped\n")
  }

  @Test func `--no-skips allows deliberate skips and refuses missing programs`() throws {
    #expect(try summary(["FlowBackupTests": Self.chosen], "--no-skips").code == 0)
    let refused = try summary(["PoolRoutingTests": Self.good], "--no-skips")
    #expect(refused.code == 1 && refused.errors.contains("needs chromium: config/packages.sh chromium"), "\(refused)")
    #expect(refused.output.hasSuffix("\n2 passed, 0 failed, 2 skipped\n"), "\(refused)")
    let unexplained = "➜ Test one() skipped.\n✔ Test run with 1 test in 0 suites passed after 0.005 seconds.\n"
    let answer = try summary(["FlowModelTests": unexplained], "--no-skips")
    #expect(answer.code == 1 && answer.errors.contains("no reason is given"), "\(answer)")
  }

  @Test func `a failed test and a crashed suite count as failed once each`() throws {
    let crashed = "✔ Test \"one\" passed after 0.001 seconds.\n◇ Test \"two\" started.\nFatal error: out of range\n"
    let answer = try summary([
      "FlowModelTests.FAILED": Self.bad, "FlowWireTests.FAILED": crashed, "FlowBackupTests": Self.chosen,
    ])
    #expect(answer.code == 1 && answer.output.contains("Fatal error: out of range"), "\(answer)")
    #expect(answer.output.hasSuffix("\n2 passed, 2 failed, 2 skipped\n"), "\(answer)")
  }

  @Test func `results in an unknown format fail the run`() throws {
    let log = "☑ Test one() went well.\n✔ Test run with 1 test in 0 suites passed after 0.005 seconds.\n"
    let answer = try summary(["FlowModelTests": log])
    #expect(answer.code == 1 && answer.errors.contains("but the results of only 0 were recognised"), "\(answer)")
  }
}
