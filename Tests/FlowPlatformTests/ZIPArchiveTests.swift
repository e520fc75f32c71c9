import FlowModel
import FlowPlatform
import Foundation
import Testing

private typealias Part = ZIPBuilder.Part

/// Reading of ZIP archives.
struct ZIPReadingTests {
  @Test func `stored and deflated entries and folders are read`() throws {
    let zip = try ZIPArchive(
      bytes: ZIPBuilder([Part("a.txt", "hello"), Part("media/"), Part("media/b.bin", "world").deflated()]).build())
    #expect(zip.entries.map(\.name) == ["a.txt", "media", "media/b.bin"])
    #expect(zip.entries.map(\.isFolder) == [false, true, false])
    #expect(zip.entries.map(\.method) == [.stored, .stored, .deflated])
    #expect(try zip.read(zip.entries[0], limit: 5) == Array("hello".utf8))
    #expect(try zip.read(zip.entries[2], limit: 5) == Array("world".utf8))
    #expect(zip.file(named: "media") == nil)
    #expect(zip.file(named: "A.TXT") == nil)
  }

  @Test func `an empty archive and an empty file are read`() throws {
    #expect(try ZIPArchive(bytes: ZIPBuilder([]).build()).entries.isEmpty)
    let zip = try ZIPArchive(bytes: ZIPBuilder([Part("stored"), Part("deflated").deflated()]).build())
    #expect(try zip.read(zip.entries[0], limit: 0) == [])
    #expect(try zip.read(zip.entries[1], limit: 0) == [])
  }

  @Test func `a comment, sizes after the data and unknown extra fields are accepted`() throws {
    var part = Part("a", "hello")
    part.flags |= 8
    part.localChecksum = 0
    part.localSize = 0
    part.localExtra = bytes(0x5455, 2) + bytes(5, 2) + [1, 0, 0, 0, 0]
    for isSigned in [true, false] {
      part.descriptor = ZIPBuilder.descriptor(part, signed: isSigned)
      let builder = ZIPBuilder([part, Part("b", "x")]).with { $0.comment = Array("PK\u{5}\u{6} is no end".utf8) }
      let zip = try ZIPArchive(bytes: builder.build())
      #expect(try zip.read(zip.entries[0], limit: 5) == Array("hello".utf8))
    }
  }

  @Test func `a file is read like its bytes, in chunks of 256 KiB`() throws {
    let content = String(repeating: "0123456789abcdef", count: 50_000)
    // An uncompressed deflate block has at most 65,535 bytes, so the large one is stored.
    let bytes = ZIPBuilder([Part("large", content), Part("small", "x").deflated()]).build()
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).zip").path
    defer { unlink(path) }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let zip = try ZIPArchive(path: path)
    #expect(try zip.read(zip.entries[0], limit: 1 << 20) == Array(content.utf8))
    #expect(try zip.read(zip.entries[1], limit: 1) == [UInt8(ascii: "x")])
    var pieces: [Int] = []
    try zip.extract(zip.entries[0]) { pieces.append($0.count) }
    #expect(pieces == [262_144, 262_144, 262_144, 800_000 - 3 * 262_144])
  }

  @Test func `an entry longer than the caller's limit is refused before it is read`() throws {
    let zip = try ZIPArchive(bytes: ZIPBuilder([Part("a", "hello")]).build())
    #expect(throws: ZIPError.entryTooLarge("a", bytes: 5, limit: 4)) { try zip.read(zip.entries[0], limit: 4) }
  }

  @Test func `a missing file, a folder, a link and a pipe are refused with the path`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer {
      for name in ["link", "pipe"] { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
    symlink("/etc/hostname", "\(folder)/link")
    mkfifo("\(folder)/pipe", 0o600)
    #expect(throws: ZIPError.cannotOpen(path: "\(folder)/none", errno: ENOENT)) {
      try ZIPArchive(path: "\(folder)/none")
    }
    for name in ["", "/link", "/pipe"] {
      #expect(throws: ZIPError.notARegularFile(path: folder + name)) { try ZIPArchive(path: folder + name) }
    }
    #expect("\(ZIPError.cannotOpen(path: "/x", errno: ENOENT))" == "cannot open '/x': No such file or directory")
  }
}

