/// Numbers in one block of memory, without the bounds check that every access of an `Array` makes.
///
/// The searches of this room read a few numbers at random places hundreds of millions of times a second, and the checks
/// cost a fifth of that. It is safe because nothing outside this room gets hold of one, and every index is a stop, a
/// place or a product of both that this room made itself from checked input; a debug build checks each all the same, and
/// so do the tests, which run in one. The block lives as long as its owner, which cannot be copied.
@safe
struct FlatArray<Element: BitwiseCopyable>: ~Copyable {
  let count: Int
  fileprivate let base: UnsafeMutablePointer<Element>

  init(repeating value: Element, count: Int) {
    self.count = count
    unsafe base = .allocate(capacity: max(1, count))
    unsafe base.initialize(repeating: value, count: count)
  }

  /// Room for `count` elements, each of which must be written before it is read.
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

  /// Copies `count` elements of `other`, which begin at `source`, to `target`.
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
  /// Four numbers from `index` on.
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
