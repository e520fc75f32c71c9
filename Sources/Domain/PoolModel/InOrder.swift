extension Sequence {
  /// The elements in order, equal ones as they came: what `sorted(by:)` does, compiled once and not for each kind of element,
  /// which saves a quarter of a megabyte of a program. For lists that people read; where much is sorted, that is faster.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  package func inOrder(by areInOrder: (Element, Element) throws -> Bool) rethrows -> [Element] {
    let all = Array(self)
    return try all.indices.sorted { try areInOrder(all[$0], all[$1]) }.map { all[$0] }
  }
}
