import Glibc

/// What the system calls this process.
package enum ProcessIdentity {
  package static var own: Int { Int(getpid()) }
  package static var user: UInt32 { geteuid() }
  package static var standardOutputIsTerminal: Bool { isatty(1) == 1 }
}
