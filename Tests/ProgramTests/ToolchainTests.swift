import FlowTestKit
import Foundation
import Testing

/// The pinned Swift version, and the scripts' use of config/packages.sh and config/build.sh.
@Suite struct ToolchainTests {
  private static let tested = ((try? Files.text(Checkout.root + "/.swift-version")) ?? "").trimmingCharacters(
    in: .whitespacesAndNewlines)

  private static func scripts() throws -> [String: String] {
    let paths = ["config", "Tests/Service"].flatMap { folder in
      Files.names(in: "\(Checkout.root)/\(folder)").filter { $0.hasSuffix(".sh") }.map { "\(folder)/\($0)" }
    }
    return Dictionary(
      uniqueKeysWithValues: try (paths + [".ci/run"]).map { ($0, try Files.text("\(Checkout.root)/\($0)")) })
  }

  /// Runs `config/packages.sh` with a fake `swift` that reports `version`.
  private func packages(_ version: String) throws -> Answer {
    let scratch = try Scratch()
    let swift = try scratch.write("swift", "#!/bin/sh\necho 'Swift version \(version) (swift-RELEASE)'\n".utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift)
    return try Program.run(
      "\(Checkout.root)/config/packages.sh", [], in: scratch, environment: ["PATH": "\(scratch.path):/usr/bin:/bin"])
  }

  @Test(arguments: ["5.10", "6.0.3", "6.2.9"]) func `an older Swift is refused in one sentence`(version: String) throws
  {
    let answer = try packages(version)
    #expect(answer.code == 69 && answer.output == "", "\(answer)")
    #expect(answer.errors.hasPrefix("poolflow needs Swift 6.3 or later, and "), "\(answer)")
    #expect(answer.errors.contains("is \(version); ") && answer.errors.split(separator: "\n").count == 1, "\(answer)")
  }

  @Test(arguments: ["6.3", "6.3.9", "6.4", "6.10", "7.0"])
  func `an untested newer Swift gets a warning`(version: String) throws {
    let answer = try packages(version)
    #expect(
      answer.code == 0 && answer.errors.contains("tested with Swift \(Self.tested) (.swift-version)"), "\(answer)")
    #expect(answer.errors.contains("is \(version)\n"), "\(answer)")
  }

  @Test func `the tested Swift causes no message, and the README names it`() throws {
    let answer = try packages(Self.tested)
    #expect(answer.code == 0 && answer.output == "" && answer.errors == "", "\(answer)")
    #expect(Self.tested.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
    #expect(try Files.text(Checkout.root + "/README.md").contains("Swift \(Self.tested)"))
  }

  @Test func `every script builds with config/build.sh after config/packages.sh`() throws {
    var building = 0
    for (path, text) in try Self.scripts() where path != "config/build.sh" {
      let lines = text.split(separator: "\n").filter { !$0.trimmingPrefix(while: \.isWhitespace).hasPrefix("#") }
      #expect(!lines.contains { $0.contains("swift build") || $0.contains("swift test") }, "\(path)")
      let build = lines.firstIndex { $0.contains("config/build.sh") && !$0.contains("--show-bin-path") }
      guard let build else { continue }
      building += 1
      let packages = try #require(lines.firstIndex { $0.contains("config/packages.sh") }, "\(path)")
      #expect(packages < build, "\(path)")
    }
    #expect(building >= 5)
  }

  /// `.ci/run` fails if a test is skipped for a missing program, so this script must install all of them.
  @Test func `config/test-tools.sh installs every requirement of the tests`() throws {
    let script = try #require(try Self.scripts()["config/test-tools.sh"])
    let words = Set(script.split { !$0.isLetter && !$0.isNumber && $0 != "-" }.map(String.init))
    let requirements = try Files.text(Checkout.root + "/Tests/FlowTestKit/Requirement.swift")
    let packages = requirements.matches(of: /package: "([a-z0-9-]+)"/).map { String($0.1) }
    let modules = try Checkout.swiftTexts(below: "Tests").flatMap { text in
      text.matches(of: /\.python\("([a-z0-9]+)"\)/).map { String($0.1) }
    }
    #expect(packages.count > 15 && Set(modules).count >= 5)
    for name in packages + modules { #expect(words.contains(name), "\(name)") }
  }
}
