import FoundationEssentials
import Glibc
import PoolCommands
import PoolPlatform

exit(Pfctl.run(Array(OwnProgram.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
