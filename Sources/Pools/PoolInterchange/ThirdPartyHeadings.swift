/// Column headings of field-service, accounting and address book programs that the app's own lists lack, normalized
/// (`CSVColumn.normalized`), in five languages.
///
/// Source: exports of Skimmer, Jobber, Housecall Pro, QuickBooks, Google Contacts and Outlook.
enum ThirdPartyHeadings {
  /// The column that a normalized heading names; nil for an unknown heading.
  ///
  /// - Parameter headings: all headings of the file. `Chlorine` and `Salt` are doses beside a heading such as `Muriatic Acid`.
  static func column(_ normalized: String, among headings: Set<String>) -> CSVColumn? {
    guard let column = columns[normalized] else { return nil }
    return readingsOrDoses.contains(normalized) && !headings.isDisjoint(with: doses) ? nil : column
  }

  private static let readingsOrDoses: Set<String> = ["chlorine", "salt"]
  private static let doses: Set<String> = [
    "acid", "muriatic_acid", "soda_ash", "bicarb", "sodium_bicarbonate", "baking_soda", "shock", "tabs", "tablets",
    "trichlor", "dichlor", "cal_hypo", "bleach", "liquid_chlorine", "algaecide", "conditioner", "clarifier",
  ]

  /// The meaning of a heading such as `Name` that depends on its partner column: beside `Vorname`, `Name` is the last
  /// name; beside `Apellidos`, `Nombre` is the first name.
  ///
  /// - Returns: nil if the file has no partner column for the heading.
  static func pairedColumn(of heading: String, among headings: Set<String>) -> CSVColumn? {
    guard let pairs = columnPairs[heading] else { return nil }
    return pairs.first { headings.contains($0.other) }?.column
  }

  private static let columnPairs: [String: [(other: String, column: CSVColumn)]] = [
    "name": [("vorname", .lastName)],
    "nom": [("prénom", .lastName), ("prenom", .lastName)],
    "nombre": [("apellidos", .firstName), ("apellido", .firstName)],
    "nome": [("sobrenome", .firstName), ("apelido", .firstName)],
  ]

  private static let columns: [String: CSVColumn] = {
    var columns: [String: CSVColumn] = [:]
    for (column, names) in names {
      columns[column.rawValue] = column
      for name in names.split(whereSeparator: \.isWhitespace) { columns[String(name)] = column }
    }
    return columns
  }()

