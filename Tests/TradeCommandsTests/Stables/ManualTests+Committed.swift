import Foundation
import Testing
import TradeCommands

@testable import FlowCommandKit

// The committed manual has the commands of all trades.
extension ManualTests {
  @Test(arguments: ManPages(.every).names)
  func `the committed manual equals the generated one`(name: String) throws {
    let committed = try String(contentsOf: Self.config.appending(path: "man/\(name)"), encoding: .utf8)
    #expect(committed == ManPages(.every).page(name), "regenerate it: pfctl help --man \(name) >config/man/\(name)")
  }

  @Test func `the committed manual has no page that is not generated`() throws {
    let committed = try FileManager.default.contentsOfDirectory(atPath: Self.config.path + "/man")
    #expect(committed.sorted() == ManPages(.every).names.sorted())
  }
}
