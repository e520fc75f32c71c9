import Foundation

/// The inputs kept in `Tests/Fuzzing/Corpus`: seeds, what a fuzz run found interesting, and what once broke a law.
package enum Corpus {
  /// The files of one input, by name.
  package static func files(of input: FuzzInput) throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Corpus").appendingPathComponent(input.rawValue)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
    return try names.sorted().map { ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0)))) }
  }

  /// Checks every file of `input`, as a debug build: fifty times slower than promised is let pass.
  ///
  /// - Returns: how many files there are, and a sentence for each that breaks a law.
  package static func replay(_ input: FuzzInput) throws -> (count: Int, broken: [String]) {
    let files = try files(of: input)
    var broken: [String] = []
    for (name, bytes) in files {
      do throws(BrokenLaw) {
        try input.check(bytes, TimeLimit(slack: 50))
      } catch {
        broken.append("\(input.rawValue)/\(name): \(error)")
      }
    }
    return (files.count, broken)
  }
}
