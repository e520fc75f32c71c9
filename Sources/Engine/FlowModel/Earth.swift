/// The Earth as a sphere, for distances on it.
package enum Earth {
  /// The mean radius in statute miles, as the app uses it.
  package static let meanRadiusMiles = 3_958.8
}
