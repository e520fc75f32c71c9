internal import FlowModel
package import FlowNotices

/// A notice as a CloudEvents 1.0 event in JSON format, on one line without a line feed at its end.
///
/// `source` and `id` together identify the notice permanently, so a reader can drop an event whose pair it has already seen.
/// The event holds only data of the notice, which has no phone number, e-mail address, gate code or free-text note. The caller
/// passes such data separately, for a sink whose settings allow it.
package struct NoticeEvent: Sendable {
  /// Identifies this installation, such as `/poolflow/3f9a1c02`.
  private let source: String

  package init(source: String) {
    self.source = source
  }

  /// Returns the event's bytes. The same arguments always give the same bytes.
  ///
  /// - Parameters:
  ///   - page: the file name of the readable page beside this file, for the extension attribute `dataref`.
  ///   - sensitive: additional members of `data` and their JSON objects, for a sink that may receive them.
  /// - Throws: `DeliveryError.invalidDetails` if the notice's details are not one JSON object.
  package func bytes(
    of notice: Notice, page: String? = nil, sensitive: [(key: String, json: String)] = []
  ) throws(DeliveryError) -> [UInt8] {
    if !notice.dataJSON.isEmpty, !JSONObjectCheck.passes(notice.dataJSON) {
      throw .invalidDetails(notice: notice.id)
    }
    var json = JSONText()
    json.object { event in
      event.member("specversion", "1.0")
      event.member("id", notice.id)
      event.member("source", source)
      event.member("type", "org.poolflow.\(notice.job)")
      // CloudEvents allows an absent subject, but not an empty one.
      event.member("subject", notice.teamName.isEmpty ? nil : notice.teamName)
      event.member("time", notice.slot.description)
      event.member("datacontenttype", "application/json")
      event.member("expirytime", notice.expiresAt?.description)
      event.member("dataref", page)
      event.member("data") { data in Self.addMembers(&data, with: notice, sensitive) }
    }
    return json.bytes
  }

  private static func addMembers(
    _ data: inout JSONText, with notice: Notice, _ sensitive: [(key: String, json: String)]
  ) {
    NoticeData(notice).members(&data)
    if !notice.dataJSON.isEmpty { data.member("details", json: notice.dataJSON) }
    for (key, json) in sensitive { data.member(key, json: json) }
  }
}
