import FlowModel
import FlowNotices
import FlowSettings

/// Plans the deliveries of one event: its recipients and their channels. The plan is made once, when the event is taken from
/// the drop.
struct PostPlan {
  private let event: PostEvent
  private let settings: PostSettings
  private let machineZone: String
  private let takenAt: Timestamp
  private let quietMinutesLeft: (QuietTime) -> Int
  /// The addresses at which the office already gets this notice, so that a board at the same address does not repeat it.
  private let alreadyNotified: Set<String>
  private var deliveries: [Delivery] = []

  /// Returns the deliveries of an event. Some have ended already, with a reason, because no channel can send them. The result
  /// is empty if no recipient needs the event: an operator notice without a channel for it, or a team notice with
  /// `isSentPersonally`.
  ///
  /// - Parameters:
  ///   - machineZone: the time zone for recipients without one.
  ///   - quietMinutesLeft: returns the remaining minutes of a person's quiet hours, which do not count as a failure of the channel.
  static func deliveries(
    of event: PostEvent, _ settings: PostSettings, machineZone: String, takenAt: Timestamp,
    quietMinutesLeft: (QuietTime) -> Int = { _ in 0 }
  ) -> [Delivery] {
    withoutActuallyEscaping(quietMinutesLeft) { quietMinutesLeft in
      func planned(_ event: PostEvent, alreadyNotified: Set<String> = []) -> [Delivery] {
        var plan = PostPlan(
          event: event, settings: settings, machineZone: machineZone, takenAt: takenAt,
          quietMinutesLeft: quietMinutesLeft, alreadyNotified: alreadyNotified)
        plan.addAll()
        plan.addFallbacks()
        return plan.deliveries
      }
      var all = planned(event)
      if let board = event.boardEvent {
        let alreadyNotified = Set(
          all.filter { $0.end == nil && $0.standsFor == nil }.map { destination($0.kind, $0.address) })
        all += planned(board, alreadyNotified: alreadyNotified).filter {
          !alreadyNotified.contains(destination($0.kind, $0.address))
        }
      }
      return all.isEmpty ? refusedWithoutRecipient(event, takenAt: takenAt).map { [$0] } ?? [] : all
    }
  }

  /// A refused delivery that records the loss of an event without any recipient; nil if the event needs none.
  private static func refusedWithoutRecipient(_ event: PostEvent, takenAt: Timestamp) -> Delivery? {
    guard !event.isForOperator, !event.data.isSentPersonally else { return nil }
    let recipient = event.data.recipient
    guard recipient != nil || !event.data.team.isEmpty else { return nil }
    var delivery = Delivery(
      event: event, recipient: recipient?.key ?? "*", channel: Delivery.noRecipient, kind: Delivery.noRecipient,
      address: "",
      quiet: nil, takenAt: takenAt)
    delivery.finish(
      .refused,
      recipient == nil
        ? "no [Channel] has Teams = \(visible(event.data.team)), and no person of the team has an address for it"
        : "the person has no address any more", at: takenAt)
    return delivery
  }

  /// An address together with its type, which is the same for all channels that can send to it.
  private static func destination(_ kind: String, _ address: String) -> String {
    "\(PostSettings.Kind(rawValue: kind)?.addressWord ?? kind) \(address)"
  }

  /// Adds the deliveries to the recipient's own addresses, or to the operator's or team's boards.
  private mutating func addAll() {
    if let recipient = event.data.recipient {
      for destination in recipient.addresses {
        deliveries.append(personalDelivery(destination, channel(for: destination)))
      }
    } else {
      let audience = settings.channels.filter {
        event.isForOperator ? $0.tellsOperator : $0.teams.contains(event.data.team)
      }
      for channel in audience {
        let address = channel.to ?? channel.name
        // Check this before its fallbacks are planned, because then they are not needed either.
        guard !alreadyNotified.contains(Self.destination(channel.kind.rawValue, address)) else { continue }
        deliveries.append(delivery("*", channel, address))
      }
    }
  }

  /// The channel for an address; preferably one that is not another channel's fallback.
  private func channel(for destination: PostEvent.Recipient.Address) -> PostSettings.Channel? {
    Self.channel(for: destination.address, ofType: destination.channel, settings)
  }

  /// Returns the channel for an address; preferably one that is not another channel's fallback.
  ///
  /// - Parameter addressType: the event's name for the type of address, such as `mail`.
  static func channel(for address: String, ofType addressType: String, _ settings: PostSettings) -> PostSettings
    .Channel?
  {
    let candidates = settings.channels.filter { canSend(.init(channel: addressType, address: address), $0) }
    return candidates.first { one in !settings.channels.contains { $0.fallback == one.name } } ?? candidates.first
  }

  /// Whether a channel can send to an address.
  private static func canSend(_ destination: PostEvent.Recipient.Address, _ channel: PostSettings.Channel) -> Bool {
    channel.kind.addressWord == destination.channel
      && (!channel.kind.isAddressedByName || channel.name == destination.address)
  }

