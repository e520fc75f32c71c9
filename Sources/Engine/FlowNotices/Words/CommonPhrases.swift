package import FlowModel

/// The texts of the engine in one language, about delivery to people. The memberwise initialiser has no defaults, so a language cannot lack a
/// sentence.
package struct CommonPhrases: Sendable {
  // The test of a person's addresses.
  let testTitle: Sentence
  /// `{0}`: the person's name.
  let testBody: Sentence
  // The report about notices that technicians did not get.
  let undeliveredTitle: Sentence
  let undelivered: PluralSentence
  let deliveryRefused: Sentence
  let deliveryExpired: Sentence
  let deliveryUnknown: Sentence
  package let more: PluralSentence
  package let emailLabel: Sentence
  /// The label of the link to a published page.
  package let openPage: Sentence

  static let english = CommonPhrases(
    testTitle: "Test",
    testBody: "This is only a test: {0} will get notices here from now on. Nothing needs to be done.",
    undeliveredTitle: "Not everybody got their notice",
    undelivered: PluralSentence(
      one: "{0} notice did not reach a technician.", other: "{0} notices did not reach their technicians."),
    deliveryRefused: "refused",
    deliveryExpired: "could not be delivered in time",
    deliveryUnknown: "may or may not have arrived",
    more: PluralSentence(one: "and {0} more", other: "and {0} more"),
    emailLabel: "E-mail",
    openPage: "Open the page")

  static let spanish = CommonPhrases(
    testTitle: "Prueba",
    testBody: "Es solo una prueba: {0} recibirá aquí sus avisos. No hay que hacer nada.",
    undeliveredTitle: "No todos recibieron su aviso",
    undelivered: PluralSentence(
      one: "{0} aviso no llegó a su técnico.", many: "{0} de avisos no llegaron a sus técnicos.",
      other: "{0} avisos no llegaron a sus técnicos."),
    deliveryRefused: "rechazado",
    deliveryExpired: "no se pudo entregar a tiempo",
    deliveryUnknown: "puede que haya llegado, no se sabe",
    more: PluralSentence(one: "y {0} más", many: "y {0} más", other: "y {0} más"),
    emailLabel: "Correo",
    openPage: "Abrir la página")

  static let french = CommonPhrases(
    testTitle: "Essai",
    testBody: "Ceci n'est qu'un essai : {0} recevra ici ses messages. Il n'y a rien à faire.",
    undeliveredTitle: "Certains messages ne sont pas arrivés",
    undelivered: PluralSentence(
      one: "{0} message n'est pas parvenu à son technicien.",
      many: "{0} de messages ne sont pas parvenus à leurs techniciens.",
      other: "{0} messages ne sont pas parvenus à leurs techniciens."),
    deliveryRefused: "refusé",
    deliveryExpired: "n'a pas pu être remis à temps",
    deliveryUnknown: "peut-être arrivé, on ne sait pas",
    more: PluralSentence(one: "et {0} de plus", many: "et {0} de plus", other: "et {0} de plus"),
    emailLabel: "Courriel",
    openPage: "Ouvrir la page")

  static let portuguese = CommonPhrases(
    testTitle: "Teste",
    testBody: "É apenas um teste: {0} receberá aqui os seus avisos. Não é preciso fazer nada.",
    undeliveredTitle: "Nem todos receberam o seu aviso",
    undelivered: PluralSentence(
      one: "{0} aviso não chegou ao técnico.", many: "{0} de avisos não chegaram aos técnicos.",
      other: "{0} avisos não chegaram aos técnicos."),
    deliveryRefused: "recusado",
    deliveryExpired: "não pôde ser entregue a tempo",
    deliveryUnknown: "talvez tenha chegado, não se sabe",
    more: PluralSentence(one: "e mais {0}", many: "e mais {0}", other: "e mais {0}"),
    emailLabel: "E-mail",
    openPage: "Abrir a página")

  static let german = CommonPhrases(
    testTitle: "Probe",
    testBody: "Nur eine Probe: {0} bekommt hier künftig Nachrichten. Es ist nichts zu tun.",
    undeliveredTitle: "Nicht alle haben ihre Nachricht",
    undelivered: PluralSentence(
      one: "{0} Nachricht hat ihren Techniker nicht erreicht.",
      other: "{0} Nachrichten haben ihre Techniker nicht erreicht."),
    deliveryRefused: "abgelehnt",
    deliveryExpired: "konnte nicht rechtzeitig zugestellt werden",
    deliveryUnknown: "vielleicht angekommen, niemand weiß es",
    more: PluralSentence(one: "und {0} weiterer", other: "und {0} weitere"),
    emailLabel: "E-Mail",
    openPage: "Seite öffnen")
}

extension Language {
  package var commonPhrases: CommonPhrases {
    switch self {
    case .english: .english
    case .spanish: .spanish
    case .french: .french
    case .portuguese: .portuguese
    case .german: .german
    }
  }
}
