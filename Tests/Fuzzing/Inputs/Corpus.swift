import Foundation

/// The inputs in `Tests/Fuzzing/Corpus`: seeds, interesting inputs from fuzz runs, and inputs that once broke a property.
package enum Corpus {
  /// The files of one input, by name.
  package static func files(of input: FuzzInput) throws -> [(name: String, bytes: [UInt8])] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Corpus").appendingPathComponent(input.rawValue)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
    return try names.sorted().map { ($0, Array(try Data(contentsOf: folder.appendingPathComponent($0)))) }
  }

  /// Checks every file of `input` in a debug build, with fifty times the promised duration.
  ///
  /// - Returns: the number of files, and a sentence for each that breaks a property.
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
