internal import CLinux
internal import Glibc

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

  static let kernelLink = "/proc/self/exe"

  /// False without /proc. (`libdispatch` 6.3.1 reads there every second which of its threads run, and traps where it cannot:
  /// "workq: registered worker exited prematurely".)
  package static var canSeeItself: Bool { access("/proc/self/stat", R_OK) == 0 }

  /// The path that was given to execve(2).
  static var startedAs: String? { poolflow_started_as().map { String(cString: $0) } }
}
