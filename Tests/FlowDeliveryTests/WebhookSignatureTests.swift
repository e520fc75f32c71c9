import FlowDelivery
import FlowDeliveryKit
import FlowModel
import FlowNotices
import FlowPlatform
import FlowTestKit
import Foundation
import Testing

struct WebhookSignatureTests {
  private func signature() throws -> WebhookSignature {
    try WebhookSignature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", credential: "drop-key")
  }

  @Test func `the signature of the specification's example is reproduced`() throws {
    // Standard Webhooks 1.0, "Signature scheme": the example that its reference libraries are tested with.
    let signed = try signature().signature(
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330, body: Array(#"{"test": 2432232314}"#.utf8))
    #expect(signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test func `the headers are three lines and the id contains no dot`() throws {
    let notice = sampleNotice(id: "20260302T140000.123Z-morning-summary-1-f3a91c02")
    let text = String(decoding: try signature().headers(of: notice, body: [0x7B], at: slot), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4 && lines[3].isEmpty)
    #expect(lines[0] == "webhook-id: msg_20260302T140000_123Z-morning-summary-1-f3a91c02")
    #expect(lines[1] == "webhook-timestamp: 1772460000")
    #expect(lines[2].hasPrefix("webhook-signature: v1,") && lines[2].count == 66)
  }

  @Test(arguments: [
    "", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_!", "whsec_c2hvcnQ=",
    "whsec_" + Data(repeating: 7, count: 65).base64EncodedString(),
  ])
  func `an invalid secret is refused without quoting it`(secret: String) {
    #expect(throws: WebhookSignature.Fault.invalidSecret(credential: "drop-key")) {
      try WebhookSignature(secret: secret, credential: "drop-key")
    }
    let words = "\(WebhookSignature.Fault.invalidSecret(credential: "drop-key"))"
    #expect(words.contains("'drop-key'") && (secret.count < 8 || !words.contains(secret)))
  }

  @Test func `a credential is its file's trimmed text, and a missing one names the remedy`() throws {
    let folder = try TemporaryFolder(inMemory: true)
    try folder.write("key", " whsec_abc \n\n")
    let environment = ["CREDENTIALS_DIRECTORY": folder.path]
    #expect(try Credential.text("key", environment: environment) == "whsec_abc")
    #expect {
      try Credential.text("other", environment: environment)
    } throws: {
      "\($0)".contains("No such file") && "\($0)".contains("LoadCredential=other:FILE")
    }
    #expect(throws: Credential.Failure.self) { try Credential.text("key", environment: [:]) }
  }
}

/// The sidecar files of a notice.
struct CompanionTests {
  private let folder: TemporaryFolder
  private let event = NoticeEvent(source: "/poolflow/test")

  init() throws { folder = try TemporaryFolder(inMemory: true) }

  private struct Extras: NoticeAttachmentSource {
    let page: Bool
    let sensitive: Bool

    func attachments(of notice: Notice) async throws -> NoticeAttachments {
      NoticeAttachments(
        page: { page ? Array("<p>\(notice.title)".utf8) : nil },
        sensitive: sensitive ? [("access", ##"{"gate":"#4711"}"##)] : [])
    }
  }

  private func sink(
    calls: any FileSystemCalls = LinuxFileSystemCalls(), signed: Bool = true, page: Bool = true, sensitive: Bool = false
  ) throws -> FileDropSink {
    let signature = try WebhookSignature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", credential: "key")
    return FileDropSink(
      name: "drop", path: folder.path, source: "/poolflow/test",
      attachments: DropFolderOptions(
        signature: signed ? signature : nil,
        source: page || sensitive ? Extras(page: page, sensitive: sensitive) : nil,
        wallClock: ManualTime().wallClock), calls: calls)
  }

  @Test func `a page and signature headers are written beside the notice's file`() async throws {
    let sink = try sink()
    try await sink.prepare(staged: [])
    let notice = sampleNotice()
    #expect(await sink.deliver([sampleEntry()]) == [.delivered])
    #expect(folder.names("new") == ["\(notice.id).headers", "\(notice.id).html", "\(notice.id).json"])
    let body = try folder.bytes("new/\(notice.id).json")
    #expect(body == (try event.bytes(of: notice, page: "\(notice.id).html")) + [0x0A])
    let signature = try WebhookSignature(secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", credential: "key")
    #expect(try folder.bytes("new/\(notice.id).headers") == signature.headers(of: notice, body: body, at: slot))
    #expect(folder.names("staging").isEmpty)
  }

  @Test func `a delivered file has its sidecars after a kill at any point`() async throws {
    var points = 0
    repeat {
      points += 1
      let outbox = MemoryOutbox(sampleEntries(2))
      let gate = CrashGate(crashAt: points)
      await run(outbox, gate)
      if !gate.isDead { break }
      check()
      await run(outbox, CrashGate(crashAt: nil))
      #expect(await outbox.states == [.sent, .sent], "killed at \(points)")
      check()
      #expect(folder.names("new").count == 6 && folder.names("staging").isEmpty, "killed at \(points)")
      for name in folder.names("new") { try folder.remove("new/\(name)") }
    } while points < 1_000
    #expect(points > 40)
  }

  private func run(_ outbox: MemoryOutbox, _ gate: CrashGate) async {
    let time = ManualTime()
    guard let sink = try? sink(calls: GatedFileCalls(gate: gate)) else { return }
    await Dispatcher(
      store: GatedOutbox(outbox: outbox, gate: gate), sinks: [sink], wallClock: time.wallClock, clock: time
    )
    .drain(clock: time)
  }

  private func check() {
    let names = Set(folder.names("new"))
    for name in names where name.hasSuffix(".json") {
      for suffix in ["html", "headers"] { #expect(names.contains(name.dropLast(4) + suffix), "\(name)") }
    }
  }

  @Test func `gate codes appear only in the files of a sensitive sink`() async throws {
    let plain = try sink(signed: false, page: false)
    try await plain.prepare(staged: [])
    _ = await plain.deliver([sampleEntry(1)])
    let sensitive = try sink(signed: false, page: false, sensitive: true)
    try await sensitive.prepare(staged: [])
    _ = await sensitive.deliver([sampleEntry(2)])
    let without = try folder.bytes("new/\(sampleNotice(1).id).json")
    #expect(!String(decoding: without, as: UTF8.self).contains("4711"))
    let bytes = try folder.bytes("new/\(sampleNotice(2).id).json")
    let object = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    let data = try #require(object["data"] as? [String: Any])
    #expect(try #require(data["access"] as? [String: String]) == ["gate": "#4711"])
    let attachments = try await Extras(page: true, sensitive: true).attachments(of: sampleNotice())
    var dumped = "\(attachments) \(String(reflecting: attachments))"
    dump(attachments, to: &dumped)
    #expect(!dumped.contains("4711"))
  }
}
