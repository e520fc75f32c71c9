internal import CLinux
internal import Glibc

/// The memory that this process has of the machine.
package enum ProcessMemory {
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
