/// The kinds of sink that a setting may name.
package enum SinkKind: String, Sendable, CaseIterable, Codable {
  case standardOutput = "stdout"
  case journal
  case fileDrop = "file-drop"
  case publish
}
