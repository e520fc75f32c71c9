import FlowModel

/// The meaning of each column of a customers file, derived from the headings alone.
struct CSVLayout: Sendable {
  /// The columns that the customer's name is read from.
  enum Customer: Hashable, Sendable {
    case missing
    case column
    /// First and last name columns, or the company if both cells are empty.
    case parts
  }

  private(set) var headings: [String]
  /// One entry per heading; nil for an unused column.
  private(set) var meanings: [CSVColumn?]
  private(set) var customer = Customer.missing
  /// The pool's address columns, best first; later ones are used for rows in which the earlier ones are empty.
  private(set) var addresses: [CSVAddressColumns] = []
  /// Columns with a second telephone number, e-mail address or note; each becomes a line of the pool's notes.
  private(set) var further: [Int] = []
  /// The unit in the volume heading; nil if the heading names none.
  private(set) var volumeUnit: CSVVolumeUnit?

  /// The headings after `CSVColumn.normalized`.
  private var names: [String]
  /// For each heading its part of an address; nil for other headings.
  private let addressHeadings: [CSVAddressHeading?]

  /// Reads the headings.
  ///
  /// - Parameters:
  ///   - headings: the first record of the file.
  ///   - map: user-defined column meanings, which take precedence.
  ///   - language: decides the address order if the headings do not show it.
  init(headings: [String], map: CSVHeadingMap = .none, language: Language = .english) {
    self.headings = headings
    names = headings.map(CSVColumn.normalized)
    addressHeadings = names.map { CSVAddressHeading($0) }
    meanings = headings.map { _ in nil }
    let mapped = map.columns(of: headings)
    for (position, column) in mapped { take(column, at: position) }
    let isOfRecords = names.contains(CSVColumn.poolID.rawValue)
    for position in headings.indices where meanings[position] == nil {
      guard let column = column(at: position), column != .address, isOfRecords || !column.isOfRecord
      else { continue }
      take(column, at: position)
    }
    let listed = Set(names)
    for position in headings.indices where meanings[position] == nil {
      let column =
        ThirdPartyHeadings.pairedColumn(of: names[position], among: listed)
        ?? ThirdPartyHeadings.column(names[position], among: listed)
      if let column { take(column, at: position) }
    }
    further.sort()
    readVolumes()
    readAddresses(mapped: Set(mapped.keys), language)
    readAmbiguousNames()
    if customer == .missing, has(.firstName) || has(.lastName) { customer = .parts }
  }

  func has(_ column: CSVColumn) -> Bool { meanings.contains(column) }

  /// The required columns that the file lacks.
  var missing: [CSVColumn] {
    (customer == .missing ? [.customerName] : []) + (addresses.isEmpty ? [.address] : [])
  }

  /// The headings of the unused columns.
  var unused: [String] { CSVHeader.unused(headings, where: meanings.map { $0 == nil }) }

  /// True if the file has the headings of poolflow's own export or template.
  var isOwnExport: Bool {
    [CSVColumn.customerName, .address, .serviceDay, .monthlyFee, .poolVolume].allSatisfy {
      headings.contains($0.rawValue)
    }
  }

  /// A copy in memory that no other copy shares: see `CSVPiece`.
  var unshared: CSVLayout {
    var copy = self
    copy.headings = headings.map(\.self)
    copy.names = names.map(\.self)
    copy.meanings = meanings.map(\.self)
    copy.further = further.map(\.self)
    copy.addresses = addresses.map { columns in
      var columns = columns
      columns.lines = columns.lines.map(\.self)
      return columns
    }
    return copy
  }

  /// True if some columns besides `notes` may add lines to the pool's notes.
  var hasFurtherNotes: Bool {
    !further.isEmpty || has(.company) || has(.dogName) || has(.bodyOfWater) || has(.frequency)
  }

  /// The normalized heading of a column; empty if the file does not have the column.
  func name(of column: CSVColumn) -> String { meanings.firstIndex(of: column).map { names[$0] } ?? "" }

  var uses: [CSVColumnUse] {
    zip(headings, meanings).map { CSVColumnUse(heading: $0, column: $1) }
  }

  // MARK: Assigning meanings to columns

  /// The column that a heading names by the app's own rules.
  private func column(at position: Int) -> CSVColumn? {
    CSVColumn(header: headings[position], normalized: names[position])
  }

  /// Records the meaning of a column. If two columns have the same meaning, the left one counts (R-CSV-6); a second
  /// telephone number, e-mail address or note is kept as a further line of the notes.
  private mutating func take(_ column: CSVColumn, at position: Int) {
    guard has(column) else {
      meanings[position] = column
      if column == .customerName { customer = .column }
      return
    }
    guard [.contactPhone, .contactEmail, .notes].contains(column) else { return }
    meanings[position] = column
    further.append(position)
  }

  private mutating func readVolumes() {
    for position in headings.indices where meanings[position] == nil {
      if CSVVolumeUnit.isVolume(names[position]) { take(.poolVolume, at: position) }
    }
    if let position = meanings.firstIndex(of: .poolVolume) { volumeUnit = CSVVolumeUnit(heading: names[position]) }
  }

  // MARK: Addresses

