import FlowPlatform
import FlowSettings
import Glibc

/// Finds the channels' secrets: in the credentials directory from systemd or, for `--check` at a terminal, in the files that
/// systemd would load.
struct PostCredentials {
  private let environment: [String: String]
  /// The path of `post.conf`.
  private let settings: String

  init(settings: String, environment: [String: String]) { (self.settings, self.environment) = (settings, environment) }

  /// The reason why a credential cannot be used, and how to repair it. It never quotes the credential.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// The name in `LoadCredential=post:FOLDER`, which systemd prefixes to each file of a credentials folder.
  private static let folderName = "post"

  private var systemdFolder: String? { environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the text of a credential, trimmed of white space; nil if only systemd can read it, for example because it is
  /// encrypted.
  ///
  /// - Throws: `Fault` if it is missing, unreadable or empty.
  func text(_ name: String) throws(Fault) -> String? {
    if let folder = systemdFolder {
      let paths = ["\(folder)/\(Self.folderName)_\(name)", "\(folder)/\(name)"]
      guard let path = paths.first(where: Self.exists) else {
        throw Fault(
          description:
            "systemd passed no credential '\(name)'; put it into '\(ownFolder)/\(name)', readable only by root, "
            + "then `systemctl restart poolflow-post`: a reload does not pass credentials")
      }
      return try read(path, name)
    }
    let units = UnitCredentials.installed()
    if units.isOpaque(name, inFolder: Self.folderName) { return nil }
    let paths = ["\(ownFolder)/\(name)"] + units.paths(of: name, inFolder: Self.folderName)
    guard let path = paths.first(where: Self.exists) else {
      throw Fault(
        description:
          "there is no credential '\(name)'; put it into '\(ownFolder)/\(name)', readable only by root, then "
          + "`systemctl restart poolflow-post`")
    }
    return try read(path, name)
  }

  private var ownFolder: String {
    let slash = settings.lastIndex(of: "/")
    return (slash.map { String(settings[..<$0]) } ?? ".") + "/credentials"
  }

  /// Whether a file exists. True also if its folder may not be entered: reading the file then reports the reason.
  private static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 || errno == EACCES }

  private func read(_ path: String, _ name: String) throws(Fault) -> String {
    guard let text = SmallFile.text(path, limit: 4_096) else {
      let (code, isRoot) = (errno, geteuid() == 0)
      let remedy = code == EACCES && !isRoot && systemdFolder == nil ? "; run poolflow-post --check as root" : ""
      throw Fault(
        description: "cannot read the credential '\(name)' at '\(path)': \(SystemFailure.words(code))\(remedy)")
    }
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    guard !rest.isEmpty else { throw Fault(description: "the credential '\(name)' at '\(path)' is empty") }
    return String(rest)
  }
}

/// The credentials listed in the installed units of poolflow-post.
struct UnitCredentials {
  /// The id and path of each `LoadCredential=ID:PATH`.
  private var files: [(id: String, path: String)] = []
  /// The ids of credentials that only systemd can read.
  private var opaque: Set<String> = []

  /// Reads the unit files of poolflow-post and their drop-ins from systemd's folders.
  static func installed() -> UnitCredentials {
    let folders = ["/usr/lib", "/usr/local/lib", "/run", "/etc"].map { "\($0)/systemd/system/poolflow-post.service" }
    return UnitCredentials(folders.flatMap { [$0] + Settings.dropIns(beside: $0) }.compactMap { SmallFile.text($0) })
  }

  /// - Parameter units: the texts of the unit file and its drop-ins.
  init(_ units: [String]) {
    for line in units.flatMap({ $0.split(separator: "\n") }) {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let parts = line[line.index(after: equals)...].split(separator: ":", maxSplits: 1).map(String.init)
      guard let id = parts.first else { continue }
      switch line[..<equals] {
      case "LoadCredential" where parts.count == 2: files.append((id, parts[1]))
      case "LoadCredential", "LoadCredentialEncrypted", "SetCredential", "SetCredentialEncrypted", "ImportCredential":
        opaque.insert(id)
      default: break
      }
    }
  }

  /// Returns the possible files of a credential, loaded by itself or from a folder.
  func paths(of name: String, inFolder folder: String) -> [String] {
    files.compactMap { $0.id == name ? $0.path : $0.id == folder ? "\($0.path)/\(name)" : nil }
  }

  /// Whether only systemd can read the credential.
  func isOpaque(_ name: String, inFolder folder: String) -> Bool {
    opaque.contains(name) || opaque.contains("\(folder)_\(name)") || opaque.contains("*")
  }
}