  private static let names: [(CSVColumn, String)] = [
    (
      .firstName,
      """
      first firstname given_name forename customer_first_name client_first_name contact_first_name vorname prénom prenom
      primer_nombre primeiro_nome
      """
    ),
    (
      .lastName,
      """
      last lastname surname family_name customer_last_name client_last_name contact_last_name nachname familienname
      nom_de_famille apellido apellidos sobrenome apelido
      """
    ),
    (
      .company,
      """
      company_name business_name organization organisation organization_name organization_1_name firma firmenname empresa
      entreprise société
      """
    ),
    (
      .contactPhone,
      """
      phone_1 phone_2 phone_s phone_numbers phone_1_value phone_2_value main_phone main_phone_s mobile_phone_s
      mobile_phones mobile_phone_1 mobile_phone_2 mobile_1 home_number home_phone_s home_phone_2 work_phone work_number
      business_phone office_phone alt_phone alternate_phone other_phone secondary_phone handy handynummer mobil
      mobiltelefon telefonnummer móvil movil celular portable téléphone_portable telemóvel
      """
    ),
    (
      .contactEmail,
      """
      email e_mail mail emails e_mails email_1 email_2 email_address e_mail_address e_mail_2_address primary_email
      main_email customer_email client_email e_mail_1_value e_mail_2_value email_1_value correo correo_electrónico
      correo_electronico courriel adresse_e_mail e_mail_adresse emailadresse mailadresse
      """
    ),
    (
      .gateCode,
      """
      gate gate_codes gate_access gate_access_code gate_access_type access_code entry_code gate_lock_code lockbox
      lockbox_code key_code door_code torcode tor_code zugangscode code_portail code_d_accès código_de_acceso
      código_del_portón código_do_portão código_de_acesso
      """
    ),
    (.dogName, "dog_s_name dogs_name dog dogs dog_s pet pets pet_name hund hundename perro chien cachorro"),
    (
      .notes,
      """
      location_notes property_notes site_notes job_notes gate_notes internal_notes private_notes technician_notes
      route_notes address_1_notes directions driving_directions hinweise hinweis anmerkungen kommentar commentaire
      commentaires comentarios
      """
    ),
    (
      // `Chlorine (oz)` and other headings with a unit of volume or weight are doses.
      .freeChlorine,
      """
      fc fac free_chlorine_ppm free_chlorine_reading free_available_chlorine free_cl chlorine chlorine_ppm chlorine_level
      chlorine_reading cloro_libre cloro_livre chlore_libre freies_chlor
      """
    ),
    (
      .salt,
      """
      salt_ppm salt_level salt_reading salinity salinity_ppm sal_ppm salinidad salinidade salinité salzgehalt
      """
    ),
    (
      .frequency,
      """
      service_frequency visit_frequency cleaning_frequency recurrence frecuencia fréquence frequência häufigkeit turnus
      intervall
      """
    ),
    (
      .status,
      """
      customer_status client_status account_status service_status active is_active active_status archived inactive aktiv
      statut actif activo ativo situação
      """
    ),
    (.rateType, "billing_type charge_type price_type fee_type rate_unit rate_per"),
    (.bodyOfWater, "body body_name water_body pool_name body_of_water_name"),
  ]
}

/// Recognises the values of the frequency, status and rate type columns in five languages.
enum CSVKeywords {
  /// True if the text means "every week".
  static func isWeekly(_ text: String) -> Bool { weekly.contains(plain(text)) }

  /// True if the text means "per month".
  static func isMonthly(_ text: String) -> Bool { monthly.contains(plain(text)) }

  /// Reads a customer's status.
  ///
  /// - Parameter heading: the normalized heading; under `archived` or `inactive` a yes means not active.
  /// - Returns: nil for an unknown value.
  static func isActive(_ text: String, under heading: String) -> Bool? {
    let word = plain(text)
    if inverted.contains(heading) {
      if yes.contains(word) || inactive.contains(word) { return false }
      return no.contains(word) || active.contains(word) ? true : nil
    }
    if inactive.contains(word) || no.contains(word) { return false }
    return active.contains(word) || yes.contains(word) ? true : nil
  }

  private static func plain(_ text: String) -> String { CSVColumn.normalized(text) }

  private static func words(_ text: String) -> Set<String> {
    Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
  }

  private static let weekly = words(
    """
    weekly week every_week each_week once_a_week once_per_week 1x_week 1_x_week 1_week 1x_weekly every_1_week
    every_1_weeks 1x_per_week wöchentlich jede_woche semanal semanalmente cada_semana toda_semana hebdomadaire
    chaque_semaine toutes_les_semaines todas_las_semanas todas_as_semanas
    """)
  private static let monthly = words(
    """
    month monthly per_month mo a_month flat_monthly monthly_flat_rate mensual mensuel mensal por_mes por_mês par_mois
    monatlich pro_monat
    """)
  private static let inverted = words("archived inactive")
  private static let yes = words("yes y true 1 x ja si sí oui sim")
  private static let no = words("no n false 0 nein non não nao")
  private static let active = words("active current open aktiv activo activa actif active ativo ativa")
  private static let inactive = words(
    """
    inactive not_active deactivated canceled cancelled closed former archived deleted lost terminated ended inaktiv
    gekündigt inactivo inactiva inactif inactive inativo inativa cancelado cancelada résilié résiliée baja
    """)
}
