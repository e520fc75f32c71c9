/// The meaning of a column in a customers file. The raw value is the column's canonical heading.
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
  /// poolflow's own column: stored as the tag `tech:NAME` of the customer profile.
  case technician

  // Columns of other programs, which the PoolFlow app does not read. Headings: `ThirdPartyHeadings`.
  case firstName = "first_name"
  case lastName = "last_name"
  /// The customer's name if both name columns are empty; otherwise a line of the notes.
  case company
  case houseNumber = "house_number"
  /// Any address line after the first.
  case addressLine2 = "address_line_2"
  case city
  case state
  case postalCode = "postal_code"
  case contactEmail = "contact_email"
  case gateCode = "gate_code"
  case dogName = "dog_name"
  case frequency
  case status
  /// The period that the fee covers: a month or a visit.
  case rateType = "rate_type"
  case bodyOfWater = "body_of_water"
  case arrivalWindow = "arrival_window"

  // Columns that exist only in poolflow's own export: see `isOfRecord`.
  case poolID = "pool_id"
  case routeOrder = "route_order"
  /// The rank in the technician's day, from 1. Informational: imports read `routeOrder` instead.
  case stopNumber = "stop_number"
  case pH = "ph"
  case waterTemp = "water_temp_f"
  case calciumHardness = "calcium_hardness"
  case totalAlkalinity = "total_alkalinity"
  case cyanuricAcid = "cyanuric_acid"
  case dissolvedSolids = "total_dissolved_solids"
  /// Langelier saturation index of the readings in the same row.
  case lsi
  /// The currency of the fee.
  case currency

  /// Parts per million, as is `salt`: readings of a new pool; an existing pool keeps those of its visits.
  case freeChlorine = "free_chlorine"
  case salt
}

extension CSVColumn {
  /// The columns of the template that users fill in: all columns that the PoolFlow app reads, and the technician.
  package static let fillable: [CSVColumn] = [
    .customerName, .address, .serviceDay, .monthlyFee, .poolVolume, .notes, .latitude, .longitude, .contactName,
    .contactPhone, .tags, .technician,
  ]

  /// The columns of poolflow's export of pools, in file order.
  package static let exported: [CSVColumn] =
    fillable + [
      .arrivalWindow, .poolID, .routeOrder, .stopNumber, .pH, .waterTemp, .calciumHardness, .totalAlkalinity,
      .cyanuricAcid, .dissolvedSolids, .lsi, .currency,
    ]

  /// True for columns that are read only from a file with a `pool_id` column: in other programs' files such a heading
  /// may mean something else.
  var isOfRecord: Bool {
    switch self {
    case .poolID, .routeOrder, .stopNumber, .pH, .waterTemp, .calciumHardness, .totalAlkalinity, .cyanuricAcid,
      .dissolvedSolids, .lsi, .currency:
      true
    default: false
    }
  }

  /// True for columns that an import of profiles reads.
  var isOfProfile: Bool {
    switch self {
    case .serviceDay, .monthlyFee, .poolVolume, .notes, .latitude, .longitude, .dogName, .frequency, .rateType,
      .bodyOfWater, .routeOrder, .stopNumber, .pH, .waterTemp, .calciumHardness, .totalAlkalinity, .cyanuricAcid,
      .dissolvedSolids, .lsi, .currency, .freeChlorine, .salt:
      false
    default: true
    }
  }

