import FlowControl
import FlowTestKit
import Foundation
import Testing
import TradeInterfaces

extension Programs {
  /// The daemon's API through a third-party Varlink client (Python's `varlink`).
  @Suite(.requires(.python("varlink"))) struct ThirdPartyClientTests {
    @Test func `a third-party client introspects and calls every method`() throws {
      let daemon = try Daemon(at: "2026-03-02T19:00:00Z").start()
      try daemon.change("team", "add", "willow-barn", "--zone", "America/Phoenix", "--trade", "stable")  // Stables
      try daemon.change("horse", "add", "Juniper", "--team", "willow-barn")  // Stables
      let script = Checkout.root + "/Tests/ProgramTests/Fixtures/third-party-client.py"
      let answer = try PythonTools.run([script, "unix:" + daemon.socket], in: daemon.scratch)
      #expect(answer.code == 0, "\(answer.errors)")
      let outcomes = answer.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
      let methods = InterfaceCatalogue.every.interfaces.filter { $0.name != "org.varlink.service" }.flatMap {
        interface in
        interface.text.split(separator: "\n").filter { $0.hasPrefix("method ") }.compactMap { line in
          line.dropFirst("method ".count).split(separator: "(").first.map { "\(interface.name).\($0)" }
        }
      }
      #expect(outcomes.map { $0.first ?? "" } == methods)
      #expect(methods.count > 25)
      // The parameters are invented, so a method may refuse, but only with a declared error.
      let declared = InterfaceCatalogue.every.interfaces.map(\.text).joined()
      for outcome in outcomes where outcome.count == 2 && outcome[1] != "reply" {
        let name = outcome[1].split(separator: ".").last ?? ""
        #expect(declared.contains("error \(name) "), "\(outcome)")
        #expect(!["MethodNotFound", "MethodNotImplemented", "Internal"].contains(name), "\(outcome)")
      }
      #expect(outcomes.filter { $0.last == "reply" }.count > methods.count / 2, "\(outcomes)")
    }

    @Test func `the third-party client's own commands work`() throws {
      let daemon = try Daemon(at: "2026-03-02T19:00:00Z").start()
      let address = "unix:" + daemon.socket
      func cli(_ words: String...) throws -> Answer {
        try PythonTools.run(["-m", "varlink.cli"] + words, in: daemon.scratch)
      }
      #expect(try cli("info", address).output.contains("org.poolflow.Scheduler"))
      #expect(try cli("help", address + "/org.poolflow.Teams").output.contains("interface org.poolflow.Teams"))
      let list = try cli("call", address + "/org.poolflow.Teams.List", "{}")
      #expect(list.code == 0 && list.output.contains("desert-blue"), "\(list.errors)")
    }
  }
}
