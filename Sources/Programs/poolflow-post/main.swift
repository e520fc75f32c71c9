import FoundationEssentials
import Glibc
import PoolPlatform
import PoolPost

// Descriptors 0 to 2 must be taken before anything is opened, or a pipe could become "stdout".
StandardDescriptors.fillHoles()
exit(PostMain.run(Array(OwnProgram.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
