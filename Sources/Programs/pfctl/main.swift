import FlowCommandKit
import FlowNotices
import FlowPlatform
import FlowPost
import FoundationEssentials
import Glibc
import TradeCommands

let words = OwnProgram.arguments
let environment = ProcessInfo.processInfo.environment
// One executable under two names, so that shared code, mostly the Swift runtime, is installed once.
if let name = words.first, name == PostMain.name || name.hasSuffix("/" + PostMain.name) {
  // Fill descriptors 0 to 2 before opening anything, or a pipe could become "stdout".
  StandardDescriptors.openMissing()
  exit(
    PostMain.run(Array(words.dropFirst()), environment: environment, detailTypes: .ofAllTrades))
}
exit(Pfctl.run(Array(words.dropFirst()), environment: environment, catalogue: .every))
