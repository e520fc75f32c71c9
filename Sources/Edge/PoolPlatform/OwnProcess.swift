import CLinux
import Glibc
import PoolModel

/// The program that runs: its arguments and its file, also where no /proc is mounted, as in a bare chroot.
///
/// Swift's own `CommandLine.arguments` reads /proc/self/cmdline and has none without it: `--state-dir` would be ignored in
/// silence. The C library hands the arguments to every program that it starts.
package enum OwnProgram {
  /// The program's name first.
  package static let arguments: [String] = {
    (0..<max(0, poolflow_argument_count())).compactMap { index in
      poolflow_argument(index).map { String(cString: $0) }
    }
  }()

  /// Its file: by the kernel's link, which leads to the very file whatever was installed in its place meanwhile, else by the
  /// name that it was started under.
  package static var path: String? {
    var own = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(kernelLink, &own, own.count)
    if length > 0 { return String(decoding: own.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self) }
    return startedAs
  }

  /// Another program of ours: beside this one, or where packages put it; nil where there is none.
  package static func neighbour(_ name: String) -> String? {
    let folder = path.flatMap { path in path.lastIndex(of: "/").map { String(path[..<$0]) } }
    let places = [folder, "/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].compactMap { $0 }
    return places.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  static let kernelLink = "/proc/self/exe"

  /// False without /proc. (`libdispatch` 6.3.1 reads there every second which of its threads run, and traps where it cannot:
  /// "workq: registered worker exited prematurely".)
  package static var canSeeItself: Bool { access("/proc/self/stat", R_OK) == 0 }

  /// The path that was given to execve(2).
  static var startedAs: String? { poolflow_started_as().map { String(cString: $0) } }
}

/// What the system calls this process.
package enum ProcessIdentity {
  package static var own: Int { Int(getpid()) }
  package static var user: UInt32 { geteuid() }
  package static var standardOutputIsTerminal: Bool { isatty(1) == 1 }
}

/// Begins a program anew under the same process id, with the same arguments: nothing of its memory and none of its open
/// files, which are all closed on exec, is left but the socket that the service manager gave it.
package enum SameProcess {
  /// Does not return where it succeeds.
  package static func beginAnew() -> SystemFailure {
    var arguments: [UnsafeMutablePointer<CChar>?] = OwnProgram.arguments.map { strdup($0) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    // A thread of a queue has every signal blocked, and the mask would be inherited.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    ActivatedSocket.handOver()
    // The file itself, whatever was installed in its place meanwhile.
    execv(OwnProgram.kernelLink, &arguments)
    if let path = OwnProgram.startedAs, errno == ENOENT { execv(path, &arguments) }
    return SystemFailure("cannot begin anew")
  }
}

/// The memory that this process has of the machine.
package enum ProcessMemory {
  /// Bounds what the allocator keeps: all threads share a few arenas, whose free memory is then every thread's, and what is
  /// long goes back as soon as it is free. With an arena of its own each thread keeps the most that it ever held.
  /// Called before any thread begins.
  package static func boundAllocator() {
    // An allocator that knows nothing of it keeps what it likes.
    _ = poolflow_bound_allocator(Int32(Limits.memoryArenas), Int32(Limits.memoryGivenBackAtOnce))
  }

  /// Gives free memory back to the machine.
  ///
  /// The allocator keeps what was freed in the middle of its arenas for ever, and every thread may have an arena: after a
  /// burst of long answers that is most of the process. Takes some milliseconds after such a burst and none after nothing.
  package static func giveBack() {
    // Whether anything was free is nobody's concern.
    _ = poolflow_give_memory_back()
  }

  /// Bytes that stand in the machine's memory for this process; nil without /proc.
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
