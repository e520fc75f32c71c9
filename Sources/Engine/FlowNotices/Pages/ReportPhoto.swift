/// A photo of a record on a page, or the reason why the page does not show it.
package enum ReportPhoto: Hashable, Sendable {
  /// The photo as a data URI: `data:image/jpeg;base64,…`.
  case shown(String)
  case tooLarge(bytes: Int)
  /// The photo has a format that browsers do not show, such as `HEIC`.
  case otherFormat(String)
  case unreadable
}
