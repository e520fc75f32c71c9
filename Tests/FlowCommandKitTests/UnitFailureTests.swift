import FlowPlatform
import Testing

@testable import FlowCommandKit

@Suite struct UnitFailureTests {
  private func unit(_ state: String, _ result: String, _ code: Int) -> ServiceUnit {
    ServiceUnit(
      name: "poolflowd.service",
      properties: "LoadState=loaded\nActiveState=\(state)\nResult=\(result)\nExecMainStatus=\(code)\nUser=poolflow\n")
  }

  @Test func `systemctl's output is parsed, with missing properties as empty`() {
    let read = unit("failed", "exit-code", 78)
    #expect(read.isInstalled && read.hasFailed && read.exitCode == 78 && read.user == "poolflow")
    let none = ServiceUnit(name: "x", properties: "LoadState=not-found\nUser=\nnonsense\n=\n")
    #expect(!none.isInstalled && !none.hasFailed && none.user == nil && none.exitCode == 0)
  }

  @Test func `a unit that stops is asked again until its result is recorded`() {
    var states = ["activating", "deactivating", "failed", "active"]
    var pauses = 0
    let settled = ServiceUnit.settled("poolflowd.service") { _ in
      unit(states.removeFirst(), "exit-code", 78)
    } pause: {
      pauses += 1
    }
    #expect(settled?.failure != nil && pauses == 2 && states == ["active"])
  }

  @Test func `a unit that keeps starting is asked 21 times`() {
    var (queries, pauses) = (0, 0)
    let settled = ServiceUnit.settled("poolflowd.service") { _ in
      queries += 1
      return unit("activating", "success", 0)
    } pause: {
      pauses += 1
    }
    #expect(settled?.isChanging == true && settled?.failure == nil && queries == 21 && pauses == 20)
  }

  @Test func `a machine without the unit is asked once`() {
    var queries = 0
    let none = ServiceUnit.settled("poolflowd.service") { _ in
      queries += 1
      return nil
    } pause: {
      Issue.record("there is nothing to wait for")
    }
    #expect(none == nil && queries == 1)
  }

  @Test func `for an unanswered socket the matching unit is suggested`() {
    #expect(DaemonInstance.unit(at: "/run/poolflow-coast/control.sock") == "poolflowd@coast")
    for path in [
      "/run/poolflow/control.sock", "/run/poolflow-post/control.sock", "/run/poolflow-A;b/control.sock",
      "/srv/run/poolflow-coast/control.sock", "/run/poolflow-coast/x.sock", "x.sock", "",
    ] { #expect(DaemonInstance.unit(at: path) == "poolflowd", "\(path)") }
    let path = "/run/poolflow-coast/control.sock"
    let failure = CommandFailure(.noDaemonAnswers(path: path, errno: 2), path: path)
    #expect(failure.message.hasSuffix("; start it with `systemctl start poolflowd@coast`") && failure.exitCode == 69)
  }

  @Test func `a failed unit reports the reason and the remedy`() throws {
    #expect(unit("active", "success", 0).failure == nil)
    #expect(unit("inactive", "success", 0).failure == nil)
    let settings = try #require(unit("failed", "exit-code", 78).failure)
    #expect(settings.words == "poolflowd.service failed: its settings have mistakes")
    #expect(
      settings.remedy
        == "`pfctl config check`, correct them, then `systemctl start poolflowd.service`, which also opens the socket again"
    )
    for (result, code, words) in [
      ("exit-code", 65, "its store is damaged"), ("exit-code", 71, "it ended with code 71"),
      ("watchdog", 6, "watchdog"),
      ("start-limit-hit", 1, "restarted too often"),
    ] {
      let failure = try #require(unit("failed", result, code).failure)
      #expect(failure.words.contains(words) && failure.remedy.contains("systemctl start"), "\(failure)")
    }
  }
}
