/// Neighbouring elements of a list that several modules fill.
package struct ListPart<Element> {
  /// The parts of a list are sorted by this number; with equal numbers they keep the order of their modules.
  package let place: Int
  let elements: [Element]

  package init(_ place: Int, _ elements: [Element]) { (self.place, self.elements) = (place, elements) }

  package static func joined(_ parts: [ListPart]) -> [Element] {
    // Swift's sort is stable by implementation, but not by contract.
    parts.enumerated().sorted { ($0.element.place, $0.offset) < ($1.element.place, $1.offset) }
      .flatMap(\.element.elements)
  }
}

extension ListPart: Sendable where Element: Sendable {}
