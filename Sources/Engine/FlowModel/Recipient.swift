extension KnownPerson {
  /// The addresses and settings of a person as one JSON object, the `recipient` member of a sensitive sink's event.
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

  /// One address with its channel.
  private struct Way: JSONWritable {
    let channel: ReachChannel
    let address: String

    func members(_ json: inout JSONText) {
      json.member("address", address)
      json.member("channel", channel)
    }
  }
}

/// The `recipient` member as parsed from an event.
package struct RecipientData: Decodable, Sendable {
  package let key: String
  package let name: String
  package let technician: String?
  package let language: String?
  package let addresses: [Address]
  /// Quiet hours, such as `22:00-06:00`; nil for none.
  package let quiet: String?
  /// The zone of `quiet` and of a mail's date; if it is missing, the machine's zone and UTC respectively.
  package let zone: String?

  /// One address with its channel.
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
