/// A fixed-size array of plain values without bounds checks in release builds.
///
/// The route searches make hundreds of millions of random reads per second, and bounds checks cost a fifth of that. It is safe
/// because the type stays inside this module, and every index is a stop, a position or a product of both, derived from
/// validated input. Debug builds, and so the tests, check every index. The memory belongs to its owner, which cannot be copied.
@safe
struct FlatArray<Element: BitwiseCopyable>: ~Copyable {
  let count: Int
  fileprivate let base: UnsafeMutablePointer<Element>

  init(repeating value: Element, count: Int) {
    self.count = count
    unsafe base = .allocate(capacity: max(1, count))
    unsafe base.initialize(repeating: value, count: count)
  }

  /// Allocates `count` elements without initializing them; write each element before reading it.
  init(unwritten count: Int) {
    self.count = count
    unsafe base = .allocate(capacity: max(1, count))
  }

  deinit {
    unsafe base.deallocate()
  }

  @inline(__always)
  subscript(index: Int) -> Element {
    get {
      assert(index >= 0 && index < count)
      return unsafe base[index]
    }
    nonmutating set {
      assert(index >= 0 && index < count)
      unsafe base[index] = newValue
    }
  }

  @inline(__always)
  subscript(index: Int32) -> Element {
    get { self[Int(index)] }
    nonmutating set { self[Int(index)] = newValue }
  }

  /// Copies `count` elements of `other`, starting at index `source`, to index `target`.
  @inline(__always)
  func copy(_ count: Int, from other: borrowing FlatArray<Element>, at source: Int, to target: Int) {
    assert(count >= 0 && source >= 0 && target >= 0)
    assert(source + count <= other.count && target + count <= self.count)
    unsafe (base + target).update(from: other.base + source, count: count)
  }
}

extension FlatArray {
  init(_ elements: [Element], filler: Element) {
    self.init(repeating: filler, count: elements.count)
    for (index, element) in elements.enumerated() { self[index] = element }
  }

  var array: [Element] { (0..<count).map { self[$0] } }
}

extension FlatArray where Element == Double {
  /// The four numbers that start at `index`.
  @inline(__always)
  func four(at index: Int) -> SIMD4<Double> {
    assert(index >= 0 && index + 4 <= count)
    return unsafe UnsafeRawPointer(base + index).loadUnaligned(as: SIMD4<Double>.self)
  }

  @inline(__always)
  func store(_ numbers: SIMD4<Double>, at index: Int) {
    assert(index >= 0 && index + 4 <= count)
    unsafe UnsafeMutableRawPointer(base + index).storeBytes(of: numbers, as: SIMD4<Double>.self)
  }
}
