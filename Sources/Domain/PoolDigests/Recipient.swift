package import PoolModel
import PoolNotices

extension KnownPerson {
  /// Where a notice is to be brought, as one JSON object: what a sensitive sink's event has as `recipient`.
  package var recipient: String {
    var json = JSONText()
    json.object { json in
      json.member("addresses", addresses.channels.map { Way(channel: $0, address: addresses[$0] ?? "") })
      json.member("key", person.key.word)
      json.member("language", language)
      json.member("name", name)
      json.member("quiet", person.quiet?.description)
      if case .technician = person.key { json.member("technician", name) }
      if !zone.isEmpty { json.member("zone", zone) }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }

  private struct Way: JSONWritable {
    let channel: ReachChannel
    let address: String

    func members(_ json: inout JSONText) {
      json.member("address", address)
      json.member("channel", channel)
    }
  }
}

/// The same as it is read from an event.
package struct RecipientData: Decodable, Sendable {
  package let key: String
  package let name: String
  package let technician: String?
  package let language: String?
  package let addresses: [Address]
  /// `22:00-06:00`.
  package let quiet: String?
  /// Of whose clocks `quiet` is, the machine's where it is left out, and the date of a mail, then UTC's.
  package let zone: String?

  package struct Address: Decodable, Sendable {
    package let channel: String
    package let address: String

    package init(channel: String, address: String) { (self.channel, self.address) = (channel, address) }
  }

  package init(
    key: String, name: String, technician: String?, language: String?, addresses: [Address], quiet: String?,
    zone: String?
  ) {
    (self.key, self.name, self.technician, self.language) = (key, name, technician, language)
    (self.addresses, self.quiet, self.zone) = (addresses, quiet, zone)
  }
}

/// What somebody is told who tries whether a person is reached.
package enum PersonTest {
  package static func words(for name: String, in language: Language) -> (title: String, body: String) {
    (language.phrases.testTitle(), language.phrases.testBody(name))
  }
}
