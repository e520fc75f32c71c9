internal import CLinux
internal import Glibc

/// The user, groups and process at the other end of a local socket, as the kernel recorded them when the connection was
/// made.
package struct PeerCredentials: Hashable, Sendable {
  package let uid: UInt32
  package let gid: UInt32
  package let pid: Int32
  /// Supplementary groups.
  package let groups: [UInt32]

  package init(uid: UInt32, gid: UInt32, pid: Int32, groups: [UInt32]) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.groups = groups
  }

  package init(of socket: UnixSocket) throws(SocketError) {
    var uid: UInt32 = 0
    var gid: UInt32 = 0
    var pid: Int32 = 0
    guard poolflow_peer_credentials(socket.descriptor, &uid, &gid, &pid) == 0 else {
      throw .failed(operation: "learn who is calling", path: nil, errno: errno)
    }
    // Linux allows 65,536 groups per process; try the usual number first.
    var groups: [UInt32] = []
    for capacity in [64, 65_536] {
      var found = [UInt32](repeating: 0, count: capacity)
      let count = poolflow_peer_groups(socket.descriptor, &found, Int32(capacity))
      if count >= 0 {
        groups = Array(found.prefix(Int(count)))
        break
      }
      // Kernels without SO_PEERGROUPS: only the primary group is known.
      guard errno == ERANGE else { break }
    }
    self.init(uid: uid, gid: gid, pid: pid, groups: groups)
  }

  package func isMember(of group: UInt32) -> Bool {
    gid == group || groups.contains(group)
  }
}

/// The machine's database of users and groups.
package enum Accounts {
  /// The effective user of this process.
  package static var ownUID: UInt32 { geteuid() }

  /// The id of the group with this name; nil if there is none.
  package static func groupID(named name: String) -> UInt32? {
    var buffer = [CChar](repeating: 0, count: 64 << 10)
    var entry = group()
    var found: UnsafeMutablePointer<group>?
    guard getgrnam_r(name, &entry, &buffer, buffer.count, &found) == 0, let found else { return nil }
    return found.pointee.gr_gid
  }

  /// The id of the user with this name; nil if there is none.
  package static func userID(named name: String) -> UInt32? { account(named: name)?.user }

  /// The user of this name and its primary group; nil if there is none.
  static func account(named name: String) -> ServiceAccount? {
    var buffer = [CChar](repeating: 0, count: 16 << 10)
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    guard getpwnam_r(name, &entry, &buffer, buffer.count, &found) == 0, let found else { return nil }
    return ServiceAccount(user: found.pointee.pw_uid, group: found.pointee.pw_gid)
  }

  /// The name of the user with this id; nil if there is none.
  package static func userName(_ uid: UInt32) -> String? {
    var buffer = [CChar](repeating: 0, count: 16 << 10)
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    guard getpwuid_r(uid, &entry, &buffer, buffer.count, &found) == 0, let found else { return nil }
    return String(cString: found.pointee.pw_name)
  }
}
