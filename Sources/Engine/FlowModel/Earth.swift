/// The Earth as a sphere, for distances on it.
package enum Earth {
  /// The mean radius in statute miles, as the app uses it.
  package static let meanRadiusMiles = 3_958.8
}

/// Whether the coordinates are a location on Earth. Both 0 is the app's mark for an address that it could not locate
/// (R-ROUTE-8).
///
/// The app does not check coordinates, so archives may contain latitudes beyond the poles. Such a pool keeps its numbers, so
/// that a backup returns them unchanged, but counts as not located in routes, maps, distances, digests, tables and data
/// health.
package func isValidLocation(latitude: Double, longitude: Double) -> Bool {
  // NaN is in no range.
  Limits.latitude.contains(latitude) && Limits.longitude.contains(longitude) && (latitude != 0 || longitude != 0)
}
