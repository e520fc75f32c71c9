import PoolDigests
import PoolModel
import PoolSettings

/// Who is meant by an event, and by which channels: decided once, when it is taken.
struct PostPlan {
  private let event: PostEvent
  private let settings: PostSettings
  private let machineZone: String
  private let taken: Timestamp
  private let quietLeft: (QuietTime) -> Int
  /// Where the office has its own, so that a board there has nothing twice.
  private let told: Set<String>
  private var deliveries: [Delivery] = []

  /// - Parameter quietLeft: for how many minutes somebody's quiet hours go on, which are no channel's fault.
  /// - Returns: deliveries of which some have ended already, with a reason: nobody could bring them. None for an event that
  ///   nobody here is to have: the server's own news without a channel for them, a team's that is told otherwise.
  static func deliveries(
    of event: PostEvent, _ settings: PostSettings, machineZone: String, taken: Timestamp,
    quietLeft: (QuietTime) -> Int = { _ in 0 }
  ) -> [Delivery] {
    withoutActuallyEscaping(quietLeft) { quietLeft in
      func planned(_ event: PostEvent, told: Set<String> = []) -> [Delivery] {
        var plan = PostPlan(
          event: event, settings: settings, machineZone: machineZone, taken: taken, quietLeft: quietLeft, told: told)
        plan.addAll()
        plan.addFallbacks()
        return plan.deliveries
      }
      var all = planned(event)
      if let board = event.forBoard {
        let told = Set(all.filter { $0.end == nil && $0.standsFor == nil }.map { place($0.kind, $0.address) })
        all += planned(board, told: told).filter { !told.contains(place($0.kind, $0.address)) }
      }
      return all.isEmpty ? forNobody(event, taken: taken).map { [$0] } ?? [] : all
    }
  }

  /// The loss of an event that should reach people and has no way to any; nil where none is missing.
  private static func forNobody(_ event: PostEvent, taken: Timestamp) -> Delivery? {
    guard !event.isOperators, !event.data.isToldOtherwise else { return nil }
    let recipient = event.data.recipient
    guard recipient != nil || !event.data.team.isEmpty else { return nil }
    var delivery = Delivery(
      event: event, recipient: recipient?.key ?? "*", channel: Delivery.nobody, kind: Delivery.nobody, address: "",
      quiet: nil, taken: taken)
    delivery.finish(
      .refused,
      recipient == nil
        ? "no [Channel] has Teams = \(visible(event.data.team)), and no person of the team has an address for it"
        : "there is no address of the person any more", at: taken)
    return delivery
  }

  /// The same for all channels by which an address can be reached.
  private static func place(_ kind: String, _ address: String) -> String {
    "\(PostSettings.Kind(rawValue: kind)?.addressWord ?? kind) \(address)"
  }

  private mutating func addAll() {
    if let recipient = event.data.recipient {
      for place in recipient.addresses { deliveries.append(own(place, channel(for: place))) }
    } else {
      let audience = settings.channels.filter {
        event.isOperators ? $0.tellsOperator : $0.teams.contains(event.data.team)
      }
      for channel in audience {
        let address = channel.to ?? channel.name
        // Before its fallbacks are planned, of which it would need none.
        guard !told.contains(Self.place(channel.kind.rawValue, address)) else { continue }
        deliveries.append(delivery("*", channel, address))
      }
    }
  }

  /// One that is not another's fallback, where there are several.
  private func channel(for place: PostEvent.Recipient.Address) -> PostSettings.Channel? {
    Self.channel(for: place.address, called: place.channel, settings)
  }

  /// - Parameter word: what an event calls the way, such as `mail`.
  static func channel(for address: String, called word: String, _ settings: PostSettings) -> PostSettings.Channel? {
    let fitting = settings.channels.filter { fits(.init(channel: word, address: address), $0) }
    return fitting.first { one in !settings.channels.contains { $0.fallback == one.name } } ?? fitting.first
  }

  private static func fits(_ place: PostEvent.Recipient.Address, _ channel: PostSettings.Channel) -> Bool {
    channel.kind.addressWord == place.channel && (!channel.kind.isAddressedByName || channel.name == place.address)
  }

