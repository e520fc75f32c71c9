internal import PoolModel
package import PoolNotices

/// A notice as a CloudEvents 1.0 event in the JSON format, on one line without its line end.
///
/// `source` and `id` together name the notice for ever: whoever has seen the pair has seen the notice. Nothing stands
/// here that is not in the notice, and a notice holds no phone number, e-mail address, gate code or free-text note; those
/// come from whoever calls, for a sink that is set to have them.
package struct NoticeEvent: Sendable {
  /// Such as `/poolflow/3f9a1c02`: which installation speaks.
  private let source: String

  package init(source: String) {
    self.source = source
  }

  /// The event's bytes, the same at every call with the same values.
  ///
  /// - Parameters:
  ///   - page: the name of a file beside this one that people can read: the extension `dataref`.
  ///   - sensitive: members of the data and their JSON objects, for a sink that may have them.
  /// - Throws: `DeliveryError.brokenDetails` when the notice's details are not one JSON object.
  package func bytes(
    of notice: Notice, page: String? = nil, sensitive: [(key: String, json: String)] = []
  ) throws(DeliveryError) -> [UInt8] {
    if !notice.dataJSON.isEmpty, !JSONObjectCheck.passes(notice.dataJSON) {
      throw .brokenDetails(notice: notice.id)
    }
    var json = JSONText()
    json.object { event in
      event.member("specversion", "1.0")
      event.member("id", notice.id)
      event.member("source", source)
      event.member("type", "org.poolflow.\(notice.job)")
      // An empty subject is not allowed, an absent one is.
      event.member("subject", notice.teamName.isEmpty ? nil : notice.teamName)
      event.member("time", notice.slot.description)
      event.member("datacontenttype", "application/json")
      event.member("expirytime", notice.expiresAt?.description)
      event.member("dataref", page)
      event.member("data") { data in Self.fill(&data, with: notice, sensitive) }
    }
    return json.bytes
  }

  private static func fill(
    _ data: inout JSONText, with notice: Notice, _ sensitive: [(key: String, json: String)]
  ) {
    NoticeData(notice).members(&data)
    if !notice.dataJSON.isEmpty { data.member("details", json: notice.dataJSON) }
    for (key, json) in sensitive { data.member(key, json: json) }
  }
}
