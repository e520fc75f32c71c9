import Foundation
import Glibc

/// The baseline of all delivery: files created, written, flushed and renamed one by one with plain calls.
enum RawDisk {
  /// Creates `count` files whose contents are `contents` in turn, in two new folders below `folder`.
  ///
  /// - Returns: files per second, and the median time of one fsync in ms.
  static func rate(files count: Int, _ contents: [[UInt8]], in folder: URL) throws -> (files: Double, fsync: Double) {
    let (staging, new) = (folder.appendingPathComponent("staging").path, folder.appendingPathComponent("new").path)
    for path in [staging, new] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    var syncs: [Double] = []
    let took = try milliseconds {
      for number in 0..<count {
        let bytes = contents[number % contents.count]
        let file = open("\(staging)/\(number)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
        guard file >= 0, write(file, bytes, bytes.count) == bytes.count else {
          throw BenchFailure(description: "cannot write below '\(staging)'")
        }
        var code: Int32 = 0
        syncs.append(milliseconds { code = fsync(file) })
        close(file)
        guard code == 0, rename("\(staging)/\(number)", "\(new)/\(number)") == 0 else {
          throw BenchFailure(description: "cannot write below '\(new)'")
        }
      }
    }
    return (Double(count) / took * 1_000, syncs.sorted()[syncs.count / 2])
  }
}
