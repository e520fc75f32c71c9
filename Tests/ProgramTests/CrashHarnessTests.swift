import Foundation
import Glibc
import PoolTestKit
import Testing

extension Programs {
  /// The built daemon delivers three notices to a drop folder whose consumer takes every file at once, and is killed at
  /// the entry of each of its calls that change a file, then once more while it recovers.
  ///
  /// `POOLFLOW_ALL_CRASH_POINTS=1` kills at every point and at pairs of every seventh second; `POOLFLOW_CRASH_KILLS=10000`
  /// adds so many kills at random, several in a row, by `POOLFLOW_CRASH_SEED`.
  @Suite struct CrashHarnessTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let isComplete = environment["POOLFLOW_ALL_CRASH_POINTS"] != nil
    private static let randomKills = environment["POOLFLOW_CRASH_KILLS"].flatMap { Int($0) } ?? 210
    private static let seed = environment["POOLFLOW_CRASH_SEED"].flatMap { UInt64($0) } ?? 20_260_302

    /// What many cases came to.
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

    /// Lives with these kills, then one without.
    ///
    /// - Returns: how many of the kills came.
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

    @Test func `a kill at any call, and another in the recovery, loses none, repeats none and tears none`() async throws
    {
      let template = try await CrashCase.template()
      let clean = try CrashCase(template)
      let points = try clean.live(killAt: nil).calls
      #expect(try await clean.outcome().isPerfect)
      var tally = Tally()
      var random = SeededNumbers(seed: Self.seed)
      // Every point, or as many as 60 s allow: those of one residue, a different one each day of the year would prove
      // nothing more, so always the same.
      let step = Self.isComplete ? 1 : 2
      for first in stride(from: 1, through: points + 10, by: step) {
        let came = try await run([first], template, &tally)
        if came == 0, first > points { break }
      }
      let seconds = Self.isComplete ? Array(stride(from: 1, through: points, by: 7)) : []
      for first in stride(from: 1, through: points, by: Self.isComplete ? 3 : points) {
        for second in seconds { _ = try await run([first, second], template, &tally) }
      }
      // A life with its records on a server has fewer calls to be killed at.
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
