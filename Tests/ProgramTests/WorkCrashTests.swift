import Foundation
import Glibc
import PoolPlatform
import Testing

extension Programs {
  /// The built daemon makes a backup, restores one or a team of it, clears a team, imports an archive, and the next
  /// one brings a store to its schema; it is killed at the entry of its calls that change a file, or its disk is full from one of
  /// them on. What the next daemon finds is the old state or the new one, whole.
  ///
  /// Some calls of each work; all of them with `POOLFLOW_ALL_CRASH_POINTS=1`.
  @Suite struct WorkCrashTests {
    private static let isComplete = ProcessInfo.processInfo.environment["POOLFLOW_ALL_CRASH_POINTS"] != nil
    /// Calls tried of each work where not all are.
    private static let sample = 12

    /// The calls between which a work lies, and what it leads to.
    private struct Course {
      let calls: ClosedRange<Int>
      let new: WorkCase.Print
      let backups: Int

      var points: [Int] {
        let step = WorkCrashTests.isComplete ? 1 : max(1, calls.count / WorkCrashTests.sample)
        return Array(stride(from: calls.lowerBound, through: calls.upperBound, by: step))
      }
    }

    private func course(_ template: WorkCase.Template) throws -> Course {
      let clean = try WorkCase(template)
      let life = try clean.live(try clean.faults.environment(killAt: nil))
      try #require(life.ending == .exit(0), "\(clean.log)")
      #expect(life.answer.map { $0.code == 0 } ?? true, "\(life.answer?.errors ?? "")")
      #expect(try clean.flaws() == [])
      let new = try WorkCase.Print(of: clean.state, clean.place)
      #expect(new.hasAllPhotos)
      #expect((new != template.old) == [.restore, .teamRestore, .clear, .importing, .photos].contains(template.work))
      let first = template.work == .migration ? 1 : life.ready + 1
      return Course(
        calls: first...max(first, template.work == .migration ? life.ready : life.end), new: new,
        backups: backups(clean))
    }

    private func backups(_ one: WorkCase) -> Int { Files.names(in: one.state + "/backups").count }

    @Test(arguments: Work.ofEngine)
    func `a kill at any call leaves the old state or the new one, whole`(work: Work) throws {
      let template = try WorkCase.template(work)
      let course = try course(template)
      var kills = 0
      var isNew = 0
      for point in course.points {
        let one = try WorkCase(template)
        let life = try one.live(try one.faults.environment(killAt: point))
        #expect(life.wasKilled || life.ending == .exit(0), "killed at \(point): \(life.ending as Any) \(one.log)")
        if life.wasKilled { kills += 1 }
        let next = try one.next()
        #expect(next.ending == .exit(0), "killed at \(point): \(one.log)")
        let print = try WorkCase.Print(of: one.state, one.place)
        #expect(print == template.old || print == course.new, "killed at \(point): \(print)")
        #expect(print.hasAllPhotos, "killed at \(point)")
        #expect(try one.flaws() == [], "killed at \(point)")
        if print == course.new, work != .backup || backups(one) == course.backups { isNew += 1 }
      }
      print("\(work.rawValue): \(course.calls.count) calls, \(kills) kills, \(isNew) times the new state")
      #expect(kills > course.points.count / 2, "only \(kills) of \(course.points.count) kills came")
    }

    @Test(arguments: Work.ofEngine)
    func `a disk that is full from any call on leaves the old state, says so, and nothing half`(work: Work) throws {
      let template = try WorkCase.template(work)
      let course = try course(template)
      var refusals = 0
      for point in course.points {
        let one = try WorkCase(template)
        var again: Answer?
        let life = try one.live(try one.faults.environment(fullAt: point)) { daemon in
          one.faults.heal()
          if work != .migration, daemon.wait(by: Deadline(.zero)) == nil { again = try one.doWork() }
        }
        one.faults.heal()
        if let answer = life.answer, answer.code != 0 {
          refusals += 1
          #expect(Self.tellsOfTheDisk(answer.errors), "full at \(point): \(answer.errors)")
          if let again { #expect(again.code == 0, "full at \(point), with room again: \(again.errors)") }
        }
        // A daemon that cannot start or go on says why; it never traps.
        if case .exit(let code)? = life.ending {
          if code != 0 {
            refusals += 1
            #expect([73, 74, 75].contains(code), "full at \(point): \(code) \(one.log)")
            #expect(Self.tellsOfTheDisk(one.log), "full at \(point): \(one.log)")
          }
        } else {
          Issue.record("full at \(point): \(life.ending as Any) \(one.log)")
        }
        #expect(try one.next().ending == .exit(0), "full at \(point): \(one.log)")
        let print = try WorkCase.Print(of: one.state, one.place)
        #expect(print == template.old || print == course.new, "full at \(point): \(print)")
        #expect(print.hasAllPhotos, "full at \(point)")
        #expect(try one.flaws() == [], "full at \(point)")
      }
      print("\(work.rawValue): \(course.calls.count) calls, \(refusals) refusals of \(course.points.count)")
      #expect(refusals > 0)
    }

    /// The kernel's sentence or SQLite's.
    private static func tellsOfTheDisk(_ text: String) -> Bool {
      ["No space left on device", "disk is full", "disk I/O error"].contains { text.contains($0) }
    }
  }
}
