import CSQLite
package import FlowModel
package import FoundationEssentials

/// Binds the values of a statement, in the order of its parameters.
package struct Binding {
  /// The receiver of the values.
  private enum Target {
    /// SQLite's statement.
    case sqlite(OpaquePointer)
    case server(any ServerParameters)
  }

  /// SQLite's result code of the first value it refused, else `SQLITE_OK`.
  private(set) var code = SQLITE_OK
  private(set) var texts: TextBuffers
  private let target: Target
  private var bound: Int32 = 0

  init(to handle: OpaquePointer, texts: TextBuffers) {
    target = .sqlite(handle)
    self.texts = texts
  }

  init(to parameters: any ServerParameters) {
    target = .server(parameters)
    texts = TextBuffers()
  }

  /// Binds the next parameter; lists only work on a server.
  package mutating func put(_ value: SQLValue) {
    switch value {
    case .integer(let number): put(number)
    case .real(let number): put(number)
    case .text(let text): put(text)
    case .uuid(let uuid): put(uuid)
    case .null(let kind): putNull(kind)
    case .integers(let numbers): serverParameters.append(numbers)
    case .texts(let texts): serverParameters.append(texts)
    }
  }

  /// The server's parameters; a statement for a file has no lists.
  private var serverParameters: any ServerParameters {
    guard case .server(let parameters) = target else { preconditionFailure("a list is bound in a SQLite file") }
    return parameters
  }

  package mutating func put(_ number: Int64) {
    switch target {
    case .sqlite(let handle): check(sqlite3_bind_int64(handle, next(), number))
    case .server(let parameters): parameters.append(number)
    }
  }

  package mutating func put(_ number: Double) {
    switch target {
    case .sqlite(let handle): check(sqlite3_bind_double(handle, next(), number))
    case .server(let parameters): parameters.append(number)
    }
  }

  package mutating func put(_ number: Int) { put(Int64(number)) }
  package mutating func put(_ instant: Timestamp) { put(instant.milliseconds) }
  package mutating func put<Entity>(_ id: EntityID<Entity>) { put(id.uuid) }

  private mutating func putNull(_ kind: SQLKind) {
    switch target {
    case .sqlite(let handle): check(sqlite3_bind_null(handle, next()))
    case .server(let parameters): parameters.appendNull(kind)
    }
  }

  package mutating func put(_ text: String) {
    switch target {
    case .sqlite(let handle):
      let buffer = texts.buffer(text.utf8.count)
      _ = buffer.initialize(from: text.utf8)
      bindBorrowed(buffer, to: handle)
    case .server(let parameters): parameters.append(text)
    }
  }

  package mutating func put(_ uuid: UUID) {
    switch target {
    case .sqlite(let handle):
      let buffer = texts.buffer(UUIDText.length)
      Self.write(uuid, to: UnsafeMutableRawBufferPointer(buffer))
      bindBorrowed(buffer, to: handle)
    case .server(let parameters): parameters.append(UUIDText.length) { Self.write(uuid, to: $0) }
    }
  }

  private static func write(_ uuid: UUID, to bytes: UnsafeMutableRawBufferPointer) {
    let parts = UUIDText.parts(of: uuid)
    bytes.storeBytes(of: parts.0.bigEndian, as: UInt64.self)
    bytes.storeBytes(of: parts.1.bigEndian, toByteOffset: 8, as: UInt64.self)
    bytes.storeBytes(of: parts.2.bigEndian, toByteOffset: 16, as: UInt64.self)
    bytes.storeBytes(of: parts.3.bigEndian, toByteOffset: 24, as: UInt64.self)
    bytes.storeBytes(of: parts.4.bigEndian, toByteOffset: 32, as: UInt32.self)
  }

  package mutating func put(_ number: Int64?) { if let number { put(number) } else { putNull(.integer) } }
  package mutating func put(_ number: Int?) { if let number { put(number) } else { putNull(.integer) } }
  package mutating func put(_ number: Double?) { if let number { put(number) } else { putNull(.real) } }
  package mutating func put(_ text: String?) { if let text { put(text) } else { putNull(.text) } }
  package mutating func put(_ instant: Timestamp?) { if let instant { put(instant) } else { putNull(.integer) } }
  package mutating func put<Entity>(_ id: EntityID<Entity>?) { if let id { put(id) } else { putNull(.text) } }

  private mutating func next() -> Int32 {
    bound += 1
    return bound
  }

  /// Keeps the result code of the first failure.
  private mutating func check(_ code: Int32) {
    if self.code == SQLITE_OK { self.code = code }
  }

  /// Binds text that SQLite reads in place, without copying it.
  private mutating func bindBorrowed(_ text: UnsafeMutableBufferPointer<UInt8>, to handle: OpaquePointer) {
    let parameter = next()
    // Without a destructor SQLite does not free the bytes; they outlive the binding.
    check(
      text.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(handle, parameter, $0.baseAddress, Int32($0.count), nil)
      })
  }
}

/// A buffer for the texts of bound values. SQLite reads them in place, which saves one allocation per text.
struct TextBuffers {
  /// The first block holds the texts of most statements, the largest those of two hundred pools.
  private static let (firstBlock, largestBlock) = (512, 65_536)

  private var block: UnsafeMutableBufferPointer<UInt8>?
  private var used = 0
  /// Earlier blocks that had no space for the next text.
  private var full: [UnsafeMutableBufferPointer<UInt8>] = []

  /// Reserves `count` bytes. The base address is never nil, because SQLite would bind NULL.
  mutating func buffer(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
    if let block, block.count - used >= count {
      defer { used += count }
      return UnsafeMutableBufferPointer(rebasing: block[used..<used + count])
    }
    let usual = min(block.map { 2 * $0.count } ?? Self.firstBlock, Self.largestBlock)
    if let block { full.append(block) }
    let new = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(count, usual))
    (block, used) = (new, count)
    return UnsafeMutableBufferPointer(rebasing: new[..<count])
  }

  /// Keeps the current block for new texts; SQLite must no longer read the old ones.
  mutating func reuse() {
    for block in full { block.deallocate() }
    full.removeAll(keepingCapacity: true)
    used = 0
  }

  /// Frees all blocks.
  mutating func deallocate() {
    reuse()
    block?.deallocate()
    block = nil
  }
}