/// Archives that are refused, each for its own reason.
struct ZIPRefusalTests {
  struct Wrong: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]
    var error: ZIPError

    fileprivate init(
      _ name: String, _ parts: [Part], _ error: ZIPError, _ change: (inout ZIPBuilder) -> Void = { _ in }
    ) {
      testDescription = name
      bytes = ZIPBuilder(parts).with(change).build()
      self.error = error
    }
  }

  private static let file = Part("a", "hello")
  private static let described = file.with {
    $0.flags |= 8
    $0.descriptor = ZIPBuilder.descriptor($0)
  }
  private static let end = ZIPBuilder([]).build()

  static let containers: [Wrong] = [
    Wrong("bytes before the first entry", [file], .strayBytes(at: 0)) { $0.prefix = [0x23, 0x21] },
    Wrong("bytes between entries", [file, Part("b").with { $0.gap = [0] }], .strayBytes(at: 36)),
    Wrong("bytes before the directory", [file], .strayBytes(at: 36)) { $0.beforeDirectory = [1] },
    Wrong(
      "bytes after the directory", [file],
      .malformedDirectory("the directory does not end where the end record begins")
    ) {
      $0.beforeEnd = [1]
    },
    Wrong("two entries on one place", [file, Part("a2", "hello").with { $0.localOffset = 0 }], .strayBytes(at: 0)),
    Wrong("two end records", [file], .ambiguousEnd) { $0.comment = end },
    Wrong("more entries than said", [file, Part("b")], .malformedDirectory("the directory is longer than its entries"))
    {
      $0.count = 1
    },
    Wrong("fewer entries than said", [file], .malformedDirectory("entry 2 of 2 is missing")) { $0.count = 2 },
    Wrong("one of several disks", [file], .multipleDisks) { $0.disk = 1 },
    Wrong("an entry on another disk", [file.with { $0.disk = 1 }], .multipleDisks),
    Wrong("ZIP64 by count", [file], .zip64) { $0.count = 0xFFFF },
    Wrong("ZIP64 by offset", [file], .zip64) { $0.directoryOffset = 0xFFFF_FFFF },
    Wrong("ZIP64 by size", [file.with { $0.size = 0xFFFF_FFFF }], .zip64),
    Wrong("ZIP64 by extra field", [file.with { $0.centralExtra = bytes(1, 2) + bytes(0, 2) }], .zip64),
    Wrong("ZIP64 by local extra field", [file.with { $0.localExtra = bytes(1, 2) + bytes(0, 2) }], .zip64),
    Wrong(
      "extra fields that do not fit", [file.with { $0.centralExtra = [1, 2, 3] }],
      .malformedDirectory("the extra fields of an entry are too long")),
  ]

  static let entries: [Wrong] = [
    Wrong("encrypted", [file.with { $0.flags |= 1 }], .encrypted("a")),
    Wrong("strongly encrypted", [file.with { $0.flags |= 0x40 }], .encrypted("a")),
    Wrong("AES", [file.with { $0.centralExtra = bytes(0x9901, 2) + bytes(0, 2) }], .encrypted("a")),
    Wrong("patch data", [file.with { $0.flags |= 0x20 }], .unsupportedFlags("a", 0x820)),
    Wrong("bzip2", [file.with { $0.method = 12 }], .unknownMethod("a", 12)),
    Wrong("symbolic link", [file.with { $0.attributes = 0xA1ED_0000 }], .notAFile("a")),
    Wrong("character device", [file.with { $0.attributes = 0x2180_0000 }], .notAFile("a")),
    Wrong("pipe", [file.with { $0.attributes = 0x1180_0000 }], .notAFile("a")),
    Wrong("folder that looks like a file", [file.with { $0.attributes = 0x41ED_0000 }], .notAFile("a")),
    Wrong("DOS folder that looks like a file", [file.with { $0.attributes = 0x10 }], .notAFile("a")),
    Wrong("file that looks like a folder", [Part("a/").with { $0.attributes = 0x81A4_0000 }], .notAFile("a")),
    Wrong(
      "local name differs", [file.with { $0.localName = [UInt8(ascii: "b")] }],
      .headersDisagree("a", field: "name")),
    Wrong("local method differs", [file.with { $0.localMethod = 8 }], .headersDisagree("a", field: "method")),
    Wrong("local flags differ", [file.with { $0.localFlags = 0 }], .headersDisagree("a", field: "flags")),
    Wrong("local checksum differs", [file.with { $0.localChecksum = 1 }], .headersDisagree("a", field: "checksum")),
    Wrong("local size differs", [file.with { $0.localSize = 4 }], .headersDisagree("a", field: "size")),
    Wrong(
      "descriptor lies", [described.with { $0.descriptor = ZIPBuilder.descriptor($0, checksum: 7) }],
      .headersDisagree("a", field: "checksum")),
    Wrong("descriptor missing", [described.with { $0.descriptor = [] }], .strayBytes(at: 36)),
    Wrong(
      "stored data of two sizes", [file.with { $0.size = 4 }],
      .headersDisagree("a", field: "two sizes of stored data")),
    Wrong("same name twice", [file, file], .duplicateName("a")),
    Wrong("same name in other case", [file, Part("A")], .duplicateName("A")),
    Wrong("same name composed otherwise", [Part("\u{e9}"), Part("e\u{301}")], .duplicateName("e\u{301}")),
    Wrong("same name by folding", [Part("stra\u{df}e"), Part("STRASSE")], .duplicateName("STRASSE")),
    Wrong("file and folder of one name", [file, Part("a/")], .duplicateName("a")),
    Wrong("entry inside a file", [file, Part("a/b")], .unsafeName("a/b", .fileUsedAsFolder)),
    Wrong("folder with data", [Part("a/", "hello")], .unsafeName("a", .folderWithData)),
    Wrong(
      "a second name", [file.with { $0.centralExtra = bytes(0x7075, 2) + bytes(6, 2) + [1, 0, 0, 0, 0, 0x62] }],
      .unsafeName("a", .secondName)),
    Wrong(
      "a bomb",
      [
        file.with {
          $0.method = 8; $0.size = Limits.archiveRatioFrom + 1
        }
      ],
      .suspiciousRatio("a", compressed: 5, uncompressed: Limits.archiveRatioFrom + 1)),
    Wrong(
      "many large entries",
      (0...32).map { index in
        Part("\(index)", "x").with {
          $0.method = 8; $0.size = Limits.archiveRatioFrom
        }
      },
      .expandsTooFar(bytes: 33 * Limits.archiveRatioFrom, limit: Limits.archiveBytes)),
  ]

  static let names: [(name: [UInt8], fault: ZIPNameFault)] = [
    ([], .empty), (Array("../a".utf8), .leavesTheArchive), (Array("a/../../b".utf8), .leavesTheArchive),
    (Array("..".utf8), .leavesTheArchive), (Array("./../a".utf8), .leavesTheArchive),
    (Array("a/.././../b".utf8), .leavesTheArchive), (Array("a/..".utf8), .goesBack), (Array("a/../b".utf8), .goesBack),
    (Array("./a/../b/".utf8), .goesBack), (Array("/etc/x".utf8), .absolute), (Array("./C:/x".utf8), .absolute),
    (Array(".//a".utf8), .emptyPart), (Array(".//".utf8), .emptyPart), (Array(".//../a".utf8), .leavesTheArchive),
    (Array(".".utf8), .endsInDotOrSpace), (Array("a/.".utf8), .endsInDotOrSpace),
    (Array("./...".utf8), .endsInDotOrSpace),
    (Array("C:/x".utf8), .absolute), (Array("c:x".utf8), .absolute), (Array("..\\a".utf8), .backslash),
    (Array("a//b".utf8), .emptyPart), (Array("a\0b".utf8), .controlCharacter), (Array("a\nb".utf8), .controlCharacter),
    (Array("a\u{9b}b".utf8), .controlCharacter), (Array("pools.json.".utf8), .endsInDotOrSpace),
    (Array("pools.json ".utf8), .endsInDotOrSpace), ([0xFF, 0x41], .notUTF8),
    (Array(repeating: 0x61, count: 513), .tooLong),
  ]

  @Test(arguments: containers + entries)
  func `an invalid archive is refused with its specific fault`(_ wrong: Wrong) {
    #expect(throws: wrong.error) { try ZIPArchive(bytes: wrong.bytes) }
    #expect(!wrong.error.description.isEmpty)
    #expect(!wrong.error.isAboutTheFile)
  }

  @Test(arguments: [
    ("./a", "a"), ("././a", "a"), ("a/./b", "a/b"), ("./a/././b", "a/b"), ("./.a", ".a"), ("./a.b", "a.b"),
  ])
  func `a single-dot path component means the current folder`(name: String, plain: String) throws {
    let zip = try ZIPArchive(bytes: ZIPBuilder([Part("./"), Part(name, "hello")]).build())
    #expect(zip.entries.map(\.name) == [plain] && !zip.entries[0].isFolder)
    let entry = try #require(zip.file(named: plain))
    #expect(try zip.read(entry, limit: 5) == Array("hello".utf8))
    #expect(zip.file(named: name) == nil)
  }

  @Test func `a folder with single-dot components is a folder`() throws {
    let zip = try ZIPArchive(bytes: ZIPBuilder([Part("./media/./"), Part("./media/b", "x")]).build())
    #expect(zip.entries.map(\.name) == ["media", "media/b"] && zip.entries.map(\.isFolder) == [true, false])
  }

  @Test(arguments: [("./a", "a"), ("a/./b", "a/b"), ("././A", "./a")])
  func `a name with and without dots is a duplicate`(one: String, other: String) {
    for names in [[one, other], [other, one]] {
      let error = #expect(throws: ZIPError.self) {
        try ZIPArchive(bytes: ZIPBuilder(names.map { Part($0, "x") }).build())
      }
      guard case .duplicateName? = error else {
        Issue.record("\(names): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func `a name that could leave the folder is refused`() {
    for (name, fault) in Self.names {
      let bytes = ZIPBuilder([Part("").with { $0.name = name }]).build()
      #expect(throws: ZIPError.unsafeName(String(decoding: name, as: UTF8.self), fault)) {
        try ZIPArchive(bytes: bytes)
      }
    }
  }

  @Test func `data with a wrong checksum or size is refused during reading`() throws {
    let garbled = Self.file.with { $0.stored = Array("hellO".utf8) }
    let shorter = Part("a", "hello").deflated().with { $0.size = 4 }
    let longer = Part("a", "hello").deflated().with { $0.size = 6 }
    let trailing = Part("a", "hello").deflated().with { $0.stored.append(0) }
    let garbage = Part("a", "hello").deflated().with { $0.stored[0] = 7 }
    let cut = Part("a", "hello").deflated().with { $0.stored.removeLast() }
    for part in [shorter, longer, trailing, garbage, cut] {
      let zip = try ZIPArchive(bytes: ZIPBuilder([part]).build())
      #expect(throws: ZIPError.damagedData("a")) { try zip.read(zip.entries[0], limit: 10) }
    }
    let zip = try ZIPArchive(bytes: ZIPBuilder([garbled]).build())
    #expect(throws: ZIPError.wrongChecksum("a")) { try zip.read(zip.entries[0], limit: 10) }
  }

  @Test func `a name in an error is escaped and shortened`() {
    let error = ZIPError.encrypted("a\u{1b}[2J" + String(repeating: "x", count: 200))
    #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    #expect(error.description.count < 120)
  }
}
