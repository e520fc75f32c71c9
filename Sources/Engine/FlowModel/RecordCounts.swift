/// The number of a team's records of each kind. A trade names its kinds in an extension.
package struct RecordCounts: Hashable, Sendable {
  /// Kinds without records are left out.
  private var byKind: [String: Int]

  package init(byKind: [String: Int]) { self.byKind = byKind.filter { $0.value != 0 } }

  /// The number of records of a kind.
  package subscript(kind: String) -> Int {
    get { byKind[kind] ?? 0 }
    set { byKind[kind] = newValue == 0 ? nil : newValue }
  }

  /// The number of photos of all kinds of records.
  package var photos: Int {
    get { self["photos"] }
    set { self["photos"] = newValue }
  }
}

extension RecordCounts: CustomStringConvertible {
  package var description: String {
    byKind.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
