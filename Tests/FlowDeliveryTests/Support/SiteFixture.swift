import FlowDelivery
import FlowTestKit
import Foundation
import Glibc
import Testing

/// A web server's folder, obstacles placed in it, and checks of its pages.
struct SiteFixture: Sendable {
  /// An obstacle that blocks a team's `today.html`.
  enum Obstacle: CaseIterable, Sendable {
    case emptyFolder, fullFolder, draftFolder, link, danglingLink, file, pipe

    /// True if every page of the folder is blocked.
    var isWholeFolder: Bool {
      switch self {
      case .emptyFolder, .fullFolder, .draftFolder: false
      case .link, .danglingLink, .file, .pipe: true
      }
    }

    /// The text of the operator's notice.
    var words: String {
      switch self {
      case .emptyFolder, .fullFolder: "/today.html' is a folder, but must be a page; move it away"
      case .draftFolder:
        "/today.html' is a folder, named '.today.html.new', but must be the draft of this page; move it away"
      case .link, .danglingLink: "is a symbolic link, but must be a folder of pages; move it away"
      case .file: "is a file, but must be a folder of pages; move it away"
      case .pipe: "is a device, pipe or socket, but must be a folder of pages; move it away"
      }
    }
  }

  /// A change of `today.html` that the next update repairs.
  enum Change: CaseIterable, Sendable {
    case removed, folderRemoved, emptied, lengthened, replaced, link, hardLink, draftHardLink, pipe, unreadable
  }

  let folder: TemporaryFolder
  /// Files outside the web server's folder, which must never change.
  private let elsewhere: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder(inMemory: true)
    elsewhere = try TemporaryFolder(inMemory: true)
    try elsewhere.write("mine", "mine")
  }

  /// A sink that compares all files at each update.
  func sink(_ sites: FakeSites, _ calls: any SiteFileSystemCalls = LinuxFileSystemCalls()) -> PublishSink {
    PublishSink(name: "web", path: folder.path, source: sites, bounds: .init(checkInterval: .zero), calls: calls)
  }

  func bytes(_ team: Int64, _ file: String, name: String? = nil) -> [UInt8]? {
    // Nil for a missing file.
    try? folder.bytes("p/\(name ?? FakeSites.name(team))/\(file)")
  }

  /// Whether a team's pages contain these words, in regular files of their own.
  func isCurrent(_ words: String, _ team: Int64, name: String? = nil) -> Bool {
    FakeSites.files(words, team).allSatisfy { file, bytes in
      var status = stat()
      return lstat("\(folder.path)/p/\(name ?? FakeSites.name(team))/\(file)", &status) == 0
        && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o777 == 0o644
        && self.bytes(team, file, name: name) == bytes
    }
  }

  /// True if no file outside the web server's folder was written.
  var isUntouched: Bool { (try? elsewhere.bytes("mine")) == Array("mine".utf8) }

  private func path(_ team: Int64, _ file: String? = nil) -> String {
    "\(folder.path)/p/\(FakeSites.name(team))" + (file.map { "/\($0)" } ?? "")
  }

  func put(_ obstacle: Obstacle, team: Int64) throws {
    let page = path(team, "today.html")
    let files = FileManager.default
    if obstacle.isWholeFolder {
      try? files.moveItem(atPath: path(team), toPath: "\(elsewhere.path)/\(team)-\(UUID().uuidString)")
    } else {
      try? files.removeItem(atPath: path(team, obstacle == .draftFolder ? ".today.html.new" : "today.html"))
    }
    switch obstacle {
    case .emptyFolder: try files.createDirectory(atPath: page, withIntermediateDirectories: true)
    case .fullFolder: try files.createDirectory(atPath: page + "/inside", withIntermediateDirectories: true)
    case .draftFolder:
      try files.createDirectory(atPath: path(team, ".today.html.new"), withIntermediateDirectories: true)
      // Otherwise the page would need no write.
      try? files.removeItem(atPath: page)
    case .link:
      let moved = try #require(try files.contentsOfDirectory(atPath: elsewhere.path).first { $0.hasPrefix("\(team)-") })
      try #require(symlink("\(elsewhere.path)/\(moved)", path(team)) == 0)
    case .danglingLink: try #require(symlink("\(elsewhere.path)/nowhere", path(team)) == 0)
    case .file: try Data("mine".utf8).write(to: URL(filePath: path(team)))
    case .pipe: try #require(mkfifo(path(team), 0o644) == 0)
    }
  }

  func remove(_ obstacle: Obstacle, team: Int64) throws {
    let place: String
    switch obstacle {
    case .emptyFolder, .fullFolder: place = path(team, "today.html")
    case .draftFolder: place = path(team, ".today.html.new")
    case .link, .danglingLink, .file, .pipe: place = path(team)
    }
    try FileManager.default.removeItem(atPath: place)
  }

  func make(_ change: Change, team: Int64) throws {
    let (page, files) = (path(team, "today.html"), FileManager.default)
    let mine = elsewhere.path + "/mine"
    switch change {
    case .removed: try #require(unlink(page) == 0)
    case .folderRemoved: try files.removeItem(atPath: path(team))
    case .emptied: try #require(truncate(page, 0) == 0)
    case .lengthened: try Data("more".utf8).append(to: page)
    case .replaced:
      try #require(unlink(page) == 0)
      try Data("another".utf8).write(to: URL(filePath: page))
    case .link:
      try #require(unlink(page) == 0 && symlink(mine, page) == 0)
    case .hardLink:
      try #require(unlink(page) == 0 && Glibc.link(mine, page) == 0)
    case .draftHardLink:
      try #require(unlink(page) == 0 && Glibc.link(mine, path(team, ".today.html.new")) == 0)
    case .pipe:
      try #require(unlink(page) == 0 && mkfifo(page, 0o644) == 0)
    case .unreadable: try #require(chmod(page, 0) == 0)
    }
  }

  // MARK: Immutable files

  private static let immutable: UInt32 = 0x10

  /// Sets or clears a file's immutable flag (chattr +i).
  private static func freeze(_ path: String, _ isFrozen: Bool) -> Bool {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { return false }
    defer { close(file) }
    var flags: UInt32 = 0
    guard ioctl(file, 0x8008_6601, &flags) == 0 else { return false }
    flags = isFrozen ? flags | immutable : flags & ~immutable
    return ioctl(file, 0x4008_6602, &flags) == 0
  }

  static let mayFreeze: Bool = {
    guard let folder = try? TemporaryFolder(inMemory: true) else { return false }
    try? folder.write("file", "")
    return freeze(folder.path + "/file", true) && freeze(folder.path + "/file", false)
  }()

  func freeze(_ team: Int64, _ isFrozen: Bool) throws {
    try #require(Self.freeze(path(team, "today.html"), isFrozen))
  }
}

extension Data {
  fileprivate func append(to path: String) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path))
    try file.seekToEnd()
    try file.write(contentsOf: self)
    try file.close()
  }
}
