package import FlowModel

/// The texts of the engine in one language, about delivery to people and published pages. The memberwise initialiser has no
/// defaults, so a language cannot lack a sentence.
package struct CommonPhrases: Sendable {
  // The test of a person's addresses.
  let testTitle: Sentence
  /// `{0}`: the person's name.
  let testBody: Sentence
  // The report about notices that technicians did not get.
  /// `{0}`: name of the only person; `{1}`: title of the only notice.
  let undeliveredOne: Sentence
  /// `{0}`: names of the people.
  let undeliveredMany: Sentence
  let undelivered: PluralSentence
  let deliveryRefused: Sentence
  let deliveryExpired: Sentence
  let deliveryUnknown: Sentence
  package let more: PluralSentence
  package let emailLabel: Sentence
  /// The label of the link to a published page.
  package let openPage: Sentence
  // Published pages.
  /// The last line of a page.
  package let pageFollows: Sentence
  /// `{0}`: the time at which the page was made.
  package let pageMade: Sentence
  // Links to the pages of a folder, in a quarter of a phone's width.
  package let todayLink: Sentence
  package let tomorrowLink: Sentence
  package let weekLink: Sentence
  package let startLink: Sentence

  static let english = CommonPhrases(
    testTitle: "Test",
    testBody: "{0}'s notices will arrive here. No action needed.",
    undeliveredOne: "{0} did not get “{1}”",
    undeliveredMany: "Notices not delivered: {0}",
    undelivered: PluralSentence(
      one: "{0} notice did not reach a technician.", other: "{0} notices did not reach their technicians."),
    deliveryRefused: "refused",
    deliveryExpired: "could not be delivered in time",
    deliveryUnknown: "may or may not have arrived",
    more: PluralSentence(one: "and {0} more", other: "and {0} more"),
    emailLabel: "E-mail",
    openPage: "Open the page",
    pageFollows: "Updates within minutes of a change, otherwise hourly.",
    pageMade: "Made {0}.",
    todayLink: "Today", tomorrowLink: "Tomorrow", weekLink: "Week", startLink: "Overview")

  static let spanish = CommonPhrases(
    testTitle: "Prueba",
    testBody: "Los avisos de {0} llegarán aquí. No hay que hacer nada.",
    undeliveredOne: "{0} no recibió «{1}»",
    undeliveredMany: "Avisos sin entregar: {0}",
    undelivered: PluralSentence(
      one: "{0} aviso no llegó a su técnico.", many: "{0} de avisos no llegaron a sus técnicos.",
      other: "{0} avisos no llegaron a sus técnicos."),
    deliveryRefused: "rechazado",
    deliveryExpired: "no se pudo entregar a tiempo",
    deliveryUnknown: "puede que haya llegado, no se sabe",
    more: PluralSentence(one: "y {0} más", many: "y {0} más", other: "y {0} más"),
    emailLabel: "Correo",
    openPage: "Abrir la página",
    pageFollows: "Se actualiza a los pocos minutos de un cambio; si no, cada hora.",
    pageMade: "Página del {0}.",
    todayLink: "Hoy", tomorrowLink: "Mañana", weekLink: "Semana", startLink: "Resumen")

  static let french = CommonPhrases(
    testTitle: "Test",
    testBody: "Les messages {de 0} arriveront ici. Il n'y a rien à faire.",
    undeliveredOne: "{0} n'a pas reçu « {1} »",
    undeliveredMany: "Messages non remis : {0}",
    undelivered: PluralSentence(
      one: "{0} message n'est pas parvenu à son technicien.",
      many: "{0} de messages ne sont pas parvenus à leurs techniciens.",
      other: "{0} messages ne sont pas parvenus à leurs techniciens."),
    deliveryRefused: "refusé",
    deliveryExpired: "n'a pas pu être remis à temps",
    deliveryUnknown: "peut-être arrivé, on ne sait pas",
    more: PluralSentence(one: "et {0} de plus", many: "et {0} de plus", other: "et {0} de plus"),
    emailLabel: "Courriel",
    openPage: "Ouvrir la page",
    pageFollows: "Mise à jour en quelques minutes après un changement, sinon toutes les heures.",
    pageMade: "Page du {0}.",
    todayLink: "Aujourd’hui", tomorrowLink: "Demain", weekLink: "Semaine", startLink: "Accueil")

  static let portuguese = CommonPhrases(
    testTitle: "Teste",
    testBody: "Os avisos de {0} chegarão aqui. Não é preciso fazer nada.",
    undeliveredOne: "{0} não recebeu “{1}”",
    undeliveredMany: "Avisos não entregues: {0}",
    undelivered: PluralSentence(
      one: "{0} aviso não chegou ao técnico.", many: "{0} de avisos não chegaram aos técnicos.",
      other: "{0} avisos não chegaram aos técnicos."),
    deliveryRefused: "recusado",
    deliveryExpired: "não pôde ser entregue a tempo",
    deliveryUnknown: "talvez tenha chegado, não se sabe",
    more: PluralSentence(one: "e mais {0}", many: "e mais {0}", other: "e mais {0}"),
    emailLabel: "E-mail",
    openPage: "Abrir a página",
    pageFollows: "Atualiza poucos minutos após uma mudança; senão, a cada hora.",
    pageMade: "Página de {0}.",
    todayLink: "Hoje", tomorrowLink: "Amanhã", weekLink: "Semana", startLink: "Início")

  static let german = CommonPhrases(
    testTitle: "Probe",
    testBody: "Nachrichten für {0} kommen künftig hier an. Es ist nichts zu tun.",
    undeliveredOne: "{0} hat „{1}“ nicht bekommen",
    undeliveredMany: "Nicht zugestellte Nachrichten: {0}",
    undelivered: PluralSentence(
      one: "{0} Nachricht hat ihren Techniker nicht erreicht.",
      other: "{0} Nachrichten haben ihre Techniker nicht erreicht."),
    deliveryRefused: "abgelehnt",
    deliveryExpired: "konnte nicht rechtzeitig zugestellt werden",
    deliveryUnknown: "vielleicht angekommen, das ist nicht bekannt",
    more: PluralSentence(one: "und {0} weiteren", other: "und {0} weitere"),
    emailLabel: "E-Mail",
    openPage: "Seite öffnen",
    pageFollows: "Änderungen erscheinen binnen Minuten, alles andere stündlich.",
    pageMade: "Stand der Seite: {0}.",
    todayLink: "Heute", tomorrowLink: "Morgen", weekLink: "Woche", startLink: "Übersicht")
}

extension Language {
  /// The colon after a label, in French with the space before it.
  package var colon: String { self == .french ? "\u{A0}:" : ":" }

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
