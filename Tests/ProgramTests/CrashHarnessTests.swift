import FlowTestKit
import Foundation
import Glibc
import Testing

extension Programs {
  /// The built daemon delivers three notices to a drop folder whose consumer takes every file at once. It is killed at the
  /// entry of each call that changes a file, then once more during recovery.
  ///
  /// `POOLFLOW_ALL_CRASH_POINTS=1` kills at every call and at pairs with every seventh second call;
  /// `POOLFLOW_CRASH_KILLS=10000` adds that many random kills, several in a row, seeded by `POOLFLOW_CRASH_SEED`.
  @Suite struct CrashHarnessTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isComplete = environment["POOLFLOW_ALL_CRASH_POINTS"] != nil
    private static let randomKills = environment["POOLFLOW_CRASH_KILLS"].flatMap { Int($0) } ?? 210
    private static let seed = environment["POOLFLOW_CRASH_SEED"].flatMap { UInt64($0) } ?? 20_260_302

    /// The summed results of many cases.
    private struct Tally: CustomStringConvertible {
      var cases = 0
      var kills = 0
      var lost = 0
      var repeated = 0
      var torn = 0

      mutating func add(_ outcome: CrashCase.Outcome, kills: Int) {
        cases += 1
        self.kills += kills
        lost += outcome.lost + outcome.unsent
        repeated += outcome.repeated
        torn += outcome.torn
      }

      var description: String {
        "\(cases) cases with \(kills) kills: \(lost) lost, \(repeated) repeated, \(torn) torn"
      }
    }

    /// Runs the daemon once for each kill, then once without a kill, and checks the outcome.
    ///
    /// - Returns: the number of kills that took place.
    private func run(_ kills: [Int], _ template: Scratch, _ tally: inout Tally) async throws -> Int {
      let one = try CrashCase(template)
      var came = 0
      for kill in kills where try one.live(killAt: kill).wasKilled { came += 1 }
      _ = try one.live(killAt: nil)
      let outcome = try await one.outcome()
      tally.add(outcome, kills: came)
      #expect(outcome.isPerfect, "killed at \(kills): \(outcome)")
      return came
    }

    @Test func `kills at any call and again in recovery lose, repeat or tear nothing`() async throws {
      let template = try await CrashCase.template()
      let clean = try CrashCase(template)
      let points = try clean.live(killAt: nil).calls
      #expect(try await clean.outcome().isPerfect)
      var tally = Tally()
      var random = SeededNumbers(seed: Self.seed)
      // Every second call (60 s), or every call: always the same ones, so that a failure is reproducible.
      let step = Self.isComplete ? 1 : 2
      for first in stride(from: 1, through: points + 10, by: step) {
        let came = try await run([first], template, &tally)
        if came == 0, first > points { break }
      }
      let seconds = Self.isComplete ? Array(stride(from: 1, through: points, by: 7)) : []
      for first in stride(from: 1, through: points, by: Self.isComplete ? 3 : points) {
        for second in seconds { _ = try await run([first, second], template, &tally) }
      }
      // With its records on a PostgreSQL server the daemon makes fewer such calls; more random kills make up for them.
      var left = max(Self.randomKills, 300 - tally.kills)
      while left > 0 {
        let kills = (0..<Int.random(in: 2...4, using: &random)).map { _ in Int.random(in: 1...points, using: &random) }
        left -= max(1, try await run(kills, template, &tally))
      }
      print("\(points) calls from start to end; \(tally)")
      #expect(tally.kills >= 300)
    }
  }
}
