import FlowNotices

extension Phrases {
  static let german = Phrases(
    routeTitle: "Route für heute",
    scheduledToday: PluralSentence(
      one: "Heute steht {0} Pool auf dem Plan.", other: "Heute stehen {0} Pools auf dem Plan."),
    prepTitle: "Für morgen vorbereiten",
    lowBeforeStops: TwoPluralSentence(
      one: PluralSentence(
        one: "{0} Chemikalie ist knapp vor {1} geplanten Stopp.",
        other: "{0} Chemikalie ist knapp vor {1} geplanten Stopps."),
      other: PluralSentence(
        one: "{0} Chemikalien sind knapp vor {1} geplanten Stopp.",
        other: "{0} Chemikalien sind knapp vor {1} geplanten Stopps.")),
    weeklyTitle: "PoolFlow-Wochenübersicht",
    activePools: PluralSentence(
      one: "{0} aktiver Pool. Sehen Sie vor der neuen Woche Auswertungen und Routen durch.",
      other: "{0} aktive Pools. Sehen Sie vor der neuen Woche Auswertungen und Routen durch."),
    trialTitle: "Ihre Testphase von PoolFlow Pro endet morgen",
    trialBody: "Wechseln Sie jetzt, um unbegrenzte Pools, Auswertungen und Routenoptimierung zu behalten.",
    addressTest: "Routen für {0} kommen künftig hier an. Es ist nichts zu tun.",
    stops: PluralSentence(one: "{0} Stopp", other: "{0} Stopps"),
    mailSubject: PluralSentence(
      one: "{1}: {0} Stopp ab {2}", other: "{1}: {0} Stopps ab {2}"),
    sectionTitle: "{0}: {1}",
    afterMidnight: PluralSentence(
      one: "Der Tag reicht nicht: {0} Stopp nach Mitternacht.",
      other: "Der Tag reicht nicht: {0} Stopps nach Mitternacht."),
    changesTitle: "Geändert seit {0}",
    noChanges: "Keine Änderung seit {0}.",
    added: "{0} ist neu auf dieser Route.",
    movedToDay: "{0} wechselt auf {1}.",
    movedToTechnician: "{0} wechselt von {1} zu {2}.",
    removed: "{0} ist kein Kunde mehr.",
    reordered: "{0} ist jetzt Stopp {1}, vorher Stopp {2}.",
    needs: "Braucht {0}",
    serviceDue: "Wartung von Geräten fällig",
    workDue: "Wiederkehrende Arbeit fällig",
    testFirst: "Zuerst messen, noch keine Dosis",
    calciumHigh: "Calcium zu hoch für Chemikalien",
    waterCrossed: "Das Wasser war {0} und ist jetzt {1} (LSI {2}).",
    daysSinceVisit: PluralSentence(one: "Letzter Besuch vor {0} Tag.", other: "Letzter Besuch vor {0} Tagen."),
    visitedToday: "Heute besucht.",
    neverVisited: "Noch nie besucht.",
    noReadings: "Noch keine Messwerte.",
    readingsOld: PluralSentence(
      one: "Die Messwerte sind {0} Tag alt, zu alt für eine Dosis: zuerst messen.",
      other: "Die Messwerte sind {0} Tage alt, zu alt für eine Dosis: zuerst messen."),
    pHNotMeasured: "Der pH-Wert wurde nie gemessen, daher keine Dosis: zuerst messen.",
    measuredDaysAgo: PluralSentence(
      one: "Vor {0} Tag gemessen", other: "Vor {0} Tagen gemessen"),
    olderReadings: "älter: {0}",
    olderWord: "älter",
    notMeasured: "nicht gemessen: {0}",
    notMeasuredWord: "nicht gemessen",
    doseTask: "{0} {1}",
    ifStill: "falls {0} noch {1} ist",
    startWith: "Die Wasserchemie verlangt viel weniger: mit {0} beginnen, umwälzen lassen, erneut messen.",
    byEquilibrium: "Nach dem Carbonatgleichgewicht; die Regel der App sagt {0}.",
    assumedForDoses: "Für die Dosen angenommen: {0}.",
    ruleNeedsReading: "Nach der Regel der App: dem Carbonatgleichgewicht fehlt ein Messwert: {0}.",
    ruleOutOfRange: "Nach der Regel der App: das Carbonatgleichgewicht gilt nicht für {0}.",
    ruleContradiction:
      "Nach der Regel der App: Alkalinität und Cyanursäure widersprechen sich, erneut messen.",
    indexByPH: "Sättigungsindex: Stabilisator nach dem pH-Wert korrigiert.",
    dissolvedSolids: "Gelöste Stoffe", borate: "Borat",
    drainPart: "Calcium zu hoch für Chemikalien: einen Teil ablassen und nachfüllen.",
    wantsBetween: "Wunschzeit {0} – {1}",
    wantsBefore: "Wunschzeit vor {0}",
    wantsAfter: "Wunschzeit nach {0}",
    early: "{0}; Ankunft zu früh",
    tooLate: "{0}; Ankunft zu spät",
    outsideWindow: "Außerhalb der Wunschzeit",
    serviceOverdue: "{0}: Wartung überfällig seit {1}.",
    workDueToday: "heute fällig",
    workDueSince: "fällig seit {0}",
    warrantyEnded: "{0}: Garantie abgelaufen am {1}.",
    noCoordinates: "Ohne Koordinaten, nicht auf der Karte.",
    stopsTitle: "Stopps",
    officeTitle: "Für das Büro",
    lsiWord: "LSI {0}, {1}",
    mapProgram: "Karten-App",
    navigate: "Navigieren",
    call: "Anrufen",
    quoted: "„{0}“",
    laterTitle: "Für später ({0})",
    wholeRoute: "Ganze Route",
    routePart: "Stopps {0} bis {1}",
    mapFold: "Karte (Norden ist oben)",
    gateLabel: "Zugang", contactLabel: "Ansprechperson", phoneLabel: "Telefon",
    notesTitle: "Notizen",
    mapTitle: PluralSentence(one: "Routenkarte, {0} Stopp", other: "Routenkarte, {0} Stopps"),
    mapDescription: """
      Die Nadeln sind in Fahrtreihenfolge nummeriert. Ein Dreieck markiert einen Stopp, der Aufmerksamkeit braucht. \
      Norden ist oben.
      """,
    loadTitle: "Vor der Abfahrt laden",
    storeShort: "Im Lager fehlen {0}.",
    storeShortFor: "Im Lager fehlen {0}; betrifft {1}.",
    storeEmpty: "Das Lager ist leer: vor Stopp {0} kaufen.",
    loadFacts: "Nötig {0}, im Wagen {1}",
    missingAt: "Betrifft {0}.",
    usualAmount: "übliche Menge",
    nothingToLoad: "Nichts zu laden: Keine frischen Messwerte verlangen Chemikalien.",
    chemicalColumn: "Chemikalie", neededColumn: "Nötig", truckColumn: "Im Wagen", takeColumn: "Mitnehmen",
    lowStockTitle: "Knapper Bestand",
    lowLine: "{0}: noch {1}, Schwelle {2}",
    lasts: PluralSentence(
      one: "Reicht etwa {0} Tag beim Durchschnitt von 90 Tagen.",
      other: "Reicht etwa {0} Tage beim Durchschnitt von 90 Tagen."),
    lastsNoDay: "Reicht keinen ganzen Tag beim Durchschnitt von 90 Tagen.",
    tomorrowNeeds: "Morgen werden {0} gebraucht.",
    tomorrowShort: "Morgen werden {0} gebraucht: es fehlen {1}.",
    waterTitle: "Wasser, das sich seit gestern geändert hat",
    waterLine: "{0}: {1}, jetzt {2}, LSI {3}",
    corrosive: "korrosiv", balanced: "ausgeglichen", scaleForming: "kalkabscheidend",
    acid: "Salzsäure", base: "Soda (Natriumcarbonat)", calcium: "Calciumchlorid", alkalinity: "Natriumhydrogencarbonat",
    chlorine: "Chlor", stabilizer: "Stabilisator",
    dataAsOf: "Datenstand: {0}.",
    estimate: "Zeiten sind geschätzt: Luftlinie mit {0}, {1} Minuten je Stopp, erster Stopp um {2}.",
    plannedEstimate: "Zeiten sind die der geplanten Route, {1} Minuten je Stopp, erster Stopp um {2}.",
    run: "Lauf {0}.",
    preview: "Vorschau: Es wurde nichts gesendet.",
    weekEnding: "Woche bis {0}",
    overDays: PluralSentence(
      one: "Die Gebühren eines Monats und die Chemikalien des letzten Tages ({0}).",
      other: "Die Gebühren eines Monats und die Chemikalien der letzten {0} Tage."),
    moneyTitle: "Geld", revenue: "Einnahmen", spend: "Chemikalien", profit: "Gewinn", margin: "Marge",
    losersTitle: "Chemikalien über {0} der Gebühr",
    loserLine: "{0}: Gebühr {1}, Chemikalien {2}, Gewinn {3}",
    noLosers: "Bei keinem Pool liegen die Chemikalien über {0} der Gebühr.",
    healthTitle: "Datenqualität",
    missingCoordinates: PluralSentence(
      one: "{0} Pool hat keine Koordinaten.", other: "{0} Pools haben keine Koordinaten."),
    missingFee: PluralSentence(one: "{0} Pool hat keine Gebühr.", other: "{0} Pools haben keine Gebühr."),
    stalePools: PluralSentence(
      one: "{0} Pool wurde seit mehr als 35 Tagen nicht besucht.",
      other: "{0} Pools wurden seit mehr als 35 Tagen nicht besucht."),
    healthFine: "Alle Pools haben Koordinaten, eine Gebühr und einen Besuch aus jüngster Zeit.",
    nextLoadTitle: "Bedarf der nächsten Woche",
    noProfitOnPlan: "Der kostenlose Tarif enthält keine Gewinnauswertung.",
    missingCoordinatesNamed: PluralSentence(
      one: "{0} Pool hat keine Koordinaten: {1}", other: "{0} Pools haben keine Koordinaten: {1}"),
    missingFeeNamed: PluralSentence(one: "{0} Pool hat keine Gebühr: {1}", other: "{0} Pools haben keine Gebühr: {1}"),
    figures: "Zahlen",
    filledOutlined: "Gefüllt: {0}. Umrandet: {1}.",
    thisWeek: "Diese Woche", weekBefore: "Vorwoche",
    visitsTitle: "Besuche nach Techniker", visitsByDayTitle: "Besuche je Tag",
    technicianColumn: "Techniker", missedColumn: "Ausgefallen",
    missed: PluralSentence(one: "{0} ausgefallen", other: "{0} ausgefallen"),
    missedTitle: "Servicetage ohne Besuch",
    missedNote: """
      Ein Servicetag gilt als ausgefallen, wenn es drei Tage davor und danach keinen Besuch gab. Geschlossene Tage \
      zählen nicht.
      """,
    noMissed: "Kein Servicetag ist ausgefallen.",
    chemicalsTitle: "Chemikalien nach Art", otherChemicals: "Andere Chemikalien",
    dryChemical: "{0} (fest)",
    noChemicals: "Keine Chemikalien zugegeben.",
    balanceTitle: "Wassergleichgewicht", poolsColumn: "Pools", noVisits: "Es gab keine Besuche.",
    worstTitle: "Wasser am weitesten vom Gleichgewicht",
    bandNote: "Das Band ist der Idealbereich; größere Punkte liegen außerhalb.",
    waterFine: "Das Wasser keines Pools war aus dem Gleichgewicht.",
    profitTitle: "Gewinn je Pool", feeColumn: "Gebühr im Monat",
    loserNote: """
      Ein Dreieck markiert Pools, deren Chemikalien mehr als {0} der Gebühr kosten oder die Verlust gemacht haben.
      """,
    trendTitle: "Verlauf der Messwerte", dateColumn: "Datum",
    tomorrowTitle: "Route für morgen",
    scheduledTomorrow: PluralSentence(
      one: "Morgen steht {0} Pool auf dem Plan.", other: "Morgen stehen {0} Pools auf dem Plan."),
    frostWarning: "Frostwarnung: bis {0}, von {1} bis {2}.",
    rainExpected: "{0} Regen am {1} erwartet. Tag verschieben: {2}",
    forecastStale: "Die Wettervorhersage ist von {0} und zu alt: Es gibt keine Warnung vor Frost oder Regen.",
    forecastShort: "Die Wettervorhersage deckt nur einen Teil der nächsten 24 Stunden ab.",
    forecastElsewhere: "Die Wettervorhersage gilt für einen anderen Ort als {0}.",
    prepForDayTitle: "Für {0} vorbereiten",
    dayNeeds: "Am {0} werden {1} gebraucht.",
    dayShort: "Am {0} werden {1} gebraucht: es fehlen {2}.",
    closedTomorrowTitle: "Morgen geschlossen",
    needAnotherDay: PluralSentence(
      one: "{0} Stopp braucht einen anderen Tag.", other: "{0} Stopps brauchen einen anderen Tag."),
    closedTitle: "Freie Tage",
    fromDayToDay: "{0} bis {1}",
    away: "{0} ist abwesend",
    uncovered: "{0} ist abwesend, {1} ohne Vertretung",
    noRoute: "An diesem Tag gibt es keine Route.",
    teamIsClosed: "Das Team hat an diesem Tag geschlossen.",
    comingDays: "Die nächsten Tage",
    drivesTitle: "Wer fährt",
    routeOfDay: "Tagesroute: {0}",
    feedTitle: "Kalender der nächsten zwei Wochen",
    feedNote:
      "Über die Adresse abonnieren. Kalender werden nur alle paar Stunden aktualisiert: Für heute gilt die Seite.",
    pageBroken: "Diese Seite kann gerade nicht erstellt werden. Bitte im Büro nachfragen.",
    betterOrder: "Eine bessere Reihenfolge spart {0}: {1} übernimmt sie.",
    ofLateness: "{0} Verspätung",
    ofDriving: "{0} Fahrt",
    atThePriceOf: "{0} um den Preis von {1}",
    reminderTitle: "Erinnerung",
    nothing: "nichts",
    visitReport: "Servicebericht",
    visits: PluralSentence(one: "{0} Besuch", other: "{0} Besuche"),
    readingsTitle: "Messwerte",
    readingColumn: "Messwert", valueColumn: "Wert", statusColumn: "Bewertung",
    temperature: "Temperatur", calciumHardness: "Calciumhärte", totalAlkalinity: "Gesamtalkalinität",
    cyanuricAcid: "Cyanursäure",
    freeChlorine: "Freies Chlor", salt: "Salz",
    temperatureLabel: "Temp.",
    calciumLabel: "Härte",
    alkalinityLabel: "Alk.",
    saturationIndex: "Sättigungsindex (LSI)",
    low: "niedrig", ideal: "ideal", high: "hoch",
    lowFeminine: "niedrig",
    idealFeminine: "ideal",
    highFeminine: "hoch",
    idealRange: "ideal {0} bis {1}",
    dosesTitle: "Zugegebene Chemikalien",
    workDoneTitle: "Erledigte Arbeiten",
    noReadingsTaken: "Es wurde nichts gemessen.",
    chemicalCost: "Kosten der Chemikalien",
    poolTitle: "Der Pool", volume: "Volumen", serviceDay: "Servicetag", waterNow: "Wasser jetzt",
    photoAlt: "Foto des Besuchs",
    photoTooLarge: "Das Foto des Besuchs ist zu groß für diese Seite: {0}.",
    photoFormat: "Das Foto des Besuchs hat ein Format, das diese Seite nicht zeigen kann: {0}.",
    photoUnreadable: "Das Foto des Besuchs ist nicht lesbar.",
    monthReport: "Der Monat in Zahlen",
    customerColumn: "Kunde",
    volumeRequired: "Ohne das Volumen des Pools lässt sich keine Dosierung berechnen.",
    waterBalanced: "Das Wasser ist ausgeglichen. Es muss nichts zugegeben werden.",
    calciumTooHigh: """
      Calcium mit {0} ppm ist für eine chemische Korrektur zu hoch. Einen Teil des Wassers ablassen und \
      mit Frischwasser auffüllen, bis es unter 400 ppm liegt.
      """,
    nudgeUp: "{0} {1} zugeben, um den pH-Wert leicht anzuheben. In 4 Stunden erneut messen.",
    nudgeDown: "{0} {1} zugeben, um den pH-Wert leicht zu senken. In 4 Stunden erneut messen.",
    addTo: "{0} {1} zugeben: {2} auf {3}",
    thenAerate: "danach belüften, damit der pH-Wert wieder steigt",
    beyondForm: "{0} liegt außerhalb des Üblichen ({1} bis {2}): bitte erneut messen.",
    rowEmpty: "{0} ist leer",
    rowTooLong: "{0} hat mehr als {1} Zeichen oder {2} Bytes",
    cellTooLong: "{0} hat mehr als {1} Zeichen oder {2} Bytes und bleibt weg",
    cellTooLongTogether: "mit {0} wären es mehr als {1} Zeichen oder {2} Bytes; bleibt weg",
    cellControls: "{0} enthält Steuerzeichen; sie bleiben weg",
    cellNoFee: "{0} ist kein Betrag von 0 bis 1000000 wie 145, 120.50 oder 120,50 € und bleibt weg",
    cellNoVolume: "{0} ist keine Zahl von Gallonen über 0 wie 15000 und bleibt weg",
    cellNoWeekday: "{0} ist kein Wochentag; es gilt Montag",
    cellNoDegrees: "{0} ist keine Zahl von {1} bis {2}; die Koordinaten bleiben weg",
    cellNoNumber: "{0} ist keine Zahl von {1} bis {2} und bleibt weg",
    cellReadingsStay: "{0} bleibt, wie der Pool es hat: Messwerte eines bekannten Pools kommen aus Besuchen",
    cellReservedTechnician:
      "{0} nennt als Techniker {1} oder {2}, die reservierte Namen sind; es wird kein Techniker angelegt",
    cellAmbiguous:
      """
      {0} kann zwei Zahlen sein: nichts in der Datei zeigt, ob das Zeichen Dezimalen oder Tausender \
      trennt; bleibt weg
      """,
    cellReadAs: "{0} wird als {1} gelesen",
    cellSmallVolume: "{0} ist weniger als {1}; es wird so übernommen, bitte prüfen",
    cellTinyVolume: "{0} ist weniger als {1}, zu wenig für einen Pool, und bleibt weg",
    cellFeeNotMonthly: "{0} ist keine monatliche Gebühr und bleibt weg",
    cellSeveralDays: "{0} nennt mehrere Tage, ein Pool hat einen; es gilt {1}, die anderen bitte von Hand planen",
    rowNoDay: "{0} ist leer; der neue Pool kommt auf den Montag",
    rowMoreCells: "die Zeile hat mehr Zellen als es Überschriften gibt; der Text dahinter wird nicht verwendet",
    rowRepeats: "derselbe Kunde und dieselbe Adresse wie in Zeile {1}; zu diesem Pool hinzugefügt",
    rowContradicts:
      """
      derselbe Kunde und dieselbe Adresse wie in Zeile {1}, aber anders: {2}; Zeile {1} bleibt, für einen \
      zweiten Tag oder ein zweites Becken bitte einen Pool von Hand anlegen
      """,
    rowOtherBody:
      "{0}: derselbe Kunde und dieselbe Adresse wie in Zeile {1} mit einem anderen Becken; es wird ein eigener Pool",
    rowNoSuchPool: "kein Pool des Teams hat diesen Kunden und diese Adresse; die Zeile bleibt weg",
    rowCompletesAddress:
      "ein bekannter Pool dieses Kunden in dieser Straße, ohne Ort, gilt als derselbe und bekommt die ganze Adresse",
    cellOtherFrequency:
      "{0} ist nicht wöchentlich; der Pool wird für jede Woche geplant, der Turnus steht in seinen Notizen",
    cellRuleStays: "{0}: Der Pool behält seine Termine, '{1}'; `pfctl pool set NAME service=REGEL` ändert sie",
    cellUnknownStatus: "{0} wird nicht verstanden; die Zeile wird übernommen",
    fileUnusedColumns: "nicht verwendete Spalten: {0}",
    fileNoDays: "keine Zeile nennt einen Servicetag; neue Pools am Montag: {0}",
    fileInactive: "weggelassene Zeilen inaktiver Kunden: {0}",
    fileLitres:
      """
      Volumen werden in Litern gelesen, weil das Team metrisch ist; eine Überschrift mit Einheit, etwa \
      Gallons, sagt es anders
      """,
    fileGallons: "Volumen werden in US-Gallonen gelesen, wie im eigenen Export von poolflow",
    fileDecimalComma: "diese Datei hat Dezimalkommas: 1.200 wird als 1200 gelesen",
    fileNumericDays: "Tage sind Zahlen: 1 ist Sonntag, 7 ist Samstag",
    fileOtherCurrency:
      "Beträge der Datei sind in {0}, das Team rechnet in {1}: die Zahlen werden übernommen, wie sie sind",
    archiveEquipment: "{0} von {1} Geräten gehören zu Pools, die nicht im Archiv sind, und bleiben weg",
    archiveProfileTwice: "customer_profiles.json hat mehr als ein Profil zu Pool {0}; das letzte gilt",
    archiveProfileAlone: "customer_profiles.json hat ein Profil zu Pool {0}, der nicht im Archiv ist",
    archivePlace: "Pool {0} hat unmögliche Koordinaten und gilt als nicht verortet",
    archiveReservedTechnician:
      "die Tags von Pool {0} nennen als Techniker {1} oder {2}, die reservierte Namen sind; es wird kein Techniker angelegt",
    archiveVisitsAhead: PluralSentence(
      one: "{0} Besuch liegt in der Zukunft, {1}: Er bleibt erhalten und ist vor diesem Tag nicht der neueste",
      other: "{0} Besuche liegen in der Zukunft, bis {1}: Sie bleiben erhalten, keiner ist vor seinem Tag der neueste"),
    archiveSanitiserKept: PluralSentence(
      one: "{0} Besuch behält freies Chlor und Salz, die das Archiv nicht hat",
      other: "{0} Besuche behalten freies Chlor und Salz, die das Archiv nicht hat"),
    archiveRulesStay: PluralSentence(
      one:
        """
        {0} Pool hat im Archiv einen anderen Wochentag, behält aber seine Termine; \
        `pfctl pool set NAME service=REGEL` ändert sie
        """,
      other:
        """
        {0} Pools haben im Archiv einen anderen Wochentag, behalten aber ihre Termine; \
        `pfctl pool set NAME service=REGEL` ändert sie
        """),
    archivePhotoMissing: "Besuch {0} nennt ein Foto, das nicht im Archiv ist",
    archiveCount: "manifest.json zählt {0} {1}, das Archiv hat {2}",
    archivePhotoAlone: "'{0}' ist ein Foto, das kein Besuch nennt, und bleibt weg",
    archiveForeign: "'{0}' gehört nicht zu einem PoolFlow-Backup und bleibt weg",
    archiveControls: "{0}, Satz {1}: {2} enthält Steuerzeichen; sie bleiben weg",
    doseLine: "{0} {1}, {2}",
    doseLineLeft: "{0} {1}, {2}, danach {3} auf Lager",
    doseStockShort: "im Lager fehlen dafür {0}",
    doseNotInStock: "davon ist nichts auf Lager",
    doseTotal: "{0} insgesamt",
    fileRefused: "'{0}' wurde nicht importiert: {1}; nichts wurde geändert",
    fileRefusedHeadings:
      "'{0}' wurde nicht importiert: {1}; vorhanden sind {2}; `pfctl import` mit {3} benennt jede; nichts wurde geändert",
    fileEncoding:
      "die Kodierung der Datei ist nicht bekannt: sie ist kein Text in UTF-8, UTF-16 oder Windows-1252; als CSV UTF-8 speichern",
    fileNoColumn: "die erste Zeile nennt keine Spalte {0}",
    fileNoColumns: "die erste Zeile nennt keine Spalte {0} und keine Spalte {1}",
    fileTooManyRows: "die Datei hat mehr als {0} Zeilen; sie ist zu teilen",
    fileTooLarge: "die Datei hat {0}, mehr als {1}; sie ist zu teilen",
    fileTooManyColumns: "die erste Zeile hat {0} Spalten, mehr als {1}",
    fileOpenQuote:
      "eine Zelle in Anführungszeichen in Zeile {0} wird nie geschlossen; \" in einer solchen Zelle als \"\" schreiben",
    fileMapNoPair: "'{0}' ist nicht ÜBERSCHRIFT=SPALTE, wie 'Kunde=customer_name'",
    fileMapUnknownColumn: "'{0}' ist keine unserer Spalten; es gibt {1}",
    fileMapColumnTwice: "'{0}' ist für zwei Überschriften genannt",
    fileMapHeadingTwice: "'{0}' bekommt zwei Spalten",
    fileMapUnknownHeading: "die erste Zeile hat keine Überschrift '{0}'; vorhanden sind {1}",
    fileMapNotHere: "Spalten werden nur für eine Liste von Poolkunden benannt",
    fileProfilesNotHere: "Profile sind nur eine Liste von Poolkunden (CSV)",
    archiveOfStable: "es ist das Archiv eines Stalls, und das Team '{0}' ist ein Poolservice",
    archiveNoManifest: "das Archiv hat zuoberst kein manifest.json und ist also kein PoolFlow-Backup",
    archiveVersion:
      "das manifest.json des Archivs nennt Schemaversion {0}; dieses poolflow liest die Versionen 1 und 2",
    archiveFileMissing: "dem Archiv fehlt {0}, das jedes PoolFlow-Backup enthält",
    archiveReferences: "Datensätze des Archivs nennen andere, die es nicht enthält: {0}",
    archiveDamaged: "das Archiv lässt sich nicht lesen: {0}",
    doseOfNoItem: "etwas, das nicht mehr im Lager ist",
    archiveLosesVisits: PluralSentence(
      one: "{0} Besuch, der hier eingetragen wurde, fehlt darin",
      other: "{0} Besuche, die hier eingetragen wurden, fehlen darin"),
    archiveRevertsVisits: PluralSentence(
      one: "{0} Besuch, der hier geändert wurde, ist darin anders",
      other: "{0} Besuche, die hier geändert wurden, sind darin anders"),
    archiveLosesPools: PluralSentence(
      one: "{0} Pool, der seither dazukam, fehlt darin",
      other: "{0} Pools, die seither dazukamen, fehlen darin"),
    archiveRevertsPools: PluralSentence(
      one: "{0} Pool, der seither geändert wurde, ist darin anders",
      other: "{0} Pools, die seither geändert wurden, sind darin anders"),
    archiveAnd: "{0}; {1}",
    archiveLosesWork:
      "'{0}' wurde nicht importiert: {1}; was darin fehlt, würde gelöscht (Pools: {2} neu, {3} geändert, {4} gelöscht); nichts wurde geändert. `pfctl import` mit --replace nimmt es trotzdem, und `pfctl backup create` sichert vorher, was da ist"
  )
}
