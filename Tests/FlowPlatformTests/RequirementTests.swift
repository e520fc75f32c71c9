import FlowTestKit
import Testing

/// Detection of programs and rights that tests need.
struct RequirementTests {
  private static let absent = Requirement.program("no-such-program", package: "no-such-package")

  @Test func `a missing program is named with the command that installs it`() {
    let words = "needs no-such-program: config/packages.sh no-such-package"
    #expect(!Self.absent.isMet)
    #expect(Requirement.missing([Self.absent]) == words)
    #expect { try Self.absent.path() } throws: { "\($0)" == words }
  }

  @Test func `only the missing requirements are named`() {
    let shell = Requirement.program("sh", package: "dash")
    #expect(shell.isMet && Requirement.missing([shell]) == nil && Requirement.missing([]) == nil)
    let module = Requirement.python("no_such_module")
    #expect(
      Requirement.missing([Self.absent, shell, module])
        == "needs no-such-program: config/packages.sh no-such-package; needs Python's no_such_module: config/test-tools.sh"
    )
  }

  @Test func `a program has a path, other requirements have none`() throws {
    #expect(try Requirement.program("sh", package: "dash").path().hasSuffix("/sh"))
    #expect(throws: MissingRequirement.self) { try Requirement.root.path() }
  }
}
