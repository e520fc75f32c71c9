import Foundation
import Glibc

/// A folder of a test, removed with the last reference.
package final class TemporaryFolder: Sendable {
  package let path: String

  /// - Parameter inMemory: true to use memory if the machine has such a folder, for tests that flush thousands of files.
  package convenience init(inMemory: Bool = false) throws {
    let isMemory = inMemory && FileManager.default.isWritableFile(atPath: "/dev/shm")
    let parent = isMemory ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    try self.init(at: parent + "/poolflow-test-\(UUID().uuidString)")
  }

  /// - Parameter path: a path that does not exist yet.
  package init(at path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit {
    // Leftovers of a test do no harm.
    try? FileManager.default.removeItem(atPath: path)
  }

  package func names(_ folder: String) -> [String] {
    // A missing folder has no names.
    ((try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []).sorted()
  }

  package func bytes(_ file: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: "\(path)/\(file)")))
  }

  package func write(_ file: String, _ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/\(file)"))
  }

  package func make(_ folder: String) throws {
    try FileManager.default.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
  }

  package func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(path)/\(name)")
  }

  package func mode(_ name: String) -> UInt32 {
    var status = stat()
    return lstat("\(path)/\(name)", &status) == 0 ? status.st_mode & 0o7777 : 0
  }
}