  /// The index of this case in `allCases`, without a search.
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
    case .firstName: 12
    case .lastName: 13
    case .company: 14
    case .houseNumber: 15
    case .addressLine2: 16
    case .city: 17
    case .state: 18
    case .postalCode: 19
    case .contactEmail: 20
    case .gateCode: 21
    case .dogName: 22
    case .frequency: 23
    case .status: 24
    case .rateType: 25
    case .bodyOfWater: 26
    case .arrivalWindow: 27
    case .poolID: 28
    case .routeOrder: 29
    case .stopNumber: 30
    case .pH: 31
    case .waterTemp: 32
    case .calciumHardness: 33
    case .totalAlkalinity: 34
    case .cyanuricAcid: 35
    case .dissolvedSolids: 36
    case .lsi: 37
    case .currency: 38
    case .freeChlorine: 39
    case .salt: 40
    }
  }

  /// The columns that every customers file must have (D-4).
  package static let required: [CSVColumn] = [.customerName, .address]

  /// The column that a heading names by the app's own rules.
  ///
  /// - Returns: nil for a heading that the app does not know; `CSVLayout` may still know it from another program.
  package init?(header: String) { self.init(header: header, normalized: Self.normalized(header)) }

  /// The column that a heading names, as `init(header:)` finds it.
  ///
  /// - Parameter normalized: the heading after `normalized`.
  init?(header: String, normalized: String) {
    guard let column = Self.aliases[normalized] else { return nil }
    // `Customer #` is a customer number, not a name.
    if column == .customerName, header.contains("#") { return nil }
    self = column
  }

  /// Lower-cases a heading and turns each run of characters other than letters and digits into one underscore, none at
  /// the ends: `Monthly Fee ($)` becomes `monthly_fee`. NUL and byte order marks are removed. Source: reading R-CSV-3.
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

  private static let aliases: [String: CSVColumn] = {
    var aliases: [String: CSVColumn] = [:]
    for column in CSVColumn.exported {
      aliases[column.rawValue] = column
      for alias in words(column.otherNames) { aliases[alias] = column }
    }
    return aliases
  }()

  private static let looseAliases: [String: CSVColumn] = {
    var aliases: [String: CSVColumn] = [:]
    for column in required { for alias in words(column.looseNames) { aliases[alias] = column } }
    return aliases
  }()

  private static func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }

  /// The required column that an ambiguous heading such as `Name`, normalized, may mean; `CSVLayout` decides from the
  /// other headings.
  init?(looseHeader normalized: String) {
    guard let column = Self.looseAliases[normalized] else { return nil }
    self = column
  }

  /// Normalized headings for the column in other programs and languages. Source: product.md, Customers files, and
  /// golden file `csv_headers.json`; names that are missing there, and `technician`, are poolflow's own additions.
  private var otherNames: String {
    switch self {
    case .customerName:
      """
      client customer client_name customer_full_name client_full_name account_name cliente nombre_cliente
      nombre_del_cliente nom_client nom_du_client nome_cliente nome_do_cliente kunde kundenname display_name
      customer_display_name
      """
    case .address:
      """
      street_address service_address customer_address client_address site_address property_address job_address
      pool_address full_address address_1 address1 address_line_1 dirección direccion adresse anschrift endereço endereco
      """
    case .serviceDay:
      """
      weekday day service_day_of_week day_of_week service_weekday route_day visit_day scheduled_day cleaning_day
      día_de_servicio dia_de_servicio jour_de_service dia_de_serviço wochentag servicetag service_days day_of_service
      days visit_days route_days día dia jour día_de_la_semana dia_de_la_semana dia_da_semana jour_de_la_semaine
      jour_de_passage
      """
    case .monthlyFee:
      """
      fee rate price monthly_service_fee monthly_rate monthly_price monthly_charge monthly_amount service_fee
      service_rate service_price fee_per_month rate_per_month price_per_month fee_mo rate_mo price_mo
      cuota_mensual forfait_mensuel mensalidade monatsgebühr monatspreis preis precio precio_mensual tarifa
      tarifa_mensual prix prix_mensuel tarif tarif_mensuel preço preço_mensal valor_mensal
      """
    case .poolVolume:
      """
      volume gallons pool_volume_gallons pool_gallons volume_gallons gallons_volume volume_gal pool_volume_gal gal
      pool_size pool_size_gallons pool_capacity capacity capacity_gallons
      """
    case .notes:
      """
      note comments instructions service_notes comment remarks customer_notes client_notes pool_notes access_notes
      special_instructions service_instructions notas observaciones observações remarques notizen bemerkungen
      """
    case .latitude: "lat gps_latitude gps_lat latitud breitengrad"
    case .longitude: "long lng lon gps_longitude gps_lng gps_lon longitud längengrad"
    case .contactName:
      "contact contact_person owner_name primary_contact main_contact primary_contact_name contact_full_name owner homeowner"
    case .contactPhone:
      """
      phone telephone contact_number phone_number telephone_number contact_phone_number customer_phone client_phone
      primary_phone home_phone mobile mobile_phone mobile_number cell cell_phone cell_number tel teléfono telefono telefone
      téléphone telefon
      """
    case .tags: "tag labels label categories etiquetas étiquettes"
    case .technician:
      """
      tech technician_name tech_name assigned_technician assigned_tech assigned_to técnico tecnico technicien techniker
      service_technician route_technician route_tech
      """
    default: ""
    }
  }

  /// Normalized headings that may also mean something else, such as `name`; see `CSVLayout.readAmbiguousNames`.
  private var looseNames: String {
    switch self {
    case .customerName:
      """
      name full_name company company_name business_name household nombre nombre_completo nom nom_complet nome
      nome_completo firma firmenname empresa entreprise société organization organization_name
      """
    case .address: "street location site property"
    default: ""
    }
  }
}
