import Glibc

/// A secret that systemd passes to the daemon as a file in `$CREDENTIALS_DIRECTORY` (systemd.exec(5)).
package enum Credential {
  /// The reason why a credential cannot be read, with advice.
  package enum Failure: Error, CustomStringConvertible {
    case noDirectory(name: String)
    case unreadable(name: String, path: String, code: Int32)

    package var description: String {
      switch self {
      case .noDirectory(let name):
        "there is no credential '\(name)': $CREDENTIALS_DIRECTORY is not set; "
          + "add LoadCredential=\(name):FILE to the unit"
      case .unreadable(let name, let path, let code):
        "cannot read the credential '\(name)' at '\(path)': \(SystemFailure.words(code)); "
          + "add LoadCredential=\(name):FILE to the unit"
      }
    }
  }

  /// The text of the credential, without white space at both ends.
  ///
  /// - Parameter name: a single path component, as checked by the settings.
  package static func text(_ name: String, environment: [String: String]) throws(Failure) -> String {
    guard let folder = environment["CREDENTIALS_DIRECTORY"], !folder.isEmpty else { throw .noDirectory(name: name) }
    let path = "\(folder)/\(name)"
    guard let text = SmallFile.text(path, limit: 4_096) else {
      throw .unreadable(name: name, path: path, code: errno)
    }
    var rest = text[...]
    while rest.first?.isWhitespace == true { rest = rest.dropFirst() }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return String(rest)
  }
}
