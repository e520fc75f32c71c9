import FlowModel

/// The columns that make up one postal address, and the rules that join their cells into one line.
struct CSVAddressColumns: Hashable, Sendable {
  /// The country-specific order of town, state and postal code.
  enum Order: Hashable, Sendable {
    /// `Gilbert, AZ 85234`
    case american
    /// `12345 Stadt`
    case european
    /// `São Paulo - SP, 01310-100`
    case brazilian
  }

  /// Column indices: the street first, then its further lines.
  var lines: [Int] = []
  /// True if `lines[0]` is the street column.
  var hasStreet = false
  var houseNumber: Int?
  var city: Int?
  var state: Int?
  var postalCode: Int?
  /// The column with the whole address in one cell, used for rows without a street.
  var whole: Int?
  var order = Order.american

  var hasTown: Bool { city != nil || postalCode != nil }
  /// True if the address is a single column, so that its cell needs no joining.
  var isPlain: Bool { lines.count == 1 && !hasTown && houseNumber == nil && state == nil && whole == nil }

  /// Joins the address cells of one row.
  ///
  /// - Parameters:
  ///   - names: the customer's names; an address line that equals one of them is dropped (as in `Ship to 1`).
  ///   - cell: returns the text of a column.
  /// - Returns: the address on one line, and its street alone; nil if every address cell is empty.
  func joined(without names: [String], _ cell: (Int) -> String) -> (address: String, street: String)? {
    func text(_ column: Int?) -> String { column.map { oneLine(cell($0)) } ?? "" }
    var parts = lines.map { text($0) }.filter { line in
      !line.isEmpty && !names.contains { $0.lowercased() == line.lowercased() }
    }
    if let first = parts.first, case let number = text(houseNumber), !number.isEmpty, !first.contains(number) {
      parts[0] =
        order == .european ? "\(first) \(number)" : order == .american ? "\(number) \(first)" : "\(first), \(number)"
    }
    if parts.isEmpty, let whole, case let text = oneLine(cell(whole)), !text.isEmpty { return (text, text) }
    let street = parts.joined(separator: ", ")
    guard !street.isEmpty else { return nil }
    let town = town(text(city), text(state), text(postalCode), beside: street)
    return ((parts + town).joined(separator: ", "), street)
  }

  /// The parts of the line after the street: town, state and postal code; empty if the street text already ends with
  /// them.
  private func town(_ city: String, _ state: String, _ code: String, beside street: String) -> [String] {
    if !code.isEmpty, street.hasSuffix(code) || street.contains("\(code) \(city)") { return [] }
    if !city.isEmpty, code.isEmpty, street.lowercased().hasSuffix(", \(city.lowercased())") { return [] }
    func words(_ texts: String...) -> String { texts.filter { !$0.isEmpty }.joined(separator: " ") }
    let named: [String]
    switch order {
    case .american: named = [city, words(state, code)]
    case .european: named = [words(code, city), state == city ? "" : state]
    case .brazilian: named = [city.isEmpty || state.isEmpty ? city + state : "\(city) - \(state)", code]
    }
    return named.filter { !$0.isEmpty }
  }
}

/// Replaces line breaks inside a cell with commas: an address is one line.
private func oneLine(_ text: String) -> String {
  guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
  return text.split(whereSeparator: \.isNewline).map { trimmingSpaces(String($0)) }.filter { !$0.isEmpty }
    .joined(separator: ", ")
}
