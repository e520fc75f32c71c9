/// The meaning of an address heading: the kind of address (service, billing …) and the part (street, city …).
struct CSVAddressHeading: Hashable {
  /// The kind of address, in order of preference: of several addresses in one file, the first kind with a street is the
  /// pool's.
  enum Owner: Int, CaseIterable {
    /// The service location: `Service Address`, `Location City`, `Ship to 2`.
    case location
    case plain, home, business, other
    /// The invoice address; never used for the pool.
    case billing
  }

  /// The part of an address that a column holds.
  enum Part: Hashable {
    case street
    /// A further address line; several are joined in column order.
    case line
    case houseNumber, city, state, postalCode
    /// The whole address in one cell, used only if there is no street: `Address 1 - Formatted`.
    case whole
  }

  let owner: Owner
  let part: Part

  /// Reads a heading.
  ///
  /// - Parameter normalized: the heading after `CSVColumn.normalized`.
  /// - Returns: nil for a heading that is not part of an address, and for parts of a second address.
  init?(_ normalized: String) {
    var words = normalized.split(separator: "_")[...]
    guard let first = words.first else { return nil }
    if let owner = Self.wholeAddresses[normalized] {
      (self.owner, part) = (owner, .street)
      return
    }
    let owner = Self.owners[first] ?? .plain
    if owner != .plain {
      words = words.dropFirst()
      if let second = words.first, Self.fillers.contains(second) { words = words.dropFirst() }
      // `Ship to 2` is the second address line.
      if first == "ship", words.count == 1, let number = words.first, Int(number) != nil {
        words = ["address", number]
      }
    } else if ["customer", "client", "contact"].contains(first) {
      words = words.dropFirst()
    }
    let isAddress = words.first.map(Self.addressKeywords.contains) ?? false
    if isAddress { words = words.dropFirst() }
    if isAddress, let number = words.first.flatMap({ Int($0) }) {
      words = words.dropFirst()
      if words.isEmpty {
        (self.owner, part) = (owner, number == 1 ? .street : .line)
        return
      }
      // `Address 2 - City` belongs to a second address, not to the one of `Address 1 - City`.
      if number != 1 { return nil }
    }
    if words.isEmpty {
      guard isAddress else { return nil }
      (self.owner, part) = (owner, .street)
      return
    }
    guard let part = Self.parts[words.joined(separator: "_")] else { return nil }
    (self.owner, self.part) = (owner, part)
  }

  private static let owners: [Substring: Owner] = [
    "location": .location, "service": .location, "site": .location, "jobsite": .location, "property": .location,
    "job": .location, "pool": .location, "shipping": .location, "ship": .location, "delivery": .location,
    "objekt": .location, "billing": .billing, "bill": .billing, "invoice": .billing, "mailing": .billing,
    "home": .home, "business": .business, "work": .business, "office": .business, "other": .other,
  ]

  /// Words that may follow the owner and are skipped: `Ship to City`, `Service Location Zip`.
  private static let fillers: Set<Substring> = ["to", "location", "site", "property"]

  /// Headings of whole addresses that the word-by-word parser cannot read: English ones without "address", and other
  /// languages.
  private static let wholeAddresses: [String: Owner] = [
    "service_location": .location, "job_location": .location, "job_site": .location, "site_location": .location,
    "property_location": .location,
    "lieferadresse": .location, "lieferanschrift": .location, "objektadresse": .location, "einsatzort": .location,
    "adresse_de_livraison": .location, "adresse_d_intervention": .location, "adresse_de_la_piscine": .location,
    "dirección_de_servicio": .location, "direccion_de_servicio": .location, "endereço_de_serviço": .location,
    "rechnungsadresse": .billing, "rechnungsanschrift": .billing, "postanschrift": .billing, "postal_address": .billing,
    "adresse_de_facturation": .billing, "dirección_de_facturación": .billing, "direccion_de_facturacion": .billing,
    "endereço_de_cobrança": .billing,
  ]

  private static let addressKeywords: Set<Substring> = [
    "address", "addr", "adresse", "anschrift", "dirección", "direccion", "endereço", "endereco",
  ]

  private static let parts: [String: Part] = {
    var parts: [String: Part] = [:]
    for (part, names) in names {
      for name in names.split(whereSeparator: \.isWhitespace) { parts[String(name)] = part }
    }
    return parts
  }()

  private static let names: [(Part, String)] = [
    (
      .street,
      """
      street street_1 street_address street_address_1 street_line_1 street_address_line_1 line_1 straße strasse str
      calle rue rua
      """
    ),
    (
      .line,
      """
      line_2 line_3 street_2 street_3 street_line_2 street_address_2 street_address_line_2 unit unit_number apt apartment
      apt_number suite apt_suite adresszusatz zusatz complément complément_d_adresse complemento colonia bairro
      """
    ),
    (.houseNumber, "house_number house_no street_number hausnummer hausnr haus_nr"),
    (
      .city,
      """
      city town suburb locality municipality city_state city_state_zip stadt ort wohnort plz_ort plz_und_ort ville commune
      ciudad población poblacion localidad municipio cidade município
      """
    ),
    (.state, "state st province region state_province bundesland kanton provincia département departamento uf"),
    (
      .postalCode,
      """
      zip zip_code zipcode postal_code postal postcode post_code zip_postal_code plz postleitzahl cp code_postal
      código_postal codigo_postal cep
      """
    ),
    (.whole, "formatted full"),
  ]

  /// Postal code headings of countries that write the code before the town, as most of Europe does.
  static let europeanPostalCodes: Set<String> = [
    "plz", "postleitzahl", "cp", "code_postal", "código_postal", "codigo_postal",
  ]
  /// Postal code headings of Brazil, which writes the code last.
  static let brazilianPostalCodes: Set<String> = ["cep"]
}
