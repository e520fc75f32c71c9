internal import Glibc

/// The settings files of poolflow-post, with invalid lines ignored; for a command that adds to one of them.
package struct PostFiles: Hashable, Sendable {
  /// The settings from `post.conf` and all drop-ins except the requested one.
  package let others: PostSettings
  /// The text of the requested drop-in; nil if it does not exist.
  package let own: String?

  package init(others: PostSettings, own: String?) {
    (self.others, self.own) = (others, own)
  }

  /// Reads the files.
  ///
  /// - Parameters:
  ///   - path: the path of `post.conf`, which need not exist.
  ///   - own: the path of the requested drop-in.
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

  /// The text of a settings file; nil if it does not exist.
  package static func text(of path: String) throws(SettingsError) -> String? {
    access(path, F_OK) == 0 ? try Settings.contents(of: path) : nil
  }
}
