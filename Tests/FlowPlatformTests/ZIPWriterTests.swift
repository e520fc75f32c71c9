import FlowModel
import FlowPlatform
import Foundation
import Testing

/// Written archives are accepted by our strict reader.
struct ZIPWriterTests {
  private final class Sink {
    var bytes: [UInt8] = []
  }

  private let modified = Timestamp(seconds: 1_772_460_000)

  private func written(_ body: (ZIPWriter) throws -> Void) throws -> [UInt8] {
    let sink = Sink()
    let writer = ZIPWriter(modified: modified) { sink.bytes.append(contentsOf: $0) }
    try body(writer)
    try writer.finish()
    return sink.bytes
  }

  @Test func `folders, deflated, stored and on-disk files are read back`() throws {
    let text = Array(String(repeating: "pool ", count: 40_000).utf8)
    let photo = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).bin").path
    defer { unlink(path) }
    try Data(photo).write(to: URL(fileURLWithPath: path))
    let bytes = try written { writer in
      try writer.add("pools.json", text)
      try writer.add("ü/short.txt", Array("x".utf8))
      try writer.add("nothing", [])
      try writer.addFolder("media")
      try writer.addFolder("media/service-events/")
      try writer.add("media/service-events/a.bin", fileAt: path)
    }
    let zip = try ZIPArchive(bytes: bytes)
    #expect(
      zip.entries.map(\.name) == [
        "pools.json", "ü/short.txt", "nothing", "media", "media/service-events", "media/service-events/a.bin",
      ])
    #expect(zip.entries.map(\.isFolder) == [false, false, false, true, true, false])
    #expect(zip.entries.map(\.method) == [.deflated, .stored, .stored, .stored, .stored, .stored])
    #expect(zip.entries[0].compressedSize < 2_000)
    #expect(try zip.read(zip.entries[0], limit: text.count) == text)
    #expect(try zip.read(zip.entries[1], limit: 1) == Array("x".utf8))
    #expect(try zip.read(zip.entries[2], limit: 0) == [])
    #expect(try zip.read(zip.entries[5], limit: photo.count) == photo)
  }

  @Test func `the same members and time give the same bytes`() throws {
    let write: (ZIPWriter) throws -> Void = { try $0.add("a", Array("hello".utf8)) }
    let bytes = try written(write)
    #expect(bytes == (try written(write)))
    // 2026-03-02 14:00:00 in DOS format, see APPNOTE §4.4.6.
    #expect(Array(bytes[10..<14]) == [0x00, 0x70, 0x62, 0x5C])
  }

  @Test func `the writer refuses names that the reader would refuse`() throws {
    #expect(throws: ZIPError.duplicateName("A")) {
      try written { writer in
        try writer.add("a", [])
        try writer.add("A", [])
      }
    }
    #expect(throws: ZIPError.unsafeName("../a", .leavesTheArchive)) { try written { try $0.add("../a", []) } }
    #expect(throws: ZIPError.cannotOpen(path: "/nonexistent", errno: ENOENT)) {
      try written { try $0.add("a", fileAt: "/nonexistent") }
    }
  }

  @Test func `an empty archive is valid`() throws {
    #expect(try ZIPArchive(bytes: written { _ in }).entries.isEmpty)
  }

  @Test func `an error of the destination is passed on`() {
    struct Full: Error {}
    let writer = ZIPWriter(modified: modified) { _ in throw Full() }
    #expect(throws: Full.self) { try writer.add("a", Array("hello".utf8)) }
  }
}