  private mutating func readAddresses(mapped: Set<Int>, _ language: Language) {
    var found: [CSVAddressHeading.Owner: CSVAddressColumns] = [:]
    var columns: [CSVAddressHeading.Owner: [(position: Int, column: CSVColumn)]] = [:]
    // Columns named `Address` are read before columns named `Street`, whatever their order in the file.
    let positions =
      headings.indices.filter { !isAmbiguousStreet($0) } + headings.indices.filter { isAmbiguousStreet($0) }
    for position in positions {
      let isMapped = mapped.contains(position)
      guard let heading = isMapped ? mappedPart(at: position) : addressHeadings[position],
        heading.owner != .billing,
        isMapped || meanings[position] == nil,
        let column = found[heading.owner, default: CSVAddressColumns()].add(heading.part, at: position)
      else { continue }
      columns[heading.owner, default: []].append((position, column))
    }
    shareTowns(&found, &columns)
    let isNamed = has(.customerName) || has(.firstName) || has(.lastName)
    for owner in CSVAddressHeading.Owner.allCases {
      guard var address = found[owner], address.hasStreet || address.whole != nil else { continue }
      // A street column alone may be something else, such as a list of a town's streets.
      let isWeak = address.hasStreet && isAmbiguousStreet(address.lines[0]) && !mapped.contains(address.lines[0])
      guard !isWeak || address.hasTown || isNamed else { continue }
      address.order = order(of: address, language)
      addresses.append(address)
      for (position, column) in columns[owner] ?? [] { meanings[position] = column }
    }
  }

  private func mappedPart(at position: Int) -> CSVAddressHeading? {
    guard let part = meanings[position]?.addressPart else { return nil }
    return CSVAddressHeading(owner: .location, part: part)
  }

  /// For `Service Address, City, Zip`: if only one kind of address has a street, the town columns of the other kind are
  /// added to it.
  private func shareTowns(
    _ found: inout [CSVAddressHeading.Owner: CSVAddressColumns],
    _ columns: inout [CSVAddressHeading.Owner: [(position: Int, column: CSVColumn)]]
  ) {
    for (street, town) in [(CSVAddressHeading.Owner.location, CSVAddressHeading.Owner.plain), (.plain, .location)] {
      guard var address = found[street], address.hasStreet, !address.hasTown, let other = found[town], !other.hasStreet,
        other.whole == nil
      else { continue }
      (address.city, address.state, address.postalCode) = (other.city, other.state ?? address.state, other.postalCode)
      found[street] = address
      found[town] = nil
      columns[street, default: []] += columns[town] ?? []
    }
  }

  /// True for headings such as `Street`, which may also be a list of a town's streets.
  private func isAmbiguousStreet(_ position: Int) -> Bool {
    let heading = addressHeadings[position]
    return heading?.owner == .plain && heading?.part == .street && column(at: position) != .address
  }

  private func order(of address: CSVAddressColumns, _ language: Language) -> CSVAddressColumns.Order {
    let code = address.postalCode.map { names[$0] } ?? ""
    if CSVAddressHeading.brazilianPostalCodes.contains(code) { return .brazilian }
    if CSVAddressHeading.europeanPostalCodes.contains(code) { return .european }
    switch language {
    case .english: return .american
    case .portuguese: return .brazilian
    case .spanish, .french, .german: return .european
    }
  }

  // MARK: Ambiguous names

  /// Reads headings with ambiguous names such as `Name`. One counts only if no column has a clear name for its meaning
  /// and the other required column does have a clear name: in `Name, Address` it is the customer's name; in `Name,
  /// Street` it may be a town.
  private mutating func readAmbiguousNames() {
    let isNamed = has(.customerName) || has(.firstName) || has(.lastName)
    guard isNamed == addresses.isEmpty else { return }
    for position in headings.indices where meanings[position] == nil || meanings[position] == .company {
      guard let column = CSVColumn(looseHeader: names[position]), column == (isNamed ? .address : .customerName)
      else {
        continue
      }
      meanings[position] = column
      if column == .customerName {
        customer = .column
      } else {
        addresses.append(CSVAddressColumns(lines: [position], hasStreet: true))
      }
      return
    }
  }
}

extension CSVAddressHeading {
  fileprivate init(owner: Owner, part: Part) {
    self.owner = owner
    self.part = part
  }
}

extension CSVColumn {
  /// The part of an address that the column holds; nil for other columns.
  fileprivate var addressPart: CSVAddressHeading.Part? {
    switch self {
    case .address: .street
    case .addressLine2: .line
    case .houseNumber: .houseNumber
    case .city: .city
    case .state: .state
    case .postalCode: .postalCode
    default: nil
    }
  }
}

extension CSVAddressColumns {
  /// Adds a column to the address.
  ///
  /// - Returns: the column's meaning; nil if the address already has that part (R-CSV-6).
  fileprivate mutating func add(_ part: CSVAddressHeading.Part, at position: Int) -> CSVColumn? {
    func set(_ column: inout Int?, _ meaning: CSVColumn) -> CSVColumn? {
      guard column == nil else { return nil }
      column = position
      return meaning
    }
    switch part {
    case .street:
      // A second street belongs to another address. A street to the right of its further lines is still the first line.
      guard !hasStreet else { return nil }
      hasStreet = true
      lines.insert(position, at: 0)
      return .address
    case .line:
      lines.append(position)
      return .addressLine2
    case .houseNumber: return set(&houseNumber, .houseNumber)
    case .city: return set(&city, .city)
    case .state: return set(&state, .state)
    case .postalCode: return set(&postalCode, .postalCode)
    case .whole: return set(&whole, .address)
    }
  }
}
