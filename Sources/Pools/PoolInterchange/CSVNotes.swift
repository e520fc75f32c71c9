/// The text that a row adds to a pool's notes: its notes, `Contact: NAME • PHONE` and `Tags: …`, one line each, without
/// empty ones. Source: product.md, Customers files, reading R-CSV-9.
enum CSVNotes {
  /// The note lines of one row.
  ///
  /// - Parameters:
  ///   - notes: UTF-8, as are the tags.
  ///   - buffer: a buffer reused from row to row to avoid allocations.
  static func block(
    notes: some Collection<UInt8>, contactName: String, contactPhone: String, tags: some Collection<UInt8>,
    buffer text: inout [UInt8]
  ) -> String {
    text.removeAll(keepingCapacity: true)
    text += notes
    if !contactName.isEmpty || !contactPhone.isEmpty {
      text += (text.isEmpty ? "Contact: " : "\nContact: ").utf8
      text += contactName.utf8
      if !contactName.isEmpty, !contactPhone.isEmpty { text += " • ".utf8 }
      text += contactPhone.utf8
    }
    if !tags.isEmpty {
      text += (text.isEmpty ? "Tags: " : "\nTags: ").utf8
      text += tags
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// `notes` followed by `block`, or unchanged if it already contains `block` as whole lines: importing the same file
  /// every week must not make the notes grow.
  static func merged(_ notes: String, _ block: String) -> String {
    if notes.isEmpty { return block }
    return block.isEmpty || contains(notes, block) ? notes : notes + "\n" + block
  }

  /// True if `notes` contains `block` as whole lines. Bytes are compared, because `String` treats CR LF as one
  /// character.
  private static func contains(_ notes: String, _ block: String) -> Bool {
    let (text, lines) = (Array(notes.utf8), Array(block.utf8))
    guard text.count >= lines.count else { return false }
    let newline = UInt8(ascii: "\n")
    return (0...text.count - lines.count).contains { start in
      let end = start + lines.count
      return (start == 0 || text[start - 1] == newline) && (end == text.count || text[end] == newline)
        && text[start..<end].elementsEqual(lines)
    }
  }
}
