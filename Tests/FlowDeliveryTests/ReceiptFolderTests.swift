import FlowDelivery
import FlowModel
import FlowNotices
import FlowTestKit
import Foundation
import Glibc
import Testing

/// Receipts in a folder that another program fills.
struct ReceiptFolderTests {
  private let scratch: TemporaryFolder
  private let folder: ReceiptFolder

  init() throws {
    scratch = try TemporaryFolder()
    folder = ReceiptFolder(path: scratch.path + "/receipts")
  }

  private func receipt(_ number: Int) -> Receipt {
    Receipt(
      notice: "n\(number)", delivery: String(repeating: "a", count: 32), recipient: "*", channel: "mail", kind: "smtp",
      outcome: .delivered, words: "", code: nil, tries: 1, at: Timestamp(seconds: 1_795_435_200))
  }

  private func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
  }

  @Test func `a missing receipt folder is created writable for the consumer's group`() throws {
    #expect(try folder.names() == nil)
    try folder.make()
    try folder.make()
    var status = stat()
    #expect(lstat(folder.path, &status) == 0 && status.st_mode & 0o777 == 0o770)
    #expect(try folder.names() == [])
    try ReceiptFolder(path: scratch.path + "/gone/receipts").make()
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(symlink(scratch.path, folder.path) == 0)
    #expect(throws: DeliveryError.self) { try folder.names() }
  }

  @Test func `receipts are read, and invalid files are reported without being followed`() throws {
    try folder.make()
    for number in 1...3 { try write("r\(number).json", receipt(number).bytes) }
    try write("bad.json", "{\"secret\": 4711}".utf8)
    try write("large.json", [UInt8](repeating: 0x20, count: 1 << 20))
    try write(".r9.json.new", receipt(9).bytes)
    try write("notes.txt", "x".utf8)
    try Data(receipt(7).bytes).write(to: URL(fileURLWithPath: scratch.path + "/elsewhere"))
    #expect(symlink(scratch.path + "/elsewhere", folder.path + "/link.json") == 0)
    #expect(mkfifo(folder.path + "/pipe.json", 0o644) == 0 && mkdir(folder.path + "/folder.json", 0o755) == 0)
    let names = try #require(try folder.names()).sorted()
    #expect(
      names == ["bad.json", "folder.json", "large.json", "link.json", "pipe.json", "r1.json", "r2.json", "r3.json"])
    #expect(try folder.names(limit: 3)?.count ?? 9 <= 3)
    let found = try folder.read(names + ["gone.json"])
    #expect(found.receipts.map(\.notice).sorted() == ["n1", "n2", "n3"] && found.invalid == 5 && found.unreadable == 0)
    #expect(!found.firstFault.contains("4711") && found.names.sorted() == names)
    try folder.remove(found.names)
    // The daemon does not empty folders of others.
    #expect(try folder.names() == ["folder.json"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: scratch.path + "/elsewhere")).count > 0)
  }
}
