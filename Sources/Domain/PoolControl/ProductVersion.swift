/// The version that `poolflowd` and `pfctl` tell; both are built from one tree.
package enum ProductVersion {
  package static let text = "0.2.0"
}
