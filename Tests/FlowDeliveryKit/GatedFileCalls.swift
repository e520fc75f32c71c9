package import FlowDelivery
import Glibc
import Synchronization

/// Simulates a kill at the n-th point, counted over all file calls and commits. From then on the process's calls have no
/// effect, as after a real kill.
package final class CrashGate: Sendable {
  private let crashAt: Int?
  private let passed = Mutex(0)

  package init(crashAt: Int?) {
    self.crashAt = crashAt
  }

  package var isDead: Bool { passed.withLock { count in crashAt.map { count >= $0 } ?? false } }
  package var points: Int { passed.withLock { $0 } }

  package func check() throws(SystemCallError) {
    if isDead { throw SystemCallError(code: EINTR) }
  }

  package func point() throws(SystemCallError) {
    try check()
    passed.withLock { $0 += 1 }
    try check()
  }
}

/// The real calls with a crash point before and after each change, errors on demand, and a hook.
package final class GatedFileCalls: SiteFileSystemCalls {
  /// A kind of call that changes the disk.
  package enum Step: String, CaseIterable, Sendable {
    case openFolder, makeFolder, create, write, sync, syncAll, close, move, remove, list, read, identity, replace
  }

  package struct Fault: Sendable {
    package let step: Step
    package let code: Int32
    /// The failing calls, counted from 1 for each step.
    package let calls: ClosedRange<Int>
    /// Restricts the fault to files or folders with this name, where the call has one.
    package var name: String?

    package init(step: Step, code: Int32, calls: ClosedRange<Int>, name: String? = nil) {
      self.step = step
      self.code = code
      self.calls = calls
      self.name = name
    }
  }

  private let real: any FileSystemCalls
  private let gate: CrashGate
  /// The maximum bytes of one write.
  private let longestWrite: Int
  private let afterMove: @Sendable () -> Void
  private let beforeSync: @Sendable () -> Void
  private let afterReplace: @Sendable (_ name: String) -> Void
  private let faults: Mutex<[Fault]>
  private let counts = Mutex<[Step: Int]>([:])
  private let opened = Mutex(0)
  /// Pretends that `new/` is on another file system.
  private let newIsElsewhere: Bool
  private let newDescriptor = Mutex<Int32>(-1)

  package init(
    _ real: any FileSystemCalls = LinuxFileSystemCalls(), gate: CrashGate = CrashGate(crashAt: nil),
    faults: [Fault] = [],
    longestWrite: Int = .max,
    newIsElsewhere: Bool = false,
    beforeSync: @escaping @Sendable () -> Void = {},
    afterMove: @escaping @Sendable () -> Void = {},
    afterReplace: @escaping @Sendable (_ name: String) -> Void = { _ in }
  ) {
    self.afterReplace = afterReplace
    self.real = real
    self.gate = gate
    self.longestWrite = longestWrite
    self.newIsElsewhere = newIsElsewhere
    self.afterMove = afterMove
    self.beforeSync = beforeSync
    self.faults = Mutex(faults)
  }

  /// The number of open descriptors.
  package var openDescriptors: Int { opened.withLock { $0 } }

  package func count(_ step: Step) -> Int { counts.withLock { $0[step] ?? 0 } }

  package func heal() { faults.withLock { $0 = [] } }

  private func at(_ step: Step, _ name: String? = nil) throws(SystemCallError) {
    let code = counts.withLock { counts -> Int32? in
      return faults.withLock { faults -> Int32? in
        let concerned = faults.filter { $0.step == step && ($0.name == nil || $0.name == name) }
        counts[step, default: 0] += 1
        return concerned.first { $0.calls.contains(counts[step] ?? 0) }?.code
      }
    }
    if let code { throw SystemCallError(code: code) }
  }

  package func openFolder(_ path: String) throws(SystemCallError) -> Int32 {
    try gate.check()
    try at(.openFolder)
    let folder = try real.openFolder(path)
    opened.withLock { $0 += 1 }
    return folder
  }

  package func openFolder(_ name: String, in folder: Int32) throws(SystemCallError) -> Int32 {
    try gate.check()
    try at(.openFolder)
    let folder = try real.openFolder(name, in: folder)
    opened.withLock { $0 += 1 }
    if newIsElsewhere, name == "new" { newDescriptor.withLock { $0 = folder } }
    return folder
  }

  package func makeFolder(_ name: String, in folder: Int32, mode: UInt32) throws(SystemCallError) {
    try gate.point()
    try at(.makeFolder, name)
    try real.makeFolder(name, in: folder, mode: mode)
    try gate.point()
  }

  package func identity(ofPath path: String) throws(SystemCallError) -> FileIdentity {
    try gate.check()
    try at(.identity)
    return try real.identity(ofPath: path)
  }

  package func identity(of name: String, in folder: Int32) throws(SystemCallError) -> FileIdentity {
    try gate.check()
    try at(.identity)
    return try real.identity(of: name, in: folder)
  }

  package func identity(of descriptor: Int32) throws(SystemCallError) -> FileIdentity {
    try gate.check()
    try at(.identity)
    let identity = try real.identity(of: descriptor)
    guard newDescriptor.withLock({ $0 == descriptor }) else { return identity }
    return FileIdentity(device: identity.device &+ 1, inode: identity.inode, isFolder: true)
  }

  package func names(in folder: Int32) throws(SystemCallError) -> [String] {
    try gate.check()
    try at(.list)
    return try real.names(in: folder)
  }

  package func create(_ name: String, in folder: Int32, mode: UInt32) throws(SystemCallError) -> Int32 {
    try gate.point()
    try at(.create, name)
    let file = try real.create(name, in: folder, mode: mode)
    opened.withLock { $0 += 1 }
    do { try gate.point() } catch {
      try close(file)
      throw error
    }
    return file
  }

  package func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemCallError) -> Int {
    try gate.point()
    try at(.write)
    // A kill may happen in the middle of a write.
    let half = try real.write(bytes.prefix(min(longestWrite, max(bytes.count / 2, 1))), to: descriptor)
    try gate.point()
    return half
  }

  package func sync(_ descriptor: Int32) throws(SystemCallError) {
    try gate.point()
    try at(.sync)
    beforeSync()
    try real.sync(descriptor)
    try gate.point()
  }

  package func syncAll(_ descriptor: Int32) throws(SystemCallError) {
    try gate.point()
    try at(.syncAll)
    beforeSync()
    try real.syncAll(descriptor)
    try gate.point()
  }

  package func close(_ descriptor: Int32) throws(SystemCallError) {
    // A dead process's descriptors are closed too, as the kernel does.
    opened.withLock { $0 -= 1 }
    try real.close(descriptor)
    try gate.point()
    try at(.close)
  }

  package func read(_ name: String, in folder: Int32, limit: Int) throws(SystemCallError) -> [UInt8] {
    try gate.check()
    try at(.read, name)
    return try real.read(name, in: folder, limit: limit)
  }

  package func move(_ name: String, from: Int32, to: Int32) throws(SystemCallError) {
    try gate.point()
    try at(.move, name)
    try real.move(name, from: from, to: to)
    afterMove()
    try gate.point()
  }

  package func remove(_ name: String, in folder: Int32) throws(SystemCallError) {
    try gate.point()
    try at(.remove, name)
    try real.remove(name, in: folder)
    try gate.point()
  }

  package func replace(_ name: String, by draft: String, in folder: Int32) throws(SystemCallError) {
    try gate.point()
    try at(.replace, name)
    try real.replace(name, by: draft, in: folder)
    afterReplace(name)
    try gate.point()
  }

  package func stamp(of name: String, in folder: Int32) throws(SystemCallError) -> FileStamp {
    try gate.check()
    try at(.identity, name)
    return try LinuxFileSystemCalls().stamp(of: name, in: folder)
  }

  package func removeFolder(_ name: String, in folder: Int32) throws(SystemCallError) {
    try gate.point()
    try at(.remove)
    try LinuxFileSystemCalls().removeFolder(name, in: folder)
    try gate.point()
  }
}
