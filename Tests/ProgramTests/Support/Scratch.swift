import FlowTestKit
import Foundation
import Glibc

/// A test's own folder with a short path for sockets; it is removed with the last reference.
final class Scratch: Sendable {
  private let own: TemporaryFolder
  var path: String { own.path }

  /// The common parent of all of them, so that an exit of the test process removes everything.
  private static let root: String = {
    // A short path, because the path of a socket has at most 107 bytes.
    let path = "/tmp/poolflow-\(getpid())"
    mkdir(path, 0o755)
    atexit { Scratch.removeAll() }
    return path
  }()

  private static func removeAll() {
    // A failure is ignored: the folder is in /tmp.
    try? FileManager.default.removeItem(atPath: root)
  }

  init() throws {
    own = try TemporaryFolder(at: "\(Self.root)/\(UUID().uuidString.prefix(8))")
  }

  /// Writes a file in the folder and returns its path.
  @discardableResult
  func write(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let file = "\(path)/\(name)"
    try Data(bytes).write(to: URL(filePath: file))
    return file
  }

  /// Makes a subfolder and returns its path.
  func folder(_ name: String) throws -> String {
    try own.make(name)
    return "\(path)/\(name)"
  }
}

/// Paths of the checkout and of the built programs.
enum Checkout {
  /// The programs are in the folder of the test executable.
  private static let binaries: String = {
    // If the link is unreadable, no program is found and every test reports that.
    let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(filePath: own).deletingLastPathComponent().path
  }()

  static let daemon = binaries + "/poolflowd"
  /// pfctl runs `poolflow-post` from its own folder, so the link is created first.
  static let pfctl: String = {
    _ = post
    return binaries + "/pfctl"
  }()
  /// A symbolic link to pfctl, as in the package.
  static let post: String = {
    let path = binaries + "/poolflow-post"
    // An earlier build may have left a program of this name; an existing link is kept.
    if FileManager.default.fileExists(atPath: path),
      (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil
    {
      try? FileManager.default.removeItem(atPath: path)
    }
    // If the link cannot be created, every start reports that.
    try? FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "pfctl")
    return path
  }()
  /// The next release's program, which migrates a store to its schema.
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

/// Helpers for reading files and folders.
enum Files {
  /// The names in a folder, sorted; empty if the folder does not exist.
  static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  static func bytes(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

  static func text(_ path: String) throws -> String { String(decoding: try bytes(path), as: UTF8.self) }

  /// The complete lines of a file that a running program may be writing; empty if the file does not exist.
  static func wholeLines(_ path: String) throws -> [Substring] {
    guard exists(path) else { return [] }
    let text = try text(path)
    guard let end = text.lastIndex(of: "\n") else { return [] }
    return text[..<end].split(separator: "\n")
  }

  static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Every file below a folder with its bytes. A file renamed or removed by a running program meanwhile is left out.
  static func tree(_ folder: String) throws -> [String: [UInt8]] {
    try below(folder) { path, isFolder in isFolder ? [] : try bytes(path) }
  }

  /// The results of `read` for every file and folder below `folder`, by relative path. A file that disappears meanwhile is
  /// left out; other errors are thrown.
  ///
  /// Foundation's enumerator is not used: when a folder disappears, it silently skips others that still exist.
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
