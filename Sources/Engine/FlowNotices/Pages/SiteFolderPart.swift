package import FlowModel

/// A page of a published folder, by its file name.
package enum SitePage: String, CaseIterable, Sendable {
  case today = "today.html"
  case tomorrow = "tomorrow.html"
  case week = "week.html"
  case start = "index.html"

  fileprivate func label(_ phrases: CommonPhrases) -> String {
    switch self {
    case .today: phrases.todayLink()
    case .tomorrow: phrases.tomorrowLink()
    case .week: phrases.weekLink()
    case .start: phrases.startLink()
    }
  }
}

/// The part of a published page that belongs to its folder: links to the folder's pages, the time at which the page was made, and
/// the files with which a phone puts the page on its home screen.
package struct SiteFolderPart: Hashable, Sendable {
  let links: [Document.Link]
  /// The file name of this page.
  let current: String
  /// The sentence with the time, split at the time: text before, time, text after.
  let made: [String]

  /// - Parameters:
  ///   - pages: the pages of the folder, in the order of their links.
  ///   - time: the time at which the page was made, as text.
  package init(
    of page: SitePage, among pages: [SitePage] = SitePage.allCases, madeAt time: String, in language: Language
  ) {
    let phrases = language.commonPhrases
    links = pages.map { Document.Link($0.label(phrases), to: $0.rawValue) }
    current = page.rawValue
    let parts = phrases.pageMade(Self.place).split(
      separator: Self.place, maxSplits: 1, omittingEmptySubsequences: false)
    made = [String(parts.first ?? ""), time, parts.count > 1 ? String(parts[1]) : ""]
  }

  private static let place = "\u{FFFC}"

  /// The files of a folder whose pages a phone can put on its home screen (W3C, "Web Application Manifest").
  ///
  /// - Parameters:
  ///   - name: the name below the icon.
  ///   - start: the page that the icon opens.
  package static func homeScreenFiles(name: String, start: SitePage, language: Language) -> [String: [UInt8]] {
    var json = JSONText()
    json.object { manifest in
      // The first member is the mark by which poolflow recognizes its file; browsers ignore it.
      manifest.member("generator", "poolflow")
      manifest.member("name", name)
      manifest.member("short_name", name)
      manifest.member("lang", language.rawValue)
      manifest.member("start_url", start.rawValue)
      manifest.member("scope", "./")
      // With a button to load the page again.
      manifest.member("display", "minimal-ui")
      manifest.member("background_color", "#ffffff")
      manifest.member("theme_color", "#005ea8")
      manifest.member("icons", [Icon()])
    }
    return [manifestName: json.bytes, iconName: PageIcon.png]
  }

  static let manifestName = "app.webmanifest"
  static let iconName = "icon.png"

  private struct Icon: JSONWritable {
    func members(_ json: inout JSONText) {
      json.member("src", iconName)
      json.member("sizes", "\(PageIcon.size)x\(PageIcon.size)")
      json.member("type", "image/png")
    }
  }
}
