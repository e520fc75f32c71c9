import FlowControl
import FlowPlatform
import Foundation
import Testing

extension Programs {
  /// The control socket as a Varlink client uses it: JSON messages ended by a NUL byte.
  @Suite struct ControlSocketTests {
    private func parameters(_ frame: String) throws -> [String: Any] {
      let answer = try #require(try JSONSerialization.jsonObject(with: Data(frame.utf8)) as? [String: Any])
      return try #require(answer["parameters"] as? [String: Any])
    }

    private func error(_ frame: String) throws -> String? {
      (try JSONSerialization.jsonObject(with: Data(frame.utf8)) as? [String: Any])?["error"] as? String
    }

    private static let getInfo = #"{"method":"org.varlink.service.GetInfo"}"# + "\0"

    @Test func `the service describes itself and each of its interfaces`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let caller = try ControlCaller(daemon.socket)
      try caller.send(Self.getInfo)
      let info = try parameters(try caller.frame())
      #expect(info["product"] as? String == "poolflowd")
      #expect(info["vendor"] as? String == "poolflow")
      #expect((info["version"] as? String)?.isEmpty == false)
      #expect(info["url"] is String)
      let interfaces = try #require(info["interfaces"] as? [String])
      #expect(interfaces.contains("org.varlink.service") && interfaces.contains("org.poolflow.Scheduler"))
      for interface in interfaces {
        let method = "org.varlink.service.GetInterfaceDescription"
        try caller.send(#"{"method":"\#(method)","parameters":{"interface":"\#(interface)"}}"# + "\0")
        let text = try #require(try parameters(try caller.frame())["description"] as? String)
        #expect(text.contains("interface \(interface)\n"))
      }
    }

    @Test func `pipelined and split calls are answered in order`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let caller = try ControlCaller(daemon.socket)
      try caller.send(Self.getInfo + #"{"method":"org.poolflow.Teams.List"}"# + "\0" + Self.getInfo)
      #expect(try caller.frame().contains("poolflowd"))
      #expect(try caller.frame().contains("desert-blue"))
      #expect(try caller.frame().contains("poolflowd"))
      for character in Self.getInfo { try caller.send(String(character)) }
      #expect(try caller.frame().contains("poolflowd"))
    }

    @Test(arguments: [
      ("not json", "org.varlink.service.InvalidParameter"), ("[]", "org.varlink.service.InvalidParameter"),
      ("", "org.varlink.service.InvalidParameter"), (#"{"method":5}"#, "org.varlink.service.InvalidParameter"),
      (#"{"method":"org.poolflow.Teams.Fly"}"#, "org.varlink.service.MethodNotFound"),
      (#"{"method":"org.unknown.Here.Do"}"#, "org.varlink.service.InterfaceNotFound"),
      (#"{"method":"org.poolflow.Teams.Show"}"#, "org.varlink.service.InvalidParameter"),
      (#"{"method":"org.poolflow.Teams.Show","parameters":{"name":1}}"#, "org.varlink.service.InvalidParameter"),
      (
        #"{"method":"org.poolflow.Teams.Show","parameters":{"name":"desert-blue","x":1}}"#,
        "org.varlink.service.InvalidParameter"
      ),
    ])
    func `an invalid call gets the right error; the daemon keeps running`(
      frame: String, name: String
    ) throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let caller = try ControlCaller(daemon.socket)
      try caller.send(frame + "\0")
      #expect(try error(try caller.frame()) == name)
      #expect(try daemon.ask("status").code == 0)
    }

    @Test func `oversized numbers and texts get an error; the daemon keeps running`() throws {
      let daemon = try Daemon(at: "2026-03-02T17:00:00Z").start()
      let number = "9007199254740993" + String(repeating: "0", count: 150) + "e-150"
      let marks = String(repeating: "\u{301}\u{327}", count: 100_000)
      for frame in [
        #"{"method":"org.poolflow.Daemon.Audit","parameters":{"limit":\#(number)}}"#,
        #"{"method":"\#(marks)"}"#, #"{"\#(marks)":1,"method":"org.poolflow.Daemon.Status"}"#,
        #"{"method":"org.poolflow.Daemon.Audit","parameters":{"\#(marks)":1}}"#,
        #"{"method":"org.poolflow.Daemon.Audit","parameters":{"since":"\#(marks)"}}"#,
        #"{"method":"org.poolflow.Daemon.Audit","parameters":{"since":"9000000000000000000-01-01"}}"#,
      ] {
        let caller = try ControlCaller(daemon.socket)
        try caller.send(frame + "\0")
        let answer = try caller.frame()
        #expect(answer.contains("\"error\""), "\(answer.prefix(300))")
      }
      #expect(try daemon.ask("status").code == 0)
    }

    @Test func `a frame of 2 MiB is refused before it is complete`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let caller = try ControlCaller(daemon.socket)
      let sent = try caller.send(String(repeating: "x", count: 2 << 20))
      let told = try caller.end()
      print("the daemon took \(sent) of \(2 << 20) bytes and said: \(told.prefix(200))")
      #expect(sent < 2 << 20)
      #expect(try daemon.ask("status").code == 0)
    }

    @Test func `incomplete frames are closed after 5 s without delaying other clients`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let slow = try (1...8).map { _ in try ControlCaller(daemon.socket) }
      for caller in slow { try caller.send(#"{"method":"org.var"#) }
      let began = ContinuousClock.now
      let quick = try ControlCaller(daemon.socket)
      try quick.send(Self.getInfo)
      #expect(try quick.frame().contains("poolflowd"))
      #expect(slow.allSatisfy { !$0.hasEnded }, "it was answered before any half frame was given up")
      for caller in slow { _ = try caller.end() }
      let took = began.duration(to: .now)
      print("half frames were closed after \(took)")
      // Never earlier; how much later depends on the machine's load. `ControlChannelTests` checks the exact time.
      #expect(took > .seconds(4))
    }

    @Test func `a client that disconnects during its call does not harm the daemon`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      for _ in 1...20 {
        let caller = try ControlCaller(daemon.socket)
        try caller.send(#"{"method":"org.poolflow.Scheduler.Simulate","parameters":{"days":30},"more":true}"# + "\0")
      }
      #expect(try daemon.ask("status").code == 0)
      #expect(try daemon.stop() == .exit(0))
    }

    @Test func `an abandoned upload leaves no file`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      do {
        let caller = try ControlCaller(daemon.socket)
        let parameters = #"{"team":"desert-blue","file_name":"a.zip","bytes":10}"#
        try caller.send(#"{"method":"org.poolflow.Import.Open","parameters":\#(parameters)}"# + "\0")
        #expect(try caller.frame().contains("upload-1"))
        #expect(Files.names(in: daemon.state + "/uploads").count == 1)
      }
      try eventually("the upload is gone", { Files.names(in: daemon.state + "/uploads").isEmpty })
    }

    @Test func `of 100 simultaneous clients each is answered or gets Busy`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let callers = try (1...100).map { _ in try ControlCaller(daemon.socket) }
      for caller in callers { try caller.send(Self.getInfo) }
      var answered = 0
      for caller in callers {
        let frame = try caller.frame()
        if frame.contains("poolflowd") {
          answered += 1
        } else {
          #expect(try error(frame) == "org.poolflow.Control.Busy")
        }
      }
      #expect(answered >= 60)
    }
  }
}
