import Glibc

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
