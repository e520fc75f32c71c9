import FlowPlatform
import Foundation
import Glibc
import Testing

extension Programs {
  /// Crash tests of backup, restore, team restore, clearing, imports, migration, changed dates, recurring work and visits: the built
  /// daemon is killed at the entry of a call that changes a file, or the disk is full from one of them on. The next daemon must
  /// find the complete old state or the complete new one.
  ///
  /// A sample of the calls of each work; all of them with `POOLFLOW_ALL_CRASH_POINTS=1`.
  @Suite struct WorkCrashTests {
    private static let isComplete = ProcessInfo.processInfo.environment["POOLFLOW_ALL_CRASH_POINTS"] != nil

    /// The calls made during a work without faults, and its resulting state.
    private struct Course {
      let work: Work
      let calls: ClosedRange<Int>
      let new: WorkCase.Print
      let backups: Int

      var points: [Int] {
        let step = WorkCrashTests.isComplete ? 1 : max(1, calls.count / work.sample)
        return Array(stride(from: calls.lowerBound, through: calls.upperBound, by: step))
      }
    }

    private func course(_ template: WorkCase.Template) throws -> Course {
      let clean = try WorkCase(template)
      let life = try clean.live(try clean.faults.environment(killAt: nil))
      try #require(life.ending == .exit(0), "\(clean.log)")
      #expect(life.answer.map { $0.code == 0 } ?? true, "\(life.answer?.errors ?? "")")
      #expect(try clean.flaws() == [])
      let new = try clean.print()
      #expect(new.hasAllPhotos)
      #expect((new == template.old) == [.backup, .migration].contains(template.work))
      let first = template.work == .migration ? 1 : life.ready + 1
      return Course(
        work: template.work, calls: first...max(first, template.work == .migration ? life.ready : life.end), new: new,
        backups: backups(clean))
    }

    private func backups(_ one: WorkCase) -> Int { Files.names(in: one.state + "/backups").count }

    @Test(arguments: Work.ofEngine)
    func `a kill at any call leaves the complete old or new state`(work: Work) throws {
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
        let print = try one.print()
        #expect(print == template.old || print == course.new, "killed at \(point): \(print)")
        #expect(print.hasAllPhotos, "killed at \(point)")
        #expect(try one.flaws() == [], "killed at \(point)")
        if print == course.new, work != .backup || backups(one) == course.backups { isNew += 1 }
      }
      print("\(work.rawValue): \(course.calls.count) calls, \(kills) kills, \(isNew) times the new state")
      #expect(kills > course.points.count / 2, "only \(kills) of \(course.points.count) kills came")
    }

    @Test(arguments: Work.ofDisk)
    func `a disk full from any call on leaves a complete state and an error`(work: Work) throws {
      let template = try WorkCase.template(work)
      let course = try course(template)
      var refusals = 0
      for point in course.points {
        let one = try WorkCase(template)
        var again: Answer?
        let life = try one.live(try one.faults.environment(fullAt: point)) { daemon, answer in
          one.faults.heal()
          if answer.map({ $0.code != 0 }) ?? false, daemon.wait(by: Deadline(.zero)) == nil { again = try one.doWork() }
        }
        one.faults.heal()
        if let answer = life.answer, answer.code != 0 {
          refusals += 1
          #expect(Self.tellsOfTheDisk(answer.errors), "full at \(point): \(answer.errors)")
          if let again { #expect(again.code == 0, "full at \(point), with room again: \(again.errors)") }
        }
        // A daemon that cannot start or continue exits with a message; it never crashes.
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
        let print = try one.print()
        #expect(print == template.old || print == course.new, "full at \(point): \(print)")
        #expect(print.hasAllPhotos, "full at \(point)")
        #expect(try one.flaws() == [], "full at \(point)")
      }
      print("\(work.rawValue): \(course.calls.count) calls, \(refusals) refusals of \(course.points.count)")
      #expect(refusals > 0)
    }

    /// True if the text has the kernel's or SQLite's message about a full disk.
    private static func tellsOfTheDisk(_ text: String) -> Bool {
      ["No space left on device", "disk is full", "disk I/O error"].contains { text.contains($0) }
    }
  }
}
