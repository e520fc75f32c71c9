package import FlowModel

/// The part of a published page that belongs to its folder: links to the folder's pages, the time at which the page was made, and
/// the files with which a phone puts the page on its home screen.
package struct SiteFolderPart: Hashable, Sendable {
  let links: [Document.Link]
  /// The file name of this page among the links; nil if it is none of them.
  let current: String?
  /// The sentence with the time, split at the time: text before, time, text after.
  let made: [String]

  /// - Parameters:
  ///   - links: relative links to the pages of the folder.
  ///   - time: the time at which the page was made, as text.
  ///   - sentence: puts the time into a sentence.
  package init(links: [Document.Link], current: String?, madeAt time: String, _ sentence: (String) -> String) {
    self.links = links
    self.current = current
    let parts = sentence(Self.place).split(separator: Self.place, maxSplits: 1, omittingEmptySubsequences: false)
    made = [String(parts.first ?? ""), time, parts.count > 1 ? String(parts[1]) : ""]
  }

  private static let place = "\u{FFFC}"

  /// The files of a folder whose pages a phone can put on its home screen (W3C, "Web Application Manifest").
  ///
  /// - Parameters:
  ///   - name: the name below the icon.
  ///   - start: the file name of the page that the icon opens.
  package static func homeScreenFiles(name: String, start: String, language: Language) -> [String: [UInt8]] {
    var json = JSONText()
    json.object { manifest in
      // The first member is the mark by which poolflow recognizes its file; browsers ignore it.
      manifest.member("generator", "poolflow")
      manifest.member("name", name)
      manifest.member("short_name", name)
      manifest.member("lang", language.rawValue)
      manifest.member("start_url", start)
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
