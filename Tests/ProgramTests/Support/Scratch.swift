import Foundation
import Glibc
import PoolTestKit

/// A folder of a test's own, in which sockets have short paths; it goes with the last reference to it.
final class Scratch: Sendable {
  private let own: TemporaryFolder
  var path: String { own.path }

  /// One place for all of them, so that a test that ends the process leaves nothing behind either.
  private static let root: String = {
    // Short: the path of a socket below it has 107 bytes at most.
    let path = "/tmp/poolflow-\(getpid())"
    mkdir(path, 0o755)
    atexit { Scratch.removeAll() }
    return path
  }()

  private static func removeAll() {
    // What is left over lies in a temporary place.
    try? FileManager.default.removeItem(atPath: root)
  }

  init() throws {
    own = try TemporaryFolder(at: "\(Self.root)/\(UUID().uuidString.prefix(8))")
  }

  /// Writes a file below the folder and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let file = "\(path)/\(name)"
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  /// A folder below this one.
  func folder(_ name: String) throws -> String {
    try own.make(name)
    return "\(path)/\(name)"
  }
}

/// What of the checkout the tests need.
enum Checkout {
  /// The programs lie beside the program that runs the tests.
  private static let binaries: String = {
    // Where the link cannot be read no program is found, and every test says so.
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: own).deletingLastPathComponent().path
  }()

  static let daemon = binaries + "/poolflowd"
  /// With `post` beside it, which it calls.
  static let pfctl: String = {
    _ = post
    return binaries + "/pfctl"
  }()
  /// The link of that name, as the package has it: the program is `pfctl`'s file.
  static let post: String = {
    let path = binaries + "/poolflow-post"
    // What an earlier build left under the name is another program; a link is there a second time.
    if FileManager.default.fileExists(atPath: path),
      (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil
    {
      try? FileManager.default.removeItem(atPath: path)
    }
    // Where it cannot be made, every start says so.
    try? FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "pfctl")
    return path
  }()
  /// Brings a store to the next release's shape.
  static let nextRelease = binaries + "/poolflow-next"

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  static let demo = root + "/config/demo"
  static let backup = demo + "/demo-backup.zip"
  /// Archives that a reader must accept or refuse.
  static let archives = root + "/Tests/PoolInterchangeTests/Fixtures/files"
  static let customers = demo + "/demo-customers.csv"
  static let stops = demo + "/stops.csv"

  /// The text of every Swift file below a folder of the checkout.
  static func swiftTexts(below folder: String) throws -> [String] {
    let root = "\(root)/\(folder)"
    return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
      .map { try Files.text("\(root)/\($0)") }
  }
}

enum Files {
  /// The names in a folder, in order; none where there is no folder.
  static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

  /// The lines of a file that a running program may be in the middle of writing: what has no end yet is no line yet. None
  /// where there is no file.
  static func wholeLines(_ path: String) throws -> [Substring] {
    guard exists(path) else { return [] }
    let text = try text(path)
    guard let end = text.lastIndex(of: "\n") else { return [] }
    return text[..<end].split(separator: "\n")
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Every file below a folder with its bytes: equal before and after where nothing was changed. A file that a running
  /// program renamed or removed between its being listed and its being read is not there.
  static func tree(_ folder: String) throws -> [String: [UInt8]] {
    try below(folder) { path, isFolder in isFolder ? [] : try bytes(path) }
  }

  /// What `read` makes of every file and folder below a folder, by its name there. What goes while it is being read is left
  /// out; any other error is the caller's.
  ///
  /// Foundation's enumerator leaves out more, without a word: where one folder goes before it, also others that stay.
  static func below<Fact>(
    _ folder: String, _ read: (_ path: String, _ isFolder: Bool) throws -> Fact
  ) throws -> [String: Fact] {
    var found: [String: Fact] = [:]
    var folders = [""]
    while let parent = folders.popLast() {
      for name in try unlessGone({ try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(parent)") }) ?? [] {
        let path = "\(folder)/\(parent)\(name)"
        var isFolder = ObjCBool(false)
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { continue }
        if isFolder.boolValue, (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil {
          folders.append("\(parent)\(name)/")
        }
        found[parent + name] = try unlessGone { try read(path, isFolder.boolValue) }
      }
    }
    return found
  }

  private static func unlessGone<Value>(_ read: () throws -> Value) throws -> Value? {
    do { return try read() } catch let error as CocoaError
      where [.fileNoSuchFile, .fileReadNoSuchFile].contains(error.code)
    { return nil }
  }
}