  private var quiet: QuietTime? {
    guard !event.isUrgent, let recipient = event.data.recipient else { return nil }
    return recipient.quiet.flatMap { QuietTime($0, zone: recipient.zone ?? machineZone) }
  }

  private func delivery(
    _ recipient: String, _ channel: PostSettings.Channel, _ address: String, quiet: QuietTime? = nil
  ) -> Delivery {
    var delivery = Delivery(
      event: event, recipient: recipient, channel: channel.name, kind: channel.kind.rawValue, address: address,
      quiet: quiet, taken: taken)
    delivery.isOnce = channel.stopsWhenUnknown
    return delivery
  }

  /// What is for a person at an address of his own.
  private func own(_ place: PostEvent.Recipient.Address, _ channel: PostSettings.Channel?) -> Delivery {
    let key = event.data.recipient?.key ?? "*"
    guard let channel else {
      var delivery = Delivery(
        event: event, recipient: key, channel: place.channel, kind: place.channel, address: place.address, quiet: quiet,
        taken: taken)
      delivery.finish(.refused, "post.conf has no channel for an address of \(visible(place.channel))", at: taken)
      return delivery
    }
    var delivery = delivery(key, channel, place.address, quiet: quiet)
    if let fault = Self.fault(place.address, channel.kind) { delivery.finish(.refused, fault, at: taken) }
    return delivery
  }

  // MARK: Fallbacks

  /// For each delivery whose channel has a fallback, the one that stands in for it. A channel comes after those that it
  /// stands in for, so that at the end of a chain all of them are known.
  private mutating func addFallbacks() {
    for channel in settings.channels.sorted(by: { depth($0) < depth($1) }) {
      guard let fallback = settings.channels.first(where: { $0.name == channel.fallback }) else { continue }
      for first in deliveries where first.channel == channel.name {
        guard let place = standIn(at: fallback) else { continue }
        // Half of the time that it is good for, at the least, is left to the fallback.
        let begun = max(first.standsFrom, taken.milliseconds + Int64(first.quiet.map(quietLeft) ?? 0) * 60_000)
        let after = min(channel.fallbackAfter.wholeMilliseconds, max(0, (first.expiresAt - begun) / 2))
        let stands = (first.standsFor ?? []) + [Delivery.Stand(key: first.key, channel: first.channel)]
        let known = deliveries[place].standsFor ?? []
        deliveries[place].standsFor = known + stands.filter { !known.contains($0) }
        deliveries[place].standsFrom = max(deliveries[place].standsFrom, begun + after)
      }
    }
  }

  /// How many channels may come before it; settings have no circle.
  private func depth(_ channel: PostSettings.Channel) -> Int {
    settings.channels.filter { $0.fallback == channel.name }.map { depth($0) + 1 }.max() ?? 0
  }

  /// The delivery of this channel, which is made where there is none; nil where nobody has an address there.
  private mutating func standIn(at channel: PostSettings.Channel) -> Int? {
    let known = deliveries.firstIndex { one in
      // What no channel takes is called by its address's word, which may be a channel's name by chance.
      one.channel == channel.name
        && (one.end == nil || Self.fits(.init(channel: channel.kind.addressWord, address: one.address), channel))
    }
    if let known { return known }
    let shared = channel.to ?? (channel.kind.isAddressedByName ? channel.name : nil)
    if let recipient = event.data.recipient {
      if let place = recipient.addresses.first(where: { Self.fits($0, channel) }) {
        deliveries.append(own(place, channel))
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

  /// Why nothing can be sent there; it does not quote the address.
  static func fault(_ address: String, _ kind: PostSettings.Kind) -> String? {
    let isPlain =
      !address.isEmpty && address.utf8.count <= 254 && address.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    switch kind {
    case .smtp, .sendmail: return PostAddress(name: "", address: address) == nil ? "it is no mail address" : nil
    case .ntfy:
      let isTopic =
        address.utf8.count <= 64
        && address.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
      return isPlain && isTopic ? nil : "it is no topic of ntfy"
    default: return isPlain ? nil : "it is no address of \(kind.rawValue)"
    }
  }
}
