import FlowNotices

extension Phrases {
  static let french = Phrases(
    routeTitle: "Tournée du jour",
    scheduledToday: PluralSentence(
      one: "Vous avez {0} piscine prévue aujourd'hui.", many: "Vous avez {0} de piscines prévues aujourd'hui.",
      other: "Vous avez {0} piscines prévues aujourd'hui."),
    prepTitle: "Préparez demain",
    lowBeforeStops: TwoPluralSentence(
      one: PluralSentence(
        one: "{0} produit en stock bas avant {1} arrêt prévu.",
        many: "{0} produit en stock bas avant {1} d'arrêts prévus.",
        other: "{0} produit en stock bas avant {1} arrêts prévus."),
      many: PluralSentence(
        one: "{0} de produits en stock bas avant {1} arrêt prévu.",
        many: "{0} de produits en stock bas avant {1} d'arrêts prévus.",
        other: "{0} de produits en stock bas avant {1} arrêts prévus."),
      other: PluralSentence(
        one: "{0} produits en stock bas avant {1} arrêt prévu.",
        many: "{0} produits en stock bas avant {1} d'arrêts prévus.",
        other: "{0} produits en stock bas avant {1} arrêts prévus.")),
    weeklyTitle: "Bilan hebdomadaire PoolFlow",
    activePools: PluralSentence(
      one: "{0} piscine active. Consultez les analyses et l'état des tournées avant la nouvelle semaine.",
      many: "{0} de piscines actives. Consultez les analyses et l'état des tournées avant la nouvelle semaine.",
      other: "{0} piscines actives. Consultez les analyses et l'état des tournées avant la nouvelle semaine."),
    trialTitle: "Votre essai de PoolFlow Pro se termine demain",
    trialBody:
      "Passez à la version supérieure pour garder les piscines illimitées, les analyses et l'optimisation des tournées.",
    addressTest: "Les tournées {de 0} arriveront ici. Il n'y a rien à faire.",
    stops: PluralSentence(one: "{0} arrêt", many: "{0} d'arrêts", other: "{0} arrêts"),
    mailSubject: PluralSentence(
      one: "{1} : {0} arrêt à partir de {2}", many: "{1} : {0} d'arrêts à partir de {2}",
      other: "{1} : {0} arrêts à partir de {2}"),
    sectionTitle: "{0} : {1}",
    afterMidnight: PluralSentence(
      one: "La journée ne suffit pas : {0} arrêt après minuit.",
      many: "La journée ne suffit pas : {0} d'arrêts après minuit.",
      other: "La journée ne suffit pas : {0} arrêts après minuit."),
    changesTitle: "Changements depuis le {0}",
    noChanges: "Rien n'a changé depuis le {0}.",
    added: "{0} est nouveau dans cette tournée.",
    movedToDay: "{0} passe au {1}.",
    movedToTechnician: "{0} passe {de 1} à {2}.",
    removed: "{0} n'est plus client.",
    reordered: "{0} est maintenant l'arrêt {1} ; c'était l'arrêt {2}.",
    needs: "Demande : {0}",
    serviceDue: "Entretien de matériel à faire",
    workDue: "Travaux périodiques à faire",
    testFirst: "Mesurer d'abord, pas encore de dosage",
    calciumHigh: "Calcium trop élevé pour un produit",
    waterCrossed: "L'eau était {0}, elle est maintenant {1} (LSI {2}).",
    daysSinceVisit: PluralSentence(
      one: "Dernière visite il y a {0} jour.", many: "Dernière visite il y a {0} de jours.",
      other: "Dernière visite il y a {0} jours."),
    visitedToday: "Visitée aujourd'hui.",
    neverVisited: "Jamais visitée.",
    noReadings: "Pas encore de mesures.",
    readingsOld: PluralSentence(
      one: "Les mesures datent de {0} jour, trop pour un dosage : mesurer d'abord.",
      many: "Les mesures datent de {0} de jours, trop pour un dosage : mesurer d'abord.",
      other: "Les mesures datent de {0} jours, trop pour un dosage : mesurer d'abord."),
    pHNotMeasured: "Le pH n'a jamais été mesuré, donc pas de dosage : mesurer d'abord.",
    measuredDaysAgo: PluralSentence(
      one: "Mesuré il y a {0} jour", many: "Mesuré il y a {0} de jours",
      other: "Mesuré il y a {0} jours"),
    olderReadings: "plus anciennes : {0}",
    olderWord: "plus ancien",
    notMeasured: "non mesurés : {0}",
    notMeasuredWord: "non mesuré",
    doseTask: "{1} : {0}",
    ifStill: "si {0} est encore à {1}",
    startWith: "La chimie de l'eau en demande bien moins : commencer par {0}, laisser circuler, mesurer à nouveau.",
    byEquilibrium: "Selon l'équilibre des carbonates ; la règle de l'app indique {0}.",
    assumedForDoses: "Supposé pour les dosages : {0}.",
    ruleNeedsReading: "Selon la règle de l'app : l'équilibre des carbonates demande une mesure : {0}.",
    ruleOutOfRange: "Selon la règle de l'app : l'équilibre des carbonates ne vaut pas pour {0}.",
    ruleContradiction:
      "Selon la règle de l'app : l'alcalinité et l'acide cyanurique se contredisent, mesurer à nouveau.",
    indexByPH: "Indice de saturation : stabilisant corrigé selon le pH.",
    dissolvedSolids: "Solides dissous", borate: "Borate",
    drainPart: "Calcium trop élevé pour être corrigé par un produit : vidanger une partie de l'eau et compléter.",
    wantsBetween: "Souhaite {0} – {1}",
    wantsBefore: "Souhaite avant {0}",
    wantsAfter: "Souhaite après {0}",
    early: "{0} ; arrivée trop tôt",
    tooLate: "{0} ; arrivée trop tard",
    outsideWindow: "Hors du créneau souhaité",
    serviceOverdue: "{0} : entretien dû depuis le {1}.",
    workDueToday: "à faire aujourd'hui",
    workDueSince: "à faire depuis le {0}",
    warrantyEnded: "{0} : garantie terminée le {1}.",
    noCoordinates: "Sans coordonnées, absent de la carte.",
    stopsTitle: "Arrêts",
    officeTitle: "Pour le bureau",
    lsiWord: "LSI {0}, {1}",
    mapProgram: "Appli de cartes",
    navigate: "Itinéraire",
    call: "Appeler",
    quoted: "« {0} »",
    laterTitle: "Pour plus tard ({0})",
    wholeRoute: "Toute la tournée",
    routePart: "Arrêts {0} à {1}",
    mapFold: "Carte (le nord est en haut)",
    gateLabel: "Accès", contactLabel: "Contact", phoneLabel: "Téléphone",
    notesTitle: "Notes",
    mapTitle: PluralSentence(
      one: "Carte de la tournée, {0} arrêt", many: "Carte de la tournée, {0} d'arrêts",
      other: "Carte de la tournée, {0} arrêts"),
    mapDescription:
      "Les repères sont numérotés dans l'ordre du trajet. Un triangle marque un arrêt à surveiller. Le nord est en haut.",
    loadTitle: "À charger avant le départ",
    storeShort: "Il manque {0} au dépôt.",
    storeShortFor: "Il manque {0} au dépôt ; concerne {1}.",
    storeEmpty: "Le dépôt n'en a plus : acheter avant l'arrêt {0}.",
    loadFacts: "Nécessaire {0}, dans le camion {1}",
    missingAt: "Concerne {0}.",
    usualAmount: "quantité habituelle",
    nothingToLoad: "Rien à charger : aucune mesure récente ne demande de produit.",
    chemicalColumn: "Produit", neededColumn: "Nécessaire", truckColumn: "Dans le camion", takeColumn: "À prendre",
    lowStockTitle: "Stock bas",
    lowLine: "{0} : reste {1}, seuil {2}",
    lasts: PluralSentence(
      one: "Suffit pour {0} jour environ, d'après la moyenne de 90 jours.",
      many: "Suffit pour {0} de jours environ, d'après la moyenne de 90 jours.",
      other: "Suffit pour {0} jours environ, d'après la moyenne de 90 jours."),
    lastsNoDay: "Ne suffit pas pour un jour, d'après la moyenne de 90 jours.",
    tomorrowNeeds: "Demain, il faudra {0}.",
    tomorrowShort: "Demain, il faudra {0} : il en manque {1}.",
    waterTitle: "Eau changée depuis hier",
    waterLine: "{0} : {1}, puis {2}, LSI {3}",
    corrosive: "corrosive", balanced: "équilibrée", scaleForming: "entartrante",
    acid: "Acide chlorhydrique", base: "Carbonate de sodium", calcium: "Chlorure de calcium",
    alkalinity: "Bicarbonate de sodium", chlorine: "Chlore", stabilizer: "Stabilisant",
    dataAsOf: "Données du {0}.",
    estimate: "Les heures sont estimées : ligne droite à {0}, {1} minutes par arrêt, premier arrêt à {2}.",
    plannedEstimate: "Les heures sont celles de la tournée planifiée, {1} minutes par arrêt, premier arrêt à {2}.",
    run: "Exécution {0}.",
    preview: "Aperçu : rien n'a été envoyé.",
    weekEnding: "Semaine jusqu'au {0}",
    overDays: PluralSentence(
      one: "Les forfaits d'un mois et les produits du dernier jour ({0}).",
      many: "Les forfaits d'un mois et les produits des {0} de jours passés.",
      other: "Les forfaits d'un mois et les produits des {0} derniers jours."),
    moneyTitle: "Argent", revenue: "Recettes", spend: "Produits", profit: "Bénéfice", margin: "Marge",
    losersTitle: "Produits au-dessus de {0} du forfait",
    loserLine: "{0} : forfait {1}, produits {2}, bénéfice {3}",
    noLosers: "Aucune piscine n'a de produits au-dessus de {0} du forfait.",
    healthTitle: "Qualité des données",
    missingCoordinates: PluralSentence(
      one: "{0} piscine n'a pas de coordonnées.", many: "{0} de piscines n'ont pas de coordonnées.",
      other: "{0} piscines n'ont pas de coordonnées."),
    missingFee: PluralSentence(
      one: "{0} piscine n'a pas de forfait.", many: "{0} de piscines n'ont pas de forfait.",
      other: "{0} piscines n'ont pas de forfait."),
    stalePools: PluralSentence(
      one: "{0} piscine est sans visite depuis plus de 35 jours.",
      many: "{0} de piscines sont sans visite depuis plus de 35 jours.",
      other: "{0} piscines sont sans visite depuis plus de 35 jours."),
    healthFine: "Toutes les piscines ont des coordonnées, un forfait et une visite récente.",
    nextLoadTitle: "À charger la semaine prochaine",
    noProfitOnPlan: "La formule gratuite ne comprend pas l'analyse des bénéfices.",
    missingCoordinatesNamed: PluralSentence(
      one: "{0} piscine n'a pas de coordonnées : {1}", many: "{0} de piscines n'ont pas de coordonnées : {1}",
      other: "{0} piscines n'ont pas de coordonnées : {1}"),
    missingFeeNamed: PluralSentence(
      one: "{0} piscine n'a pas de forfait : {1}", many: "{0} de piscines n'ont pas de forfait : {1}",
      other: "{0} piscines n'ont pas de forfait : {1}"),
    figures: "Chiffres",
    filledOutlined: "Plein : {0}. Contour : {1}.",
    thisWeek: "Cette semaine", weekBefore: "La semaine précédente",
    visitsTitle: "Visites par technicien", visitsByDayTitle: "Visites par jour",
    technicianColumn: "Technicien", missedColumn: "Manquées",
    missed: PluralSentence(one: "{0} manquée", many: "{0} de visites manquées", other: "{0} manquées"),
    missedTitle: "Jours de service sans visite",
    missedNote: """
      Une visite est manquée s'il n'y en a aucune dans les trois jours avant ou après le jour de service. \
      Les jours de fermeture ne comptent pas.
      """,
    noMissed: "Aucune visite n'a été manquée.",
    chemicalsTitle: "Produits par type", otherChemicals: "Autres produits",
    dryChemical: "{0} (solide)",
    noChemicals: "Aucun produit ajouté.",
    balanceTitle: "Équilibre de l'eau", poolsColumn: "Piscines", noVisits: "Il n'y a pas eu de visite.",
    worstTitle: "L'eau la plus loin de l'équilibre",
    bandNote: "La bande est la plage idéale ; les points plus gros sont en dehors.",
    waterFine: "Aucune piscine n'avait une eau déséquilibrée.",
    profitTitle: "Bénéfice par piscine", feeColumn: "Forfait mensuel",
    loserNote: """
      Un triangle marque les piscines dont les produits coûtent plus de {0} du forfait ou qui ont perdu de l'argent.
      """,
    trendTitle: "Évolution de l'eau", dateColumn: "Date",
    tomorrowTitle: "Tournée de demain",
    scheduledTomorrow: PluralSentence(
      one: "Vous avez {0} piscine prévue demain.", many: "Vous avez {0} de piscines prévues demain.",
      other: "Vous avez {0} piscines prévues demain."),
    frostWarning: "Alerte au gel : jusqu'à {0}, de {1} à {2}.",
    rainExpected: "Pluie prévue le {1} : {0}. Pour déplacer la journée : {2}",
    rainOnDay: "Pluie prévue le {1} : {0}.",
    forecastStale: "La prévision météo du {0} est trop ancienne pour une alerte au gel ou à la pluie.",
    forecastShort: "La prévision météo ne couvre qu'une partie des prochaines 24 heures.",
    forecastElsewhere: "La prévision météo vaut pour un lieu éloigné de chez {0}.",
    prepForDayTitle: "Préparez {0}",
    dayNeeds: "{^0}, il faudra {1}.",
    dayShort: "{^0}, il faudra {1} : il en manque {2}.",
    closedTomorrowTitle: "Fermé demain",
    needAnotherDay: PluralSentence(
      one: "{0} arrêt demande un autre jour.", many: "{0} d'arrêts demandent un autre jour.",
      other: "{0} arrêts demandent un autre jour."),
    closedTitle: "Jours de congé",
    stopMoved: "Déplacé, initialement {0}",
    stopCovers: "À la place {de 0}",
    stopChangesTitle: "Arrêts modifiés",
    stopMovedTo: "{0} déplacé au {1}",
    stopSkipped: "{0}, arrêt annulé",
    stopCoveredBy: "{0} confié à {1}",
    routeChangedTitle: "Tournée du jour modifiée",
    stopsChanged: PluralSentence(
      one: "{0} arrêt a changé depuis ce matin.",
      many: "{0} d'arrêts ont changé depuis ce matin.",
      other: "{0} arrêts ont changé depuis ce matin."),
    routeChangedTomorrowTitle: "Tournée de demain modifiée",
    stopsChangedTomorrow: PluralSentence(
      one: "{0} arrêt de demain a changé depuis l'envoi de la tournée.",
      many: "{0} d'arrêts de demain ont changé depuis l'envoi de la tournée.",
      other: "{0} arrêts de demain ont changé depuis l'envoi de la tournée."),
    fromDayToDay: "du {0} au {1}",
    away: "Absence : {0}",
    uncovered: "Absence : {0}, {1} sans remplacement",
    noRoute: "Il n'y a pas de tournée ce jour-là.",
    teamIsClosed: "L'équipe ne travaille pas ce jour-là.",
    comingDays: "Les prochains jours",
    drivesTitle: "Qui roule",
    routeOfDay: "Tournée : {0}",
    feedTitle: "Calendrier des deux prochaines semaines",
    feedNote:
      "Abonnez-vous par son adresse. Les agendas ne se mettent à jour que toutes les quelques heures : la page du jour fait foi.",
    pageBroken: "Cette page ne peut pas être créée pour le moment. Demandez au bureau.",
    betterOrder: "Un meilleur ordre économise {0} : {1} l'applique.",
    ofLateness: "{0} de retard",
    ofDriving: "{0} de route",
    atThePriceOf: "{0} au prix de {1}",
    reminderTitle: "Rappel",
    nothing: "rien",
    visitReport: "Rapport d'intervention",
    visits: PluralSentence(one: "{0} visite", many: "{0} de visites", other: "{0} visites"),
    readingsTitle: "Mesures de l'eau",
    readingColumn: "Mesure", valueColumn: "Valeur", statusColumn: "État",
    temperature: "Température", calciumHardness: "Dureté calcique", totalAlkalinity: "Alcalinité totale",
    cyanuricAcid: "Acide cyanurique",
    freeChlorine: "Chlore libre", freeChlorineWithin: "chlore libre", salt: "Sel",
    temperatureLabel: "Temp.",
    calciumLabel: "TH",
    alkalinityLabel: "TAC",
    saturationIndex: "Indice de saturation (LSI)",
    low: "bas", ideal: "idéal", high: "élevé",
    lowFeminine: "basse",
    idealFeminine: "idéale",
    highFeminine: "élevée",
    idealRange: "idéal : {0} à {1}",
    dosesTitle: "Produits ajoutés",
    workDoneTitle: "Travaux effectués",
    noReadingsTaken: "Aucune mesure n'a été prise.",
    chemicalCost: "Coût des produits",
    poolTitle: "La piscine", volume: "Volume d'eau", serviceDay: "Jour de service", waterNow: "Eau actuelle",
    photoAlt: "Photo de la visite",
    photoTooLarge: "La photo de la visite est trop grande pour cette page : {0}.",
    photoFormat: "La photo de la visite a un format que cette page ne peut pas afficher : {0}.",
    photoUnreadable: "La photo de la visite est illisible.",
    monthReport: "Le mois en chiffres",
    customerColumn: "Client",
    volumeRequired: "Il faut le volume de la piscine pour calculer le dosage.",
    waterBalanced: "L'eau est équilibrée. Aucun ajustement n'est nécessaire.",
    calciumTooHigh: """
      Le calcium, à {0} ppm, est trop élevé pour une correction chimique. Il est recommandé de vidanger en \
      partie et de compléter avec de l'eau neuve pour descendre sous 400 ppm.
      """,
    nudgeUp: "Verser {0} {de 1} pour remonter légèrement le pH. Mesurer à nouveau dans 4 heures.",
    nudgeDown: "Verser {0} {de 1} pour abaisser légèrement le pH. Mesurer à nouveau dans 4 heures.",
    addTo: "Verser {0} {de 1} : {2} à {3}",
    thenAerate: "puis aérer pour rétablir le pH",
    beyondForm: "{0} sort de l'ordinaire ({1} à {2}) : mesurer à nouveau.",
    rowEmpty: "{0} est vide",
    rowTooLong: "{0} a plus de {1} caractères ou de {2} octets",
    cellTooLong: "{0} a plus de {1} caractères ou de {2} octets ; ignoré",
    cellTooLongTogether: "avec {0} il y aurait plus de {1} caractères ou de {2} octets ; ignoré",
    cellControls: "{0} contient des caractères de contrôle ; ils sont ignorés",
    cellNoFee: "{0} n'est pas un montant de 0 à 1000000, comme 145, 120.50 ou 120,50 € ; ignoré",
    cellNoVolume: "{0} n'est pas un nombre de gallons supérieur à 0, comme 15000 ; ignoré",
    cellNoWeekday: "{0} n'est pas un jour de la semaine ; lundi est pris",
    cellNoDegrees: "{0} n'est pas un nombre de {1} à {2} ; les coordonnées sont ignorées",
    cellNoNumber: "{0} n'est pas un nombre de {1} à {2} ; ignoré",
    cellReadingsStay: "{0} reste tel que la piscine l'a : les mesures d'une piscine connue viennent des visites",
    cellReservedTechnician:
      "{0} nomme un technicien {1} ou {2}, qui sont des noms réservés ; aucun technicien n'est créé",
    cellAmbiguous:
      """
      {0} peut être deux nombres : rien dans le fichier ne montre si le signe sépare les décimales ou les \
      milliers ; ignoré
      """,
    cellReadAs: "{0} est lu comme {1}",
    cellSmallVolume: "{0} est moins que {1} ; repris tel quel, vérifiez-le",
    cellTinyVolume: "{0} est moins que {1}, trop peu pour une piscine ; ignoré",
    cellFeeNotMonthly: "{0} n'est pas un forfait mensuel ; ignoré",
    cellSeveralDays: "{0} nomme plusieurs jours et une piscine en a un ; {1} est pris, planifiez les autres à la main",
    rowNoDay: "{0} est vide ; la nouvelle piscine est mise au lundi",
    rowMoreCells: "la ligne a plus de cellules qu'il n'y a d'en-têtes ; le texte en trop n'est pas utilisé",
    rowRepeats: "même client et même adresse que la ligne {1} ; ajouté à cette piscine",
    rowContradicts:
      """
      même client et même adresse que la ligne {1}, mais autre {2} ; la ligne {1} reste, créez une \
      piscine à la main pour un second jour ou un second bassin
      """,
    rowOtherBody:
      "{0} : même client et même adresse que la ligne {1} avec un autre bassin ; il devient une piscine à part",
    rowNoSuchPool: "aucune piscine de l'équipe n'a ce client et cette adresse ; la ligne est ignorée",
    rowCompletesAddress:
      "une piscine connue de ce client dans cette rue, sans ville, est prise pour elle et reçoit l'adresse entière",
    cellOtherFrequency:
      "{0} n'est pas hebdomadaire ; la piscine est planifiée chaque semaine, la fréquence est gardée dans ses notes",
    cellRuleStays: "{0} : la piscine garde ses dates de passage, '{1}' ; `pfctl pool set NOM service=RÈGLE` les change",
    cellUnknownStatus: "{0} n'est pas compris ; la ligne est importée",
    fileUnusedColumns: "colonnes non utilisées : {0}",
    fileNoDays: "aucune ligne ne nomme un jour de service ; nouvelles piscines mises au lundi : {0}",
    fileInactive: "lignes de clients inactifs ignorées : {0}",
    fileLitres:
      """
      les volumes sont lus en litres, car l'équipe est métrique ; un en-tête avec une unité, comme \
      Gallons, dit autre chose
      """,
    fileGallons: "les volumes sont lus en gallons US, comme dans l'export de poolflow",
    fileDecimalComma: "ce fichier a des virgules décimales : 1.200 est lu comme 1200",
    fileNumericDays: "les jours sont des nombres : 1 est dimanche, 7 est samedi",
    fileOtherCurrency:
      "les forfaits du fichier sont en {0}, l'équipe compte en {1} : les nombres sont pris tels quels",
    archiveEquipment: "{0} équipements sur {1} appartiennent à des piscines absentes de l'archive ; ignorés",
    archiveProfileTwice: "customer_profiles.json a plus d'un profil de la piscine {0} ; le dernier compte",
    archiveProfileAlone: "customer_profiles.json a un profil de la piscine {0}, absente de l'archive",
    archivePlace: "la piscine {0} a des coordonnées impossibles ; elle compte comme non localisée",
    archiveReservedTechnician:
      "les étiquettes de la piscine {0} nomment un technicien {1} ou {2}, qui sont des noms réservés ; aucun technicien n'est créé",
    archiveVisitsAhead: PluralSentence(
      one: "{0} visite a une date future, {1} : elle est gardée et n'est pas la dernière avant ce jour",
      many:
        "{0} de visites ont une date future, jusqu'au {1} : elles sont gardées, aucune n'est la dernière avant son jour",
      other:
        "{0} visites ont une date future, jusqu'au {1} : elles sont gardées, aucune n'est la dernière avant son jour"),
    archiveSanitiserKept: PluralSentence(
      one: "{0} visite garde son chlore libre et son sel, que l'archive n'a pas",
      many: "{0} de visites gardent leur chlore libre et leur sel, que l'archive n'a pas",
      other: "{0} visites gardent leur chlore libre et leur sel, que l'archive n'a pas"),
    archiveRulesStay: PluralSentence(
      one:
        """
        {0} piscine a un autre jour dans l'archive mais garde ses dates de passage ; \
        `pfctl pool set NOM service=RÈGLE` les change
        """,
      many:
        """
        {0} de piscines ont un autre jour dans l'archive mais gardent leurs dates de passage ; \
        `pfctl pool set NOM service=RÈGLE` les change
        """,
      other:
        """
        {0} piscines ont un autre jour dans l'archive mais gardent leurs dates de passage ; \
        `pfctl pool set NOM service=RÈGLE` les change
        """),
    archivePhotoMissing: "la visite {0} nomme une photo absente de l'archive",
    archiveCount: "manifest.json compte {0} {1}, l'archive en a {2}",
    archivePhotoAlone: "'{0}' est une photo qu'aucune visite ne nomme ; ignorée",
    archiveForeign: "'{0}' ne fait pas partie d'une sauvegarde PoolFlow ; ignoré",
    archiveControls: "{0}, enregistrement {1} : {2} contient des caractères de contrôle ; ils sont ignorés",
    doseLine: "{0} {de 1}, {2}",
    doseLineLeft: "{0} {de 1}, {2}, il reste {3}",
    doseStockShort: "il manque {0} au stock",
    doseNotInStock: "il n'y en a pas en stock",
    doseTotal: "{0} au total",
    fileRefused: "'{0}' n'a pas été importé : {1} ; rien n'a été changé",
    fileRefusedHeadings:
      "'{0}' n'a pas été importé : {1} ; il y a {2} ; `pfctl import` avec {3} nomme chacune ; rien n'a été changé",
    fileEncoding:
      "l'encodage du fichier n'est pas connu : ce n'est pas du texte en UTF-8, UTF-16 ou Windows-1252 ; enregistrez-le en CSV UTF-8",
    fileNoColumn: "la première ligne ne nomme aucune colonne {0}",
    fileNoColumns: "la première ligne ne nomme ni colonne {0} ni colonne {1}",
    fileTooManyRows: "le fichier a plus de {0} lignes ; divisez-le",
    fileTooLarge: "le fichier a {0}, plus de {1} ; divisez-le",
    fileTooManyColumns: "la première ligne a {0} colonnes, plus de {1}",
    fileOpenQuote:
      "une cellule entre guillemets de la ligne {0} n'est jamais fermée ; écrivez \" à l'intérieur comme \"\"",
    fileMapNoPair: "'{0}' n'est pas TITRE=COLONNE, comme 'Client=customer_name'",
    fileMapUnknownColumn: "'{0}' n'est pas une de nos colonnes ; il y a {1}",
    fileMapColumnTwice: "'{0}' est nommé pour deux titres",
    fileMapHeadingTwice: "'{0}' reçoit deux colonnes",
    fileMapUnknownHeading: "la première ligne n'a pas de titre '{0}' ; il y a {1}",
    fileMapNotHere: "on ne nomme des colonnes que pour une liste de clients de piscines",
    fileProfilesNotHere: "les profils ne sont qu'une liste de clients de piscines (CSV)",
    archiveOfStable: "c'est l'archive d'une écurie, et l'équipe '{0}' est un service de piscines",
    archiveNoManifest:
      "l'archive n'a pas de manifest.json au premier niveau, ce n'est donc pas une sauvegarde PoolFlow",
    archiveVersion:
      "le manifest.json de l'archive indique la version {0} du schéma ; ce poolflow lit les versions 1 et 2",
    archiveFileMissing: "il manque à l'archive {0}, que toute sauvegarde PoolFlow contient",
    archiveReferences: "des enregistrements de l'archive en nomment d'autres qu'elle ne contient pas : {0}",
    archiveDamaged: "l'archive ne peut pas être lue : {0}",
    doseOfNoItem: "ce qui n'est plus en stock",
    archiveLosesVisits: PluralSentence(
      one: "il y manque {0} visite saisie ici",
      many: "il y manque {0} de visites saisies ici",
      other: "il y manque {0} visites saisies ici"),
    archiveRevertsVisits: PluralSentence(
      one: "{0} visite corrigée ici y est différente",
      many: "{0} de visites corrigées ici y sont différentes",
      other: "{0} visites corrigées ici y sont différentes"),
    archiveLosesPools: PluralSentence(
      one: "il y manque {0} piscine ajoutée depuis",
      many: "il y manque {0} de piscines ajoutées depuis",
      other: "il y manque {0} piscines ajoutées depuis"),
    archiveRevertsPools: PluralSentence(
      one: "{0} piscine modifiée depuis y est différente",
      many: "{0} de piscines modifiées depuis y sont différentes",
      other: "{0} piscines modifiées depuis y sont différentes"),
    archiveAnd: "{0} ; {1}",
    archiveLosesWork:
      "'{0}' n'a pas été importé : {1} ; ce qui n'y est pas serait effacé (piscines : {2} créées, {3} modifiées, {4} effacées) ; rien n'a été changé. `pfctl import` avec --replace le prend quand même, et `pfctl backup create` sauvegarde d'abord ce qui est là"
  )
}
