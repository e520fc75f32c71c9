import FlowControl
import FlowWire
import Testing
import TradeInterfaces

struct CallAnnotationTests {
  /// A call with a value in each parameter.
  private static func call<M: ControlMethod>(_ method: M.Type) throws -> any ControlMethod {
    let parts = M.method.split(separator: ".").map(String.init)
    let name = parts.dropLast().joined(separator: ".")
    let interface = try #require(InterfaceCatalogue.every.interface(named: name))
    let grammar = try InterfaceGrammar(interface.text)
    let shape = try #require(grammar.methods.first { $0.name == parts.last }?.shape)
    return try M(from: SchemaDecoder(.fields(shape.input), grammar, at: M.method))
  }

  @Test func `a reading call concerns no partition`() throws {
    for method in InterfaceCatalogue.every.methods where !method.changes {
      #expect(try Self.call(method).partition == .none, "\(method.method)")
    }
  }

  /// The changes that concern another partition than that of a team that they name.
  private static let others: [String: CallPartition] = [
    "Import.TakeInbox": .server, "Outbox.Test": .server, "Publish.Rotate": .server,
    "Import.Apply": .teamOfUpload("text", otherwise: .all),
    "Backup.Restore": .all, "Outbox.Retry": .all, "Outbox.Release": .all, "Outbox.Discard": .all, "Outbox.Purge": .all,
    "Scheduler.Cancel": .all, "Water.Refresh": .all,
    "Backup.Create": .none, "Backup.Verify": .none, "Backup.Prune": .none, "Daemon.Drain": .none,
    "Daemon.Undrain": .none, "Daemon.Reload": .none, "Import.Piece": .none, "Import.Cancel": .none, "Teams.Add": .none,
  ]

  @Test func `a change concerns its team's partition, with the listed exceptions`() throws {
    var left = Self.others
    for method in InterfaceCatalogue.every.methods where method.changes {
      let name = method.method.replacing("org.poolflow.", with: "")
      #expect(try Self.call(method).partition == left.removeValue(forKey: name) ?? .team("text"), "\(name)")
    }
    #expect(left.isEmpty)
  }

  @Test func `a job without a team concerns the server's partition`() {
    #expect(SchedulerCall.Pause(job: "backup").partition == .server)
    #expect(SchedulerCall.Pause(job: "low-stock", team: "a").partition == .team("a"))
    #expect(TeamsCall.Rename(name: "a", to: "b").partition == .team("a"))
  }

  @Test func `every audited call states what a bug report keeps, and equal options of two calls agree`() throws {
    var kinds: [String: AuditRedaction.Kind] = [:]
    for method in InterfaceCatalogue.every.methods {
      let text = try Self.call(method).auditWords
      guard let redaction = method.auditRedaction else {
        #expect(text == nil, "\(method.method)")
        continue
      }
      for (option, kind) in redaction.options {
        #expect(kinds.updateValue(kind, forKey: option) ?? kind == kind, "\(method.method) --\(option)")
      }
      guard let text else { continue }
      #expect(text.split(separator: " ").map(String.init).starts(with: redaction.command), "\(method.method)")
    }
    #expect(kinds["team"] == .team && kinds["at"] == .number && kinds["technician"] == .hidden)
  }
}
