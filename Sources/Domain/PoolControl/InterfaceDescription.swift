/// An interface as its description language tells it: what a stranger's client reads to learn the calls.
///
/// The interfaces are the `.varlink` files of this room; the package's WirePlugin makes `all`, `methods` and the Swift types
/// from them.
package struct InterfaceDescription: Sendable {
  package let name: String
  /// Varlink interface definition language.
  package let text: String

  package init(name: String, text: String) {
    self.name = name
    self.text = text + "\n"
  }
}
