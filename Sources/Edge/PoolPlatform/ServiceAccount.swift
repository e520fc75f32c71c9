internal import Glibc

/// The service that the package installs: the places and the user that its units name.
///
/// A person may run `poolflowd` or `pfctl` by hand, as root or as the service's user. What they write must then lie where the
/// service looks, and belong to its user.
package struct ServiceAccount: Hashable, Sendable {
  /// `User=` and `StateDirectory=` of units/poolflowd.service.
  package static let name = "poolflow"
  package static let stateDirectory = "/var/lib/poolflow"

  package let user: UInt32
  package let group: UInt32

  package init(user: UInt32, group: UInt32) {
    self.user = user
    self.group = group
  }

  /// The service's user on this machine; nil where it has no service.
  ///
  /// systemd gives the state directory to the unit's user at each start. So its owner is the user also where a drop-in names
  /// another; before the first start it is the user that the package makes.
  package static func ofThisMachine() -> ServiceAccount? {
    if let facts = FileFacts(of: stateDirectory), facts.owner != 0 {
      return ServiceAccount(user: facts.owner, group: facts.group)
    }
    return Accounts.account(named: name)
  }

  /// Whose the files in a state directory are to be, where root works in it; nil where they are the caller's own.
  package static func owner(of state: String, uid: UInt32 = ProcessIdentity.user) -> ServiceAccount? {
    guard uid == 0 else { return nil }
    if let facts = FileFacts(of: state), facts.owner != 0 {
      return ServiceAccount(user: facts.owner, group: facts.group)
    }
    return instance(of: state) == nil ? nil : ofThisMachine()
  }

  /// The instance whose unit has this state directory: empty for `poolflowd.service`, `north` for `poolflowd@north.service`;
  /// nil for any other directory.
  package static func instance(of state: String) -> String? {
    if state == stateDirectory { return "" }
    let prefix = stateDirectory + "-"
    guard state.hasPrefix(prefix) else { return nil }
    let name = String(state.dropFirst(prefix.count))
    return name.isEmpty || name.contains("/") || name == "post" ? nil : name
  }

  /// The command that recovers a state directory, as a person types it: as root where a unit owns it.
  ///
  /// - Parameter words: `restore BACKUP`, `retry` or `reset`.
  package static func recoverCommand(_ words: String, state: String) -> String {
    switch instance(of: state) {
    case ""?: "sudo poolflowd --recover \(words)"
    case let name?:
      "sudo env CONFIGURATION_DIRECTORY=/etc/poolflow/\(name) STATE_DIRECTORY=\(state) poolflowd --recover \(words)"
    case nil: "poolflowd --state-dir '\(state)' --recover \(words)"
    }
  }

  /// Gives the service the state directory, and everything below it, that belongs to root: what root made there.
  package func adopt(state: String) throws(SystemFailure) {
    // The directory itself may be a link; below it links are given away themselves, never followed.
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
