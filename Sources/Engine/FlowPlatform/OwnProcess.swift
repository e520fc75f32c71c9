import CLinux
import FlowModel
import Glibc

/// The arguments and the executable of this process; also without a mounted /proc, as in a bare chroot.
///
/// Swift's `CommandLine.arguments` reads /proc/self/cmdline and is empty without it, so `--state-dir` would be silently
/// ignored. The C library passes the arguments to each program that it starts.
package enum OwnProgram {
  /// All arguments, the program's name first.
  package static let arguments: [String] = {
    (0..<max(0, poolflow_argument_count())).compactMap { index in
      poolflow_argument(index).map { String(cString: $0) }
    }
  }()

  /// The path of the executable. The kernel's link refers to the running file even if another version has been
  /// installed at its path; without /proc, the path it was started with.
  package static var path: String? {
    var own = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(kernelLink, &own, own.count)
    if length > 0 { return String(decoding: own.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    return startedAs
  }

  /// The path of another poolflow program: beside this one, or in the usual system directories; nil if there is none.
  package static func siblingProgram(_ name: String) -> String? {
    let folder = path.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
    let places = [folder, "/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].compactMap { $0 }
    return places.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  static let kernelLink = "/proc/self/exe"

  /// False without /proc. `libdispatch` 6.3.1 reads the state of its threads there every second and traps if it cannot
  /// ("workq: registered worker exited prematurely").
  package static var hasProcFileSystem: Bool { access("/proc/self/stat", R_OK) == 0 }

  /// The path passed to execve(2).
  static var startedAs: String? { poolflow_started_as().map { String(cString: $0) } }
}

/// The process id, the user and the terminal of this process.
package enum ProcessIdentity {
  package static var own: Int { Int(getpid()) }
  package static var user: UInt32 { geteuid() }
  package static var standardOutputIsTerminal: Bool { isatty(1) == 1 }
}

/// Restarts the program in the same process (execv) with the same arguments. Memory is discarded and all files are
/// closed on exec, except the socket that systemd passed in.
package enum ProcessRestart {
  /// Executes the program again; returns only on failure.
  package static func restartInProcess() -> SystemFailure {
    var arguments: [UnsafeMutablePointer<CChar>?] = OwnProgram.arguments.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    // Threads of dispatch queues block all signals, and the mask is inherited across exec.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    ActivatedSocket.passToNextProgram()
    // /proc/self/exe runs the same version, even if another one has been installed at its path.
    execv(OwnProgram.kernelLink, &arguments)
    if let path = OwnProgram.startedAs, errno == ENOENT { execv(path, &arguments) }
    return SystemFailure("cannot restart in-process")
  }
}

/// The memory use of this process.
package enum ProcessMemory {
  /// Limits the memory that the allocator keeps: threads share a few arenas, and large blocks are returned to the
  /// kernel when freed. Otherwise each thread's own arena would stay at its maximum. Call it before any thread starts.
  package static func limitAllocator() {
    // Ignored by allocators without these settings.
    _ = poolflow_bound_allocator(Int32(Limits.memoryArenas), Int32(Limits.mappedAllocationBytes))
  }

  /// Returns freed memory to the kernel.
  ///
  /// The allocator keeps freed memory in the middle of its arenas indefinitely; after a burst of long replies this is
  /// most of the process. Takes a few milliseconds after such a burst, otherwise almost no time.
  package static func returnFreedMemory() {
    // The result, whether any memory was free, is not needed.
    _ = poolflow_give_memory_back()
  }

  /// The resident set size of this process in bytes; nil without /proc.
  package static var residentBytes: Int? {
    let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 128)
    let count = read(descriptor, &buffer, buffer.count)
    guard count > 0 else { return nil }
    let words = String(decoding: buffer[..<count], as: UTF8.self).split(separator: " ")
    return words.count > 1 ? Int(words[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
  }
}
