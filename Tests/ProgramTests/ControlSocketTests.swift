import Foundation
import PoolControl
import PoolPlatform
import Testing

extension Programs {
  /// The control socket as any Varlink client finds it: JSON, ended by a NUL.
  @Suite struct ControlSocketTests {
    private func parameters(_ frame: String) throws -> [String: Any] {
      let answer = try #require(try JSONSerialization.jsonObject(with: Data(frame.utf8)) as? [String: Any])
      return try #require(answer["parameters"] as? [String: Any])
    }

    private func error(_ frame: String) throws -> String? {
      (try JSONSerialization.jsonObject(with: Data(frame.utf8)) as? [String: Any])?["error"] as? String
    }

    private static let getInfo = #"{"method":"org.varlink.service.GetInfo"}"# + "\0"

    @Test func `a service tells what it is and describes its interfaces`() throws {
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

    @Test func `calls that come in one piece, and one that comes in pieces, are answered in order`() throws {
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
      (#"{"method":"org.nobody.Here.Do"}"#, "org.varlink.service.InterfaceNotFound"),
      (#"{"method":"org.poolflow.Teams.Show"}"#, "org.varlink.service.InvalidParameter"),
      (#"{"method":"org.poolflow.Teams.Show","parameters":{"name":1}}"#, "org.varlink.service.InvalidParameter"),
      (
        #"{"method":"org.poolflow.Teams.Show","parameters":{"name":"desert-blue","x":1}}"#,
        "org.varlink.service.InvalidParameter"
      ),
    ])
    func `a call that makes no sense is answered with an error, and the daemon stays well`(
      frame: String, name: String
    ) throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let caller = try ControlCaller(daemon.socket)
      try caller.send(frame + "\0")
      #expect(try error(try caller.frame()) == name)
      #expect(try daemon.ask("status").code == 0)
    }

    @Test func `numbers and texts that no reader can take end no daemon`() throws {
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

    @Test func `a frame of 2 MiB is refused before it is whole`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      let caller = try ControlCaller(daemon.socket)
      let sent = try caller.send(String(repeating: "x", count: 2 << 20))
      let told = try caller.end()
      print("the daemon took \(sent) of \(2 << 20) bytes and said: \(told.prefix(200))")
      #expect(sent < 2 << 20)
      #expect(try daemon.ask("status").code == 0)
    }

    @Test func `half a frame is given up after five seconds, and nobody else waits for it`() throws {
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
      // No sooner; how much later is the machine's load. `ControlChannelTests` have the moment itself.
      #expect(took > .seconds(4))
    }

    @Test func `a client that goes in the middle of its call leaves the daemon well`() throws {
      let daemon = try Daemon(at: DemoStore.madeAt).start()
      for _ in 1...20 {
        let caller = try ControlCaller(daemon.socket)
        try caller.send(#"{"method":"org.poolflow.Scheduler.Simulate","parameters":{"days":30},"more":true}"# + "\0")
      }
      #expect(try daemon.ask("status").code == 0)
      #expect(try daemon.stop() == .exit(0))
    }

    @Test func `an upload that is given up leaves nothing behind`() throws {
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

    @Test func `a hundred clients at once are all answered or told to come again`() throws {
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
