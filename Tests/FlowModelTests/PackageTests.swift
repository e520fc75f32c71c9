import Foundation
import Testing

/// The targets of `Package.swift` and the modules that their sources import.
///
/// Both are read as text: the build plans all targets together, so a target that uses a module without declaring it compiles as
/// long as another target has built that module before.
struct PackageTests {
  /// A target as declared.
  struct Declaration: CustomTestStringConvertible, Sendable {
    let name: String
    /// The targets' names in its list of dependencies.
    let dependencies: Set<String>
    /// Its folder, relative to the package.
    let path: String

    var testDescription: String { name }
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The folders of the functions in `Package.swift` that declare a target.
  private static let folders: [Substring: String] = [
    "engine": "Sources/Engine", "cluster": "Sources/Cluster", "pools": "Sources/Pools", "stables": "Sources/Stables",
    "program": "Sources/Programs", "tests": "Tests",
  ]

  private static let declarations =
    (try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)).map(targets) ?? []

  /// The declarations whose folder exists: `config/without.sh` removes those of a folder of `Sources`.
  private static let present = declarations.filter {
    FileManager.default.fileExists(atPath: root.appending(path: $0.path).path)
  }

  private static let isComplete = present.count == declarations.count

  /// The targets that a package's text declares.
  private static func targets(in package: String) -> [Declaration] {
    let code = package.replacing(/(?m)^ *\/\/.*$/, with: "")
    let call = /(?:^|\s)(engine|cluster|pools|stables|program|tests|\.[a-zA-Z]+)\(\s*(?:name: )?"([^"]+)"/
    return code.matches(of: call).compactMap { match in
      let arguments = code[match.range.upperBound...].prefix(while: enclosed())
      let list = arguments.firstMatch(of: /^,\s*\[([^\]]*)\]/) ?? arguments.firstMatch(of: /dependencies: \[([^\]]*)\]/)
      let path = arguments.firstMatch(of: /path:\s*"([^"]+)"/).map { String($0.1) }
      guard let path = path ?? folders[match.1].map({ "\($0)/\(match.2)" }) else { return nil }
      let names = list.map { $0.1.matches(of: /"([^"]+)"/).map { String($0.1) } } ?? []
      return Declaration(name: String(match.2), dependencies: Set(names), path: path)
    }
  }

  /// A predicate for the characters of a call's arguments, up to its closing parenthesis.
  private static func enclosed() -> (Character) -> Bool {
    var depth = 1
    return { character in
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      return depth > 0
    }
  }

  /// The modules that the Swift files below a folder import.
  private static func imports(below path: String) throws -> Set<String> {
    let files = try #require(
      FileManager.default.enumerator(at: root.appending(path: path), includingPropertiesForKeys: nil))
    return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.reduce(into: []) { names, file in
      let source = try String(contentsOf: file, encoding: .utf8)
      names.formUnion(source.matches(of: /(?m)^ *(?:[\w@()]+ )*?import (?:[a-z]+ )?(\w+)/).map { String($0.1) })
    }
  }

  @Test func `every target is read from the package`() {
    let names = Self.declarations.map(\.name)
    #expect(names.count >= 90 && Set(names).count == names.count)
    for name in ["CSQLite", "FlowModel", "ClusterStore", "PoolControl", "Trades", "pfctl", "ProgramTests"] {
      #expect(names.contains(name))
    }
  }

  @Test(arguments: present)
  func `a target declares every module of the package that its sources import`(target: Declaration) throws {
    let own = Set(Self.declarations.map(\.name)).subtracting([target.name])
    let missing = try Self.imports(below: target.path).intersection(own).subtracting(target.dependencies)
    #expect(missing.isEmpty, "\(target.name) does not declare \(missing.sorted())")
  }

  /// A plugin runs its dependency, a program, instead of importing it. Without a folder of `Sources` its lines are missing in
  /// the lists of other targets, but not in the package.
  @Test(
    .enabled(if: isComplete, "only with all folders of Sources"), arguments: present.filter { $0.name != "WirePlugin" })
  func `a target declares no module that its sources do not import`(target: Declaration) throws {
    let unused = target.dependencies.subtracting(try Self.imports(below: target.path))
    #expect(unused.isEmpty, "\(target.name) does not import \(unused.sorted())")
  }

  @Test func `a target's declaration is read in each of its forms`() throws {
    let targets = Self.targets(
      in: """
        // engine("Comment", ["A"]),
        engine("B", ["A", "C"], pure),
        .target(name: "D", dependencies: ["B"], path: "Sources/D", swiftSettings: pure, plugins: ["P"]),
        .systemLibrary(name: "E", path: "Sources/E", pkgConfig: "e", providers: [.apt(["libe-dev"])]),
        tests("FTests", [], resources: [.copy("Fixtures")]),
        .product("G"),
        """)
    #expect(targets.map(\.name) == ["B", "D", "E", "FTests"])
    #expect(targets.map(\.dependencies) == [["A", "C"], ["B"], [], []])
    #expect(targets.map(\.path) == ["Sources/Engine/B", "Sources/D", "Sources/E", "Tests/FTests"])
  }
}
