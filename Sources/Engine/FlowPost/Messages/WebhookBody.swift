import FlowModel
import FlowNotices
import FlowSettings

/// The body of a generic webhook: an event with only the data that its channel may receive.
enum WebhookBody {
  /// Returns the body's bytes.
  ///
  /// - Parameter whole: the file's bytes, sent unchanged if the channel may receive everything; nil if they contain addresses
  ///   of other people.
  static func bytes(_ event: PostEvent, detail: PostSettings.Detail, isPlain: Bool, whole: [UInt8]?) -> [UInt8] {
    if let whole, detail == .full, !isPlain { return whole }
    var json = JSONText()
    json.object { text in
      text.member("specversion", "1.0")
      text.member("id", event.id)
      text.member("source", event.source)
      text.member("type", event.type)
      text.member("subject", event.subject)
      text.member("time", event.time.description)
      text.member("datacontenttype", "application/json")
      text.member("expirytime", event.expires?.description)
      text.member("data") { data in
        data.member("identifier", event.data.identifier)
        data.member("title", event.data.title)
        data.member("body", event.data.body)
        data.member("team", event.data.team)
        data.member("job", event.data.job)
        data.member("severity", event.data.severity)
        if detail != .headline, !isPlain {
          data.member("lines", event.data.lines)
          if let details = event.details { data.member("details", details) }
        }
        if detail == .full, !isPlain, let access = event.data.access {
          data.member("access") { records in
            for (record, known) in access.sorted(by: { $0.key < $1.key }) {
              records.member(record) { fields in
                fields.member("contact_email", known.email)
                fields.member("contact_name", known.contact)
                fields.member("contact_phone", known.phone)
                fields.member("customer", known.customer)
                fields.member("gate_access", known.gate)
                fields.member("notes", known.notes)
              }
            }
          }
        }
        if let recipient = event.data.recipient {
          // A recipient's addresses are never sent to a third party.
          data.member("recipient") { person in
            person.member("key", recipient.key)
            person.member("name", recipient.name)
            person.member("technician", recipient.technician)
            person.member("language", recipient.language)
          }
        }
      }
    }
    return json.bytes
  }
}