  /// The recipient's quiet hours; nil for none, or if the event is urgent.
  private var quiet: QuietTime? {
    guard !event.isUrgent, let recipient = event.data.recipient else { return nil }
    return recipient.quiet.flatMap { QuietTime($0, zone: recipient.zone ?? machineZone) }
  }

  private func delivery(
    _ recipient: String, _ channel: PostSettings.Channel, _ address: String, quiet: QuietTime? = nil
  ) -> Delivery {
    var delivery = Delivery(
      event: event, recipient: recipient, channel: channel.name, kind: channel.kind.rawValue, address: address,
      quiet: quiet, takenAt: takenAt)
    delivery.isOnce = channel.stopsWhenUnknown
    return delivery
  }

  /// A delivery to one of the recipient's own addresses; already refused if no channel can send to it.
  private func personalDelivery(_ destination: PostEvent.Recipient.Address, _ channel: PostSettings.Channel?)
    -> Delivery
  {
    let key = event.data.recipient?.key ?? "*"
    guard let channel else {
      var delivery = Delivery(
        event: event, recipient: key, channel: destination.channel, kind: destination.channel,
        address: destination.address, quiet: quiet,
        takenAt: takenAt)
      delivery.finish(
        .refused, "post.conf has no channel for an address of \(visible(destination.channel))", at: takenAt)
      return delivery
    }
    var delivery = delivery(key, channel, destination.address, quiet: quiet)
    if let fault = Self.fault(destination.address, channel.kind) { delivery.finish(.refused, fault, at: takenAt) }
    return delivery
  }

  // MARK: Fallbacks

  /// Adds a fallback for each delivery whose channel has one. Channels are handled in the order of their fallback chains, so
  /// that every delivery knows all the deliveries that it is a fallback for.
  private mutating func addFallbacks() {
    for channel in settings.channels.sorted(by: { depth($0) < depth($1) }) {
      guard let fallback = settings.channels.first(where: { $0.name == channel.fallback }) else { continue }
      for first in deliveries where first.channel == channel.name {
        guard let destination = fallbackIndex(at: fallback) else { continue }
        // Leave the fallback at least half of the time until the event expires.
        let startedAt = max(
          first.standsFrom, takenAt.milliseconds + Int64(first.quiet.map(quietMinutesLeft) ?? 0) * 60_000)
        let after = min(channel.fallbackAfter.wholeMilliseconds, max(0, (first.expiresAt - startedAt) / 2))
        let targets = (first.standsFor ?? []) + [Delivery.FallbackTarget(key: first.key, channel: first.channel)]
        let known = deliveries[destination].standsFor ?? []
        deliveries[destination].standsFor = known + targets.filter { !known.contains($0) }
        deliveries[destination].standsFrom = max(deliveries[destination].standsFrom, startedAt + after)
      }
    }
  }

  /// The longest chain of channels before this one; the settings contain no cycle.
  private func depth(_ channel: PostSettings.Channel) -> Int {
    settings.channels.filter { $0.fallback == channel.name }.map { depth($0) + 1 }.max() ?? 0
  }

  /// Returns the index of the delivery by this channel, which is added if it is missing; nil if there is no address for it.
  private mutating func fallbackIndex(at channel: PostSettings.Channel) -> Int? {
    let known = deliveries.firstIndex { one in
      // A delivery without a channel has its address type in `channel`, which may equal a channel's name by chance.
      one.channel == channel.name
        && (one.end == nil || Self.canSend(.init(channel: channel.kind.addressWord, address: one.address), channel))
    }
    if let known { return known }
    let shared = channel.to ?? (channel.kind.isAddressedByName ? channel.name : nil)
    if let recipient = event.data.recipient {
      if let destination = recipient.addresses.first(where: { Self.canSend($0, channel) }) {
        deliveries.append(personalDelivery(destination, channel))
      } else if let shared {
        var delivery = delivery(recipient.key, channel, shared)
        delivery.isShared = true
        deliveries.append(delivery)
      } else {
        return nil
      }
    } else if let shared {
      deliveries.append(delivery("*", channel, shared))
    } else {
      return nil
    }
    return deliveries.count - 1
  }

  /// Returns the reason why an address is unusable, without quoting it; nil if it is valid.
  static func fault(_ address: String, _ kind: PostSettings.Kind) -> String? {
    let isPlain =
      !address.isEmpty && address.utf8.count <= 254 && address.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    switch kind {
    case .smtp, .sendmail: return PostAddress(name: "", address: address) == nil ? "it is no mail address" : nil
    case .ntfy:
      let isTopic =
        address.utf8.count <= 64
        && address.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
      return isPlain && isTopic ? nil : "it is not a topic of ntfy"
    default: return isPlain ? nil : "it is not an address of \(kind.rawValue)"
    }
  }
}
