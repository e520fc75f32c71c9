/// The kinds of sink that the settings may configure.
package enum SinkKind: String, Sendable, CaseIterable, Codable {
  case standardOutput = "stdout"
  case journal
  case fileDrop = "file-drop"
  case publish
}
