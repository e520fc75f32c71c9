/// One `Key = value` line or `[Section]` line of a settings file, with its position.
struct SettingsLine: Sendable {
  let file: String
  let line: Int
  /// The columns of the key and of the value, counted in characters from 1.
  let keyColumn: Int
  let valueColumn: Int
  let text: String
  let section: String
  /// Key and value are empty for a section line.
  let key: String
  let value: String
  let isHeading: Bool
}

extension SettingsLine {
  /// A mistake in the line's value that is found only when the value is used.
  func problem(_ message: String) -> SettingsProblem {
    SettingsProblem(
      file: file, line: line, column: isHeading ? keyColumn : valueColumn,
      length: isHeading ? section.count : value.count,
      text: text, message: message, suggestion: nil)
  }
}

/// A mistake in a settings file: its position, a message and a suggestion.
package struct SettingsProblem: Hashable, Sendable, CustomStringConvertible {
  package let file: String
  package let line: Int
  package let column: Int
  package let length: Int
  package let text: String
  package let message: String
  package let suggestion: String?
  /// The valid names, shown if none is similar enough to suggest.
  package var known: [String] = []

  /// The position and message, the line itself, and a caret under the mistake.
  package var description: String {
    let number = String(line)
    let margin = String(repeating: " ", count: max(0, 5 - number.count))
    let caret =
      String(repeating: " ", count: max(0, column - 1)) + "^" + String(repeating: "~", count: max(0, length - 1))
    let hint =
      suggestion.map { " did you mean \"\($0)\"?" }
      ?? (known.isEmpty ? "" : " there are \(known.joined(separator: ", "))")
    return """
      \(file):\(line):\(column): error: \(message)
      \(margin)\(number) | \(text)
            | \(caret)\(hint)
      """
  }
}

/// Reads systemd-style settings: `[Section]`, `Key = value`, comments after `#` or `;` at the beginning of a line.
enum SettingsFile {
  /// Parses a settings file.
  ///
  /// - Parameter first: the section to suggest for a setting above all sections.
  static func read(
    _ text: String, file: String, first main: String = "Daemon"
  ) -> (lines: [SettingsLine], problems: [SettingsProblem]) {
    var lines: [SettingsLine] = []
    var problems: [SettingsProblem] = []
    var section: String?
    // Swift treats CR LF as one character.
    let all = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    for (index, content) in all.enumerated() {
      let trimmed = content.drop { $0 == " " || $0 == "\t" }
      let indent = content.count - trimmed.count
      guard let first = trimmed.first, first != "#", first != ";" else { continue }
      func problem(_ column: Int, _ length: Int, _ message: String) -> SettingsProblem {
        SettingsProblem(
          file: file, line: index + 1, column: column, length: length, text: String(content), message: message,
          suggestion: nil)
      }
      if first == "[" {
        let end = trimmingEnd(trimmed)
        guard end.last == "]", end.count > 2 else {
          problems.append(problem(indent + 1, end.count, "a section is written [Name]"))
          continue
        }
        let name = String(end.dropFirst().dropLast())
        section = name
        lines.append(
          SettingsLine(
            file: file, line: index + 1, keyColumn: indent + 2, valueColumn: indent + 2, text: String(content),
            section: name, key: "", value: "", isHeading: true))
        continue
      }
      guard let equals = trimmed.firstIndex(of: "=") else {
        problems.append(problem(indent + 1, trimmingEnd(trimmed).count, "a setting is written Key = value"))
        continue
      }
      let key = trimmingEnd(trimmed[..<equals])
      let afterEquals = trimmed[trimmed.index(after: equals)...]
      let value = afterEquals.drop { $0 == " " || $0 == "\t" }
      guard let section else {
        problems.append(problem(indent + 1, key.count, "a setting must be in a section; put [\(main)] before it"))
        continue
      }
      lines.append(
        SettingsLine(
          file: file, line: index + 1, keyColumn: indent + 1,
          valueColumn: content.distance(from: content.startIndex, to: value.startIndex) + 1, text: String(content),
          section: section, key: String(key), value: String(trimmingEnd(value)),
          isHeading: false))
    }
    return (lines, problems)
  }

  private static func trimmingEnd(_ text: Substring) -> Substring {
    var rest = text
    while let last = rest.last, last == " " || last == "\t" { rest = rest.dropLast() }
    return rest
  }
}
