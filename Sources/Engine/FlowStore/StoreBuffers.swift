/// Buffers that extensions of `Store` reuse from call to call, one of each type.
package final class StoreBuffers {
  private var buffers: [ObjectIdentifier: AnyObject] = [:]

  /// The buffer of this type; made when it is first used.
  package func buffer<Buffer: AnyObject>(_ make: () -> Buffer) -> Buffer {
    if let known = buffers[ObjectIdentifier(Buffer.self)] as? Buffer { return known }
    let made = make()
    buffers[ObjectIdentifier(Buffer.self)] = made
    return made
  }
}
