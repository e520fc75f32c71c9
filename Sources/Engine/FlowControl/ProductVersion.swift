/// Version reported by `poolflowd` and `pfctl`, which are built from the same sources.
package enum ProductVersion {
  package static let text = "0.2.0"
}
