internal import Glibc

/// What lies where poolflow-post looks for its settings, mistakes left out: for whoever wants to add to it.
package struct PostFiles: Hashable, Sendable {
  /// What `post.conf` and its drop-ins come to, without the one that was asked about.
  package let others: PostSettings
  /// The text of that one; nil where it is not there.
  package let own: String?

  package init(others: PostSettings, own: String?) {
    (self.others, self.own) = (others, own)
  }

  /// - Parameters:
  ///   - path: of `post.conf`, which need not be there.
  ///   - own: of a drop-in.
  /// - Throws: `SettingsError.unreadable` only.
  package init(at path: String, own: String) throws(SettingsError) {
    let main = access(path, F_OK) == 0 ? [path] : []
    var text = ""
    for file in main + Settings.dropIns(beside: path) where file != own {
      text += try Settings.contents(of: file) + "\n"
    }
    others = PostSettings.read(text, name: path).settings
    self.own = try Self.text(of: own)
  }

  /// The text of a settings file; nil where it is not there.
  package static func text(of path: String) throws(SettingsError) -> String? {
    access(path, F_OK) == 0 ? try Settings.contents(of: path) : nil
  }
}
