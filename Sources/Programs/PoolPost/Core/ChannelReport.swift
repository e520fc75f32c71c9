import FoundationEssentials
import PoolModel

/// How each channel stands: what `poolflow-post status` shows, as the running program writes it down.
struct ChannelReport: Codable, Hashable, Sendable {
  struct Channel: Codable, Hashable, Sendable {
    let name: String
    let kind: String
    var waiting = 0
    /// When the oldest event was made that waits there; RFC 3339.
    var oldest: String?
    /// Why nothing is taken there until somebody mends something.
    var broken: String?
    var lastDelivered: String?

    private enum CodingKeys: String, CodingKey {
      case name, kind, waiting, oldest, broken
      case lastDelivered = "last_delivered"
    }
  }

  var channels: [Channel]

  /// - Parameters:
  ///   - kinds: of the channels of the settings, by name.
  ///   - delivered: when each delivered last.
  init(_ queue: PostQueue, kinds: [String: String], delivered: [String: Timestamp]) {
    let names = Set(kinds.keys).union(queue.lanes.keys.filter { !(queue.lanes[$0]?.all.isEmpty ?? true) })
    channels = names.sorted().map { name in
      let lane = queue.lanes[name]
      let waiting = lane?.all ?? []
      var channel = Channel(name: name, kind: kinds[name] ?? waiting.first?.kind ?? "")
      channel.waiting = waiting.count
      channel.oldest = waiting.map(\.madeAt).min().map { Timestamp(milliseconds: $0).description }
      channel.broken = lane?.broken
      channel.lastDelivered = delivered[name]?.description
      return channel
    }
  }
}
