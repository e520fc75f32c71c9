internal import Glibc

/// The user and state directory of the installed service, as named in its units.
///
/// An operator may run `poolflowd` or `pfctl` as root or as the service's user. The files they write must be where the
/// service reads them, and belong to the service's user.
package struct ServiceAccount: Hashable, Sendable {
  /// `User=` and `StateDirectory=` in units/poolflowd.service.
  package static let name = "poolflow"
  package static let stateDirectory = "/var/lib/poolflow"

  package let user: UInt32
  package let group: UInt32

  package init(user: UInt32, group: UInt32) {
    self.user = user
    self.group = group
  }

  /// The service's user on this machine; nil if the service is not installed.
  ///
  /// systemd chowns the state directory to the unit's user at each start. So its owner is the right user even if a
  /// drop-in changed `User=`; before the first start it is the user that the package creates.
  package static func ofThisMachine() -> ServiceAccount? {
    if let facts = FileFacts(of: stateDirectory), facts.owner != 0 {
      return ServiceAccount(user: facts.owner, group: facts.group)
    }
    return Accounts.account(named: name)
  }

  /// The owner that files in a state directory must get when root writes them; nil if they belong to the caller.
  package static func owner(of state: String, uid: UInt32 = ProcessIdentity.user) -> ServiceAccount? {
    guard uid == 0 else { return nil }
    if let facts = FileFacts(of: state), facts.owner != 0 {
      return ServiceAccount(user: facts.owner, group: facts.group)
    }
    return instance(of: state) == nil ? nil : ofThisMachine()
  }

  /// The systemd instance with this state directory: empty for `poolflowd.service`, `north` for
  /// `poolflowd@north.service`; nil for any other directory.
  package static func instance(of state: String) -> String? {
    if state == stateDirectory { return "" }
    let prefix = stateDirectory + "-"
    guard state.hasPrefix(prefix) else { return nil }
    let name = String(state.dropFirst(prefix.count))
    return name.isEmpty || name.contains("/") || name == "post" ? nil : name
  }

  /// The shell command that recovers a state directory, with `sudo` if a unit owns the directory.
  ///
  /// - Parameter words: the arguments after `--recover`: `restore BACKUP`, `retry` or `reset`.
  package static func recoverCommand(_ words: String, state: String) -> String {
    switch instance(of: state) {
    case ""?: "sudo poolflowd --recover \(words)"
    case let name?:
      "sudo env CONFIGURATION_DIRECTORY=/etc/poolflow/\(name) STATE_DIRECTORY=\(state) poolflowd --recover \(words)"
    case nil: "poolflowd --state-dir '\(state)' --recover \(words)"
    }
  }

  /// Changes the owner of root's files in the state directory, and of the directory itself, to the service's user.
  package func adopt(state: String) throws(SystemFailure) {
    // The trailing slash follows the directory if it is a link. Links inside it are chowned themselves, not followed.
    try adopt(state + "/")
  }

  private func adopt(_ path: String) throws(SystemFailure) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      if errno == ENOENT { return }
      throw SystemFailure("cannot look at '\(path)'")
    }
    if status.st_uid == 0, lchown(path, user, group) != 0 {
      throw SystemFailure("cannot give '\(path)' to its service")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return }
    for name in try PrivateFiles.names(in: path) { try adopt(path.hasSuffix("/") ? path + name : "\(path)/\(name)") }
  }
}
