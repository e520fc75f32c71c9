import PoolModel

/// The columns of one address, and how its parts are joined to one line.
struct CSVAddressColumns: Hashable, Sendable {
  /// Which order a country writes town, state and postal code in.
  enum Order: Hashable, Sendable {
    /// `Gilbert, AZ 85234`
    case american
    /// `12345 Stadt`
    case european
    /// `São Paulo - SP, 01310-100`
    case brazilian
  }

  /// Column indices: the street, then its further lines.
  var lines: [Int] = []
  /// Whether the first of the lines is the street.
  var hasStreet = false
  var houseNumber: Int?
  var city: Int?
  var state: Int?
  var postalCode: Int?
  /// The whole address in one cell, for rows without a street.
  var whole: Int?
  var order = Order.american

  var hasTown: Bool { city != nil || postalCode != nil }
  /// One cell is the address as it is.
  var isPlain: Bool { lines.count == 1 && !hasTown && houseNumber == nil && state == nil && whole == nil }

  /// - Parameters:
  ///   - notes: lines that equal one of these are the customer's name, as in `Ship to 1`.
  ///   - cell: the text of a column.
  /// - Returns: the address on one line and its street alone; nil where no part of it is filled.
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

  /// A street that names its town already gets none.
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

/// Line ends inside a cell become commas, as an address is one line.
private func oneLine(_ text: String) -> String {
  guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
  return text.split(whereSeparator: \.isNewline).map { trimmingSpaces(String($0)) }.filter { !$0.isEmpty }
    .joined(separator: ", ")
}
