import Testing

/// The entry point of the test program, under the name by which SwiftPM knows one.
///
/// Without it SwiftPM looks for XCTest cases in the index store, which every compilation would then have to write. There are none.
@main struct TestProgram {
  static func main() async {
    // `swift test` runs the program once for each testing library, and first asks for a list of XCTest's tests.
    guard CommandLine.arguments.contains("swift-testing") else {
      return print(CommandLine.arguments.contains("--dump-tests-json") ? #"{"name": "All tests", "tests": []}"# : "")
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
