import FoundationEssentials
import Glibc
import PoolCommands

let process = ProcessInfo.processInfo
exit(Pfctl.run(Array(process.arguments.dropFirst()), environment: process.environment))
