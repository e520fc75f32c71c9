import Glibc
import PoolPlatform
import PoolSettings

/// Where the secrets of channels are: as systemd handed them over at the start, or, for `--check` at a terminal, in the files
/// that it will hand over.
struct PostCredentials {
  private let environment: [String: String]
  /// Of `post.conf`.
  private let settings: String

  init(settings: String, environment: [String: String]) { (self.settings, self.environment) = (settings, environment) }

  /// Why a credential cannot be used, and what to do. It never quotes it.
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  /// systemd puts the name of a folder of credentials before each of its files: `LoadCredential=post:FOLDER`.
  private static let folderName = "post"

  private var handedOver: String? { environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : $0 } }

  /// The text of a credential, without white space around it; nil for one that only systemd can read, such as an encrypted
  /// one.
  ///
  /// - Throws: `Fault`.
  func text(_ name: String) throws(Fault) -> String? {
    if let folder = handedOver {
      let paths = ["\(folder)/\(Self.folderName)_\(name)", "\(folder)/\(name)"]
      guard let path = paths.first(where: Self.isThere) else {
        throw Fault(
          description:
            "systemd handed no credential '\(name)' over; put it into '\(ownFolder)/\(name)', which only root reads, "
            + "then `systemctl restart poolflow-post`: a reload hands over none")
      }
      return try read(path, name)
    }
    let units = UnitCredentials.installed()
    if units.isOpaque(name, inFolder: Self.folderName) { return nil }
    let paths = ["\(ownFolder)/\(name)"] + units.paths(of: name, inFolder: Self.folderName)
    guard let path = paths.first(where: Self.isThere) else {
      throw Fault(
        description:
          "there is no credential '\(name)'; put it into '\(ownFolder)/\(name)', which only root reads, then "
          + "`systemctl restart poolflow-post`")
    }
    return try read(path, name)
  }

  private var ownFolder: String {
    let slash = settings.lastIndex(of: "/")
    return (slash.map { String(settings[..<$0]) } ?? ".") + "/credentials"
  }

  /// Also where the folder above it may not be entered: to read it then says why.
  private static func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 || errno == EACCES }

  private func read(_ path: String, _ name: String) throws(Fault) -> String {
    guard let text = SmallFile.text(path, limit: 4_096) else {
      let (code, isRoot) = (errno, geteuid() == 0)
      let remedy = code == EACCES && !isRoot && handedOver == nil ? "; run poolflow-post --check as root" : ""
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

/// The credentials that the installed units of poolflow-post name.
struct UnitCredentials {
  /// From `LoadCredential=ID:PATH`: id and path.
  private var files: [(id: String, path: String)] = []
  /// Ids whose contents only systemd knows.
  private var opaque: Set<String> = []

  static func installed() -> UnitCredentials {
    let folders = ["/usr/lib", "/usr/local/lib", "/run", "/etc"].map { "\($0)/systemd/system/poolflow-post.service" }
    return UnitCredentials(folders.flatMap { [$0] + Settings.dropIns(beside: $0) }.compactMap { SmallFile.text($0) })
  }

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

  func paths(of name: String, inFolder folder: String) -> [String] {
    files.compactMap { $0.id == name ? $0.path : $0.id == folder ? "\($0.path)/\(name)" : nil }
  }

  func isOpaque(_ name: String, inFolder folder: String) -> Bool {
    opaque.contains(name) || opaque.contains("\(folder)_\(name)") || opaque.contains("*")
  }
}
