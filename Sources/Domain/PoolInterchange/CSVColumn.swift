/// What a column of a customers file means, under its canonical name.
package enum CSVColumn: String, Sendable, CaseIterable {
  case customerName = "customer_name"
  case address
  case serviceDay = "service_day"
  case monthlyFee = "monthly_fee"
  case poolVolume = "pool_volume"
  case notes
  case latitude
  case longitude
  case contactName = "contact_name"
  case contactPhone = "contact_phone"
  case tags
  /// Our own: becomes the profile's tag `tech:NAME`.
  case technician
}

extension CSVColumn {
  /// The place in `allCases`.
  var ordinal: Int {
    switch self {
    case .customerName: 0
    case .address: 1
    case .serviceDay: 2
    case .monthlyFee: 3
    case .poolVolume: 4
    case .notes: 5
    case .latitude: 6
    case .longitude: 7
    case .contactName: 8
    case .contactPhone: 9
    case .tags: 10
    case .technician: 11
    }
  }

  /// A file without these cannot be imported (D-4).
  package static let required: [CSVColumn] = [.customerName, .address]

  /// The column that a header cell names; nil for one we do not use.
  package init?(header: String) {
    guard let column = Self.aliases[Self.normalized(header)] else { return nil }
    self = column
  }

  /// Lower case, runs of anything but letters and digits as one underscore, none at the ends: `Monthly Fee ($)` is
  /// `monthly_fee`. NUL and byte order marks vanish. Source: reading R-CSV-3.
  package static func normalized(_ header: String) -> String {
    var result = ""
    var isBetweenWords = false
    for scalar in header.unicodeScalars where scalar.value != 0 && scalar.value != 0xFEFF {
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
        isBetweenWords = true
        continue
      }
      if isBetweenWords, !result.isEmpty { result += "_" }
      isBetweenWords = false
      result.unicodeScalars.append(scalar)
    }
    return result.lowercased()
  }

  /// The columns' names and their other names. Source: PRODUCT.md, Customers files, golden file `csv_headers.json`;
  /// `technician` is ours.
  private static let aliases: [String: CSVColumn] = {
    let others: [CSVColumn: [String]] = [
      .customerName: ["client"],
      .address: ["street_address"],
      .serviceDay: ["weekday", "day", "service_day_of_week"],
      .monthlyFee: ["fee", "rate", "price", "monthly_service_fee"],
      .poolVolume: ["volume", "gallons", "pool_volume_gallons"],
      .notes: ["note", "comments", "instructions", "service_notes"],
      .latitude: ["lat"],
      .longitude: ["long", "lng", "lon"],
      .contactName: ["contact", "contact_person", "owner_name", "primary_contact"],
      .contactPhone: ["phone", "telephone", "contact_number"],
      .tags: ["tag", "labels"],
      .technician: ["tech"],
    ]
    var aliases: [String: CSVColumn] = [:]
    for column in CSVColumn.allCases {
      aliases[column.rawValue] = column
      for other in others[column] ?? [] { aliases[other] = column }
    }
    return aliases
  }()

  /// The meaning of each column of a header; of two columns with one meaning the left one counts (R-CSV-6).
  static func meanings(of header: [String]) -> [CSVColumn?] {
    var seen: Set<CSVColumn> = []
    return header.map { cell in
      guard let column = CSVColumn(header: cell), seen.insert(column).inserted else { return nil }
      return column
    }
  }
}
