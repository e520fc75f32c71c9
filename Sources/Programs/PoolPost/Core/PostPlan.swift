import PoolModel
import PoolSettings

/// Who is meant by an event, and by which channels: decided once, when it is taken.
enum PostPlan {
  /// - Returns: deliveries of which some have ended already, with a reason: nobody could bring them. None for an event that
  ///   is for nobody here.
  static func deliveries(
    of event: PostEvent, _ settings: PostSettings, machineZone: String, taken: Timestamp
  ) -> [Delivery] {
    guard let recipient = event.data.recipient else { return shared(event, settings, taken) }
    let quiet = event.isUrgent ? nil : recipient.quiet.flatMap { QuietTime($0, zone: recipient.zone ?? machineZone) }
    return recipient.addresses.map { place in
      let channel = channel(for: place.address, called: place.channel, settings)
      var delivery = Delivery(
        event: event, recipient: recipient.key, channel: channel?.name ?? place.channel,
        kind: channel?.kind.rawValue ?? place.channel, address: place.address, quiet: quiet, taken: taken)
      if let channel {
        if let fault = fault(place.address, channel.kind) { delivery.finish(.refused, fault, at: taken) }
      } else {
        delivery.finish(.refused, "post.conf has no channel for an address of \(visible(place.channel))", at: taken)
      }
      return delivery
    }
  }

  /// - Parameter word: what an event calls the way, such as `mail`.
  static func channel(for address: String, called word: String, _ settings: PostSettings) -> PostSettings.Channel? {
    settings.channels.first { channel in
      channel.kind.addressWord == word && (!channel.kind.isAddressedByName || channel.name == address)
    }
  }

  /// What is for a team as a whole, or for the operator.
  private static func shared(_ event: PostEvent, _ settings: PostSettings, _ taken: Timestamp) -> [Delivery] {
    settings.channels.filter { event.isOperators ? $0.tellsOperator : $0.teams.contains(event.data.team) }.map {
      Delivery(
        event: event, recipient: "*", channel: $0.name, kind: $0.kind.rawValue, address: $0.to ?? $0.name, quiet: nil,
        taken: taken)
    }
  }

  /// Why nothing can be sent there; it does not quote the address.
  static func fault(_ address: String, _ kind: PostSettings.Kind) -> String? {
    let isPlain =
      !address.isEmpty && address.utf8.count <= 254 && address.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    switch kind {
    case .smtp: return PostAddress(name: "", address: address) == nil ? "it is no mail address" : nil
    case .ntfy:
      let isTopic =
        address.utf8.count <= 64
        && address.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
      return isPlain && isTopic ? nil : "it is no topic of ntfy"
    default: return isPlain ? nil : "it is no address of \(kind.rawValue)"
    }
  }
}
