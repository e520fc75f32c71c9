import PoolDigests
import PoolModel
import PoolSettings
import StableDigests

/// What a generic webhook gets: an event of its own that holds no more than its channel may have.
enum WebhookBody {
  /// - Parameter whole: the file's bytes; they go as they are where all may be told. Nil where they hold addresses of
  ///   somebody else.
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
          switch event.data.details {
          case .morning(let digest): data.member("details", digest)
          case .week(let digest): data.member("details", digest)
          case .reminder(let digest): data.member("details", digest)
          case .barn(let digest): data.member("details", digest)
          case .barnWeek(let digest): data.member("details", digest)
          case nil: break
          }
        }
        if detail == .full, !isPlain, let access = event.data.access {
          data.member("access") { pools in
            for (pool, known) in access.sorted(by: { $0.key < $1.key }) {
              pools.member(pool) { way in
                way.member("contact_email", known.email)
                way.member("contact_name", known.contact)
                way.member("contact_phone", known.phone)
                way.member("customer", known.customer)
                way.member("gate_access", known.gate)
                way.member("notes", known.notes)
              }
            }
          }
        }
        if let recipient = event.data.recipient {
          // Addresses are nobody's business but the one's that is written to.
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
