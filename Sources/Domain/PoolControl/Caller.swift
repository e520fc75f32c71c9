/// Who is calling, as the kernel says.
package struct Caller: Hashable, Sendable {
  package let uid: UInt32
  package let gid: UInt32
  package let pid: Int32
  /// Different for every connection of this process; uploads belong to one.
  package let connection: UInt64

  package init(uid: UInt32, gid: UInt32, pid: Int32, connection: UInt64) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.connection = connection
  }
}
