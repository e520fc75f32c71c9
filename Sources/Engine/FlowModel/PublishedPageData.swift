/// The published page of a notice's recipient, as the `published` member of an event.
package struct PublishedPageData: Decodable, Hashable, Sendable, JSONWritable {
  /// The secret address of the page.
  package let url: String
  /// True if the page shows sensitive data, such as phone numbers.
  package let isSensitive: Bool

  enum CodingKeys: String, CodingKey {
    case url
    case isSensitive = "sensitive"
  }

  package init(url: String, isSensitive: Bool) { (self.url, self.isSensitive) = (url, isSensitive) }

  package func members(_ json: inout JSONText) {
    json.member("sensitive", isSensitive)
    json.member("url", url)
  }
}
