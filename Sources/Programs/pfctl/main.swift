import FoundationEssentials
import Glibc
import PoolCommands
import PoolPlatform
import PoolPost

let words = OwnProgram.arguments
let environment = ProcessInfo.processInfo.environment
// One file under two names: what both share, most of it the Swift runtime, is installed once.
if let name = words.first, name == PostMain.name || name.hasSuffix("/" + PostMain.name) {
  // Descriptors 0 to 2 must be taken before anything is opened, or a pipe could become "stdout".
  StandardDescriptors.fillHoles()
  exit(PostMain.run(Array(words.dropFirst()), environment: environment))
}
exit(Pfctl.run(Array(words.dropFirst()), environment: environment))
