import FlowModel
import FlowNotices
import FlowServices
import FlowSettings

/// The addresses of the published pages, for notices to the people who own them.
struct PublishedAddresses: Sendable {
  let names: any PublishedNames
  let trades: DaemonTrades
  /// The sinks that publish pages.
  let sinks: [Settings.SinkSettings]

  /// The published page of a notice's recipient; nil if nothing is published for the recipient.
  func page(of notice: Notice) async -> PublishedPageData? {
    guard let team = notice.teamID, let file = trades.publishedPage(of: notice),
      let sink = sinks.first(where: { $0.baseURL != nil && $0.teams?.contains(notice.teamName) ?? true }),
      let base = sink.baseURL
    else { return nil }
    let owner: SiteOwner
    switch notice.person {
    case .technician(let id): owner = .technician(id)
    case .office, nil: owner = .office
    case .customer: return nil
    }
    do {
      return try await names.given(to: team)[owner].map {
        PublishedPageData(url: "\(base)/p/\($0)/\(file)", isSensitive: sink.sensitive)
      }
    } catch {
      // The sink that publishes reports this failure; a notice without a link is better than none.
      return nil
    }
  }
}
