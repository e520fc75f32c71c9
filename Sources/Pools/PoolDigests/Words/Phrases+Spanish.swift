import FlowNotices

extension Phrases {
  static let spanish = Phrases(
    routeTitle: "Ruta de hoy",
    scheduledToday: PluralSentence(
      one: "Tienes {0} piscina programada para hoy.", many: "Tienes {0} de piscinas programadas para hoy.",
      other: "Tienes {0} piscinas programadas para hoy."),
    prepTitle: "Prepárate para mañana",
    lowBeforeStops: TwoPluralSentence(
      one: PluralSentence(
        one: "{0} producto con pocas existencias antes de {1} parada programada.",
        many: "{0} producto con pocas existencias antes de {1} de paradas programadas.",
        other: "{0} producto con pocas existencias antes de {1} paradas programadas."),
      many: PluralSentence(
        one: "{0} de productos con pocas existencias antes de {1} parada programada.",
        many: "{0} de productos con pocas existencias antes de {1} de paradas programadas.",
        other: "{0} de productos con pocas existencias antes de {1} paradas programadas."),
      other: PluralSentence(
        one: "{0} productos con pocas existencias antes de {1} parada programada.",
        many: "{0} productos con pocas existencias antes de {1} de paradas programadas.",
        other: "{0} productos con pocas existencias antes de {1} paradas programadas.")),
    weeklyTitle: "Resumen semanal de PoolFlow",
    activePools: PluralSentence(
      one: "{0} piscina activa. Revisa los análisis y el estado de las rutas antes de la nueva semana.",
      many: "{0} de piscinas activas. Revisa los análisis y el estado de las rutas antes de la nueva semana.",
      other: "{0} piscinas activas. Revisa los análisis y el estado de las rutas antes de la nueva semana."),
    trialTitle: "Tu prueba de PoolFlow Pro termina mañana",
    trialBody: "Actualiza ahora para conservar piscinas ilimitadas, análisis y optimización de rutas.",
    addressTest: "Las rutas de {0} llegarán aquí. No hay que hacer nada.",
    stops: PluralSentence(one: "{0} parada", many: "{0} de paradas", other: "{0} paradas"),
    mailSubject: PluralSentence(
      one: "{1}: {0} parada desde las {2}", many: "{1}: {0} de paradas desde las {2}",
      other: "{1}: {0} paradas desde las {2}"),
    sectionTitle: "{0}: {1}",
    afterMidnight: PluralSentence(
      one: "No caben en el día: {0} parada después de medianoche.",
      many: "No caben en el día: {0} de paradas después de medianoche.",
      other: "No caben en el día: {0} paradas después de medianoche."),
    changesTitle: "Cambios desde el {0}",
    noChanges: "Sin cambios desde el {0}.",
    added: "{0} es nueva en esta ruta.",
    movedToDay: "{0} pasó al {1}.",
    movedToTechnician: "{0} pasó de {1} a {2}.",
    removed: "{0} ya no es cliente.",
    reordered: "{0} es ahora la parada {1}; era la {2}.",
    needs: "Necesita {0}",
    serviceDue: "Equipo con mantenimiento vencido",
    workDue: "Trabajo periódico pendiente",
    testFirst: "Mide primero, aún sin dosis",
    calciumHigh: "Demasiado calcio para corregirlo",
    waterCrossed: "El agua estaba {0} y ahora está {1} (LSI {2}).",
    daysSinceVisit: PluralSentence(
      one: "Última visita hace {0} día.", many: "Última visita hace {0} de días.",
      other: "Última visita hace {0} días."),
    visitedToday: "Visitada hoy.",
    neverVisited: "Nunca visitada.",
    noReadings: "Aún sin lecturas.",
    readingsOld: PluralSentence(
      one: "Las lecturas tienen {0} día, demasiado para una dosis: mide primero.",
      many: "Las lecturas tienen {0} de días, demasiado para una dosis: mide primero.",
      other: "Las lecturas tienen {0} días, demasiado para una dosis: mide primero."),
    pHNotMeasured: "El pH no se ha medido nunca, así que no hay dosis: mide primero.",
    measuredDaysAgo: PluralSentence(
      one: "Medido hace {0} día", many: "Medido hace {0} de días",
      other: "Medido hace {0} días"),
    olderReadings: "anteriores: {0}",
    olderWord: "anterior",
    notMeasured: "sin medir: {0}",
    notMeasuredWord: "sin medir",
    doseTask: "{0} de {1}",
    ifStill: "si {0} sigue en {1}",
    startWith: "La química del agua pide mucho menos: empieza con {0}, deja circular y vuelve a medir.",
    byEquilibrium: "Según el equilibrio de carbonatos; la regla de la app indica {0}.",
    assumedForDoses: "Supuesto para las dosis: {0}.",
    ruleNeedsReading: "Según la regla de la app: el equilibrio de carbonatos necesita una lectura de {0}.",
    ruleOutOfRange: "Según la regla de la app: el equilibrio de carbonatos no sirve con {0}.",
    ruleContradiction:
      "Según la regla de la app: la alcalinidad y el ácido cianúrico se contradicen, vuelve a medir.",
    indexByPH: "Índice de saturación: estabilizador corregido según el pH.",
    dissolvedSolids: "Sólidos disueltos", borate: "Borato",
    drainPart: "Demasiado calcio para corregirlo con productos: vacía una parte y rellena.",
    wantsBetween: "Prefiere {0} – {1}",
    wantsBefore: "Prefiere antes de {0}",
    wantsAfter: "Prefiere después de {0}",
    early: "{0}; llegas pronto",
    tooLate: "{0}; llegas tarde",
    outsideWindow: "Fuera de su horario",
    serviceOverdue: "{0}: mantenimiento vencido desde el {1}.",
    workDueToday: "vence hoy",
    workDueSince: "vencido desde el {0}",
    warrantyEnded: "{0}: la garantía terminó el {1}.",
    noCoordinates: "Sin coordenadas, no está en el mapa.",
    stopsTitle: "Paradas",
    officeTitle: "Para la oficina",
    lsiWord: "LSI {0}, {1}",
    mapProgram: "App de mapas",
    navigate: "Navegar",
    call: "Llamar",
    quoted: "«{0}»",
    laterTitle: "Para más adelante ({0})",
    wholeRoute: "Ruta completa",
    routePart: "Paradas {0} a {1}",
    mapFold: "Mapa (el norte está arriba)",
    gateLabel: "Acceso", contactLabel: "Contacto", phoneLabel: "Teléfono",
    notesTitle: "Notas",
    mapTitle: PluralSentence(
      one: "Mapa de la ruta, {0} parada", many: "Mapa de la ruta, {0} de paradas", other: "Mapa de la ruta, {0} paradas"
    ),
    mapDescription: """
      Los pines están numerados en el orden del recorrido. Un triángulo marca una parada que necesita atención. \
      El norte está arriba.
      """,
    loadTitle: "Cargar antes de salir",
    storeShort: "En el almacén faltan {0}.",
    storeShortFor: "En el almacén faltan {0}; afecta a {1}.",
    storeEmpty: "No queda en el almacén: compra antes de la parada {0}.",
    loadFacts: "Necesario {0}, en la furgoneta {1}",
    missingAt: "Falta para {0}.",
    usualAmount: "cantidad habitual",
    nothingToLoad: "Nada que cargar: ninguna lectura reciente pide productos.",
    chemicalColumn: "Producto", neededColumn: "Necesario", truckColumn: "En la furgoneta", takeColumn: "Cargar",
    lowStockTitle: "Pocas existencias",
    lowLine: "{0}: quedan {1}, umbral {2}",
    lasts: PluralSentence(
      one: "Alcanza para {0} día más o menos, según la media de 90 días.",
      many: "Alcanza para {0} de días más o menos, según la media de 90 días.",
      other: "Alcanza para {0} días más o menos, según la media de 90 días."),
    lastsNoDay: "No alcanza para un día, según la media de 90 días.",
    tomorrowNeeds: "Mañana hacen falta {0}.",
    tomorrowShort: "Mañana hacen falta {0}: faltan {1}.",
    waterTitle: "Agua que cambió desde ayer",
    waterLine: "{0}: de {1} a {2}, LSI {3}",
    corrosive: "corrosiva", balanced: "equilibrada", scaleForming: "incrustante",
    acid: "Ácido muriático", base: "Carbonato de sodio", calcium: "Cloruro de calcio",
    alkalinity: "Bicarbonato de sodio", chlorine: "Cloro", stabilizer: "Estabilizador",
    dataAsOf: "Datos hasta el {0}.",
    estimate: "Las horas son estimadas: línea recta a {0}, {1} minutos por parada, primera parada a las {2}.",
    plannedEstimate: "Las horas son las de la ruta planificada, {1} minutos por parada, primera parada a las {2}.",
    run: "Ejecución {0}.",
    preview: "Vista previa: no se envió nada.",
    weekEnding: "Semana hasta el {0}",
    overDays: PluralSentence(
      one: "Las cuotas de un mes y los productos del último día ({0}).",
      many: "Las cuotas de un mes y los productos de los últimos {0} de días.",
      other: "Las cuotas de un mes y los productos de los últimos {0} días."),
    moneyTitle: "Dinero", revenue: "Ingresos", spend: "Productos", profit: "Ganancia", margin: "Margen",
    losersTitle: "Productos por encima del {0} de la cuota",
    loserLine: "{0}: cuota {1}, productos {2}, ganancia {3}",
    noLosers: "En ninguna piscina los productos superan el {0} de la cuota.",
    healthTitle: "Calidad de los datos",
    missingCoordinates: PluralSentence(
      one: "{0} piscina no tiene coordenadas.", many: "{0} de piscinas no tienen coordenadas.",
      other: "{0} piscinas no tienen coordenadas."),
    missingFee: PluralSentence(
      one: "{0} piscina no tiene cuota.", many: "{0} de piscinas no tienen cuota.",
      other: "{0} piscinas no tienen cuota."),
    stalePools: PluralSentence(
      one: "{0} piscina lleva más de 35 días sin visita.", many: "{0} de piscinas llevan más de 35 días sin visita.",
      other: "{0} piscinas llevan más de 35 días sin visita."),
    healthFine: "Todas las piscinas tienen coordenadas, cuota y una visita reciente.",
    nextLoadTitle: "Carga para la próxima semana",
    noProfitOnPlan: "El plan gratuito no incluye el análisis de ganancias.",
    missingCoordinatesNamed: PluralSentence(
      one: "{0} piscina no tiene coordenadas: {1}", many: "{0} de piscinas no tienen coordenadas: {1}",
      other: "{0} piscinas no tienen coordenadas: {1}"),
    missingFeeNamed: PluralSentence(
      one: "{0} piscina no tiene cuota: {1}", many: "{0} de piscinas no tienen cuota: {1}",
      other: "{0} piscinas no tienen cuota: {1}"),
    figures: "Cifras",
    filledOutlined: "Relleno: {0}. Contorno: {1}.",
    thisWeek: "Esta semana", weekBefore: "La semana anterior",
    visitsTitle: "Visitas por técnico", visitsByDayTitle: "Visitas por día",
    technicianColumn: "Técnico", missedColumn: "Omitidas",
    missed: PluralSentence(one: "{0} omitida", many: "{0} de visitas omitidas", other: "{0} omitidas"),
    missedTitle: "Días de servicio sin visita",
    missedNote: """
      Una visita se cuenta como omitida si no hay ninguna en los tres días anteriores o posteriores al día de servicio. \
      Los días cerrados no cuentan.
      """,
    noMissed: "No se omitió ninguna visita.",
    chemicalsTitle: "Productos por tipo", otherChemicals: "Otros productos",
    dryChemical: "{0} (sólido)", noChemicals: "Sin productos añadidos.",
    balanceTitle: "Equilibrio del agua", poolsColumn: "Piscinas", noVisits: "No hubo visitas.",
    worstTitle: "El agua más lejos del equilibrio",
    bandNote: "La banda es el rango ideal; los puntos más grandes quedan fuera.",
    waterFine: "Ninguna piscina tenía el agua desequilibrada.",
    profitTitle: "Ganancia por piscina", feeColumn: "Cuota mensual",
    loserNote: """
      Un triángulo marca las piscinas cuyos productos cuestan más del {0} de la cuota o que perdieron dinero.
      """,
    trendTitle: "Evolución del agua", dateColumn: "Fecha",
    tomorrowTitle: "Ruta de mañana",
    scheduledTomorrow: PluralSentence(
      one: "Tienes {0} piscina programada para mañana.", many: "Tienes {0} de piscinas programadas para mañana.",
      other: "Tienes {0} piscinas programadas para mañana."),
    frostWarning: "Aviso de helada: mínima de {0}, del {1} al {2}.",
    rainExpected: "Se esperan {0} de lluvia el {1}. Para mover el día: {2}",
    rainOnDay: "Se esperan {0} de lluvia el {1}.",
    forecastStale: "El pronóstico del {0} es demasiado antiguo para avisar de heladas o lluvia.",
    forecastShort: "El pronóstico cubre solo una parte de las próximas 24 horas.",
    forecastElsewhere: "El pronóstico es para un lugar lejos de {0}.",
    prepForDayTitle: "Prepárate para el {0}",
    dayNeeds: "El {0} hacen falta {1}.",
    dayShort: "El {0} hacen falta {1}: faltan {2}.",
    closedTomorrowTitle: "Mañana cerrado",
    needAnotherDay: PluralSentence(
      one: "{0} parada necesita otro día.", many: "{0} de paradas necesitan otro día.",
      other: "{0} paradas necesitan otro día."),
    closedTitle: "Días libres",
    stopMoved: "Trasladada del {0}",
    stopCovers: "En lugar de {0}",
    stopChangesTitle: "Paradas cambiadas",
    stopMovedTo: "{0} pasa al {1}",
    stopSkipped: "{0} se omite",
    stopCoveredBy: "{0}, atendida por {1}",
    routeChangedTitle: "Ruta de hoy modificada",
    stopsChanged: PluralSentence(
      one: "{0} parada ha cambiado desde esta mañana.",
      many: "{0} de paradas han cambiado desde esta mañana.",
      other: "{0} paradas han cambiado desde esta mañana."),
    routeChangedTomorrowTitle: "Ruta de mañana modificada",
    stopsChangedTomorrow: PluralSentence(
      one: "{0} parada de mañana ha cambiado desde el envío de la ruta.",
      many: "{0} de paradas de mañana han cambiado desde el envío de la ruta.",
      other: "{0} paradas de mañana han cambiado desde el envío de la ruta."),
    fromDayToDay: "del {0} al {1}",
    away: "Ausencia: {0}",
    uncovered: "Ausencia: {0}, {1} sin cubrir",
    noRoute: "Este día no hay ruta.",
    teamIsClosed: "El equipo no trabaja este día.",
    comingDays: "Los próximos días",
    drivesTitle: "Quién conduce",
    routeOfDay: "Ruta: {0}",
    feedTitle: "Calendario de las próximas dos semanas",
    feedNote:
      "Suscríbete con su dirección. Los calendarios se actualizan cada pocas horas: para hoy vale la página.",
    pageBroken: "Esta página no se puede crear en este momento. Pregunta en la oficina.",
    betterOrder: "Un orden mejor ahorra {0}: {1} lo aplica.",
    ofLateness: "{0} de retraso",
    ofDriving: "{0} de conducción",
    atThePriceOf: "{0} a cambio de {1}",
    reminderTitle: "Recordatorio",
    nothing: "nada",
    visitReport: "Informe de servicio",
    visits: PluralSentence(one: "{0} visita", many: "{0} de visitas", other: "{0} visitas"),
    readingsTitle: "Lecturas del agua",
    readingColumn: "Lectura", valueColumn: "Valor", statusColumn: "Estado",
    temperature: "Temperatura", calciumHardness: "Dureza cálcica", totalAlkalinity: "Alcalinidad total",
    cyanuricAcid: "Ácido cianúrico",
    freeChlorine: "Cloro libre", freeChlorineWithin: "cloro libre", salt: "Sal",
    temperatureLabel: "Temp.",
    calciumLabel: "Calcio",
    alkalinityLabel: "Alc.",
    saturationIndex: "Índice de saturación (LSI)",
    low: "bajo", ideal: "ideal", high: "alto",
    lowFeminine: "baja",
    idealFeminine: "ideal",
    highFeminine: "alta",
    idealRange: "ideal: {0} a {1}",
    dosesTitle: "Productos añadidos",
    workDoneTitle: "Trabajos realizados",
    noReadingsTaken: "No se tomaron lecturas.",
    chemicalCost: "Costo de los productos",
    poolTitle: "La piscina", volume: "Volumen", serviceDay: "Día de servicio", waterNow: "Agua ahora",
    photoAlt: "Foto de la visita",
    photoTooLarge: "La foto de la visita es demasiado grande para esta página: {0}.",
    photoFormat: "La foto de la visita tiene un formato que esta página no puede mostrar: {0}.",
    photoUnreadable: "La foto de la visita no se puede leer.",
    monthReport: "El mes en cifras",
    customerColumn: "Cliente",
    volumeRequired: "Hace falta el volumen de la piscina para calcular la dosis.",
    waterBalanced: "El agua está equilibrada. No hace falta ajustar nada.",
    calciumTooHigh: """
      El calcio, con {0} ppm, es demasiado alto para corregirlo con productos. Se recomienda vaciar una \
      parte y rellenar con agua nueva hasta bajar de 400 ppm.
      """,
    nudgeUp: "Añade {0} de {1} para subir un poco el pH. Vuelve a medir en 4 horas.",
    nudgeDown: "Añade {0} de {1} para bajar un poco el pH. Vuelve a medir en 4 horas.",
    addTo: "Añade {0} de {1}: {2} a {3}",
    thenAerate: "y después airea para recuperar el pH",
    beyondForm: "{0} está fuera de lo habitual (de {1} a {2}): vuelve a medir.",
    rowEmpty: "{0} está vacío",
    rowTooLong: "{0} tiene más de {1} caracteres o {2} bytes",
    cellTooLong: "{0} tiene más de {1} caracteres o {2} bytes; se omite",
    cellTooLongTogether: "con {0} habría más de {1} caracteres o {2} bytes; se omite",
    cellControls: "{0} tiene caracteres de control; se omiten",
    cellNoFee: "{0} no es un importe de 0 a 1000000, como 145, 120.50 o 120,50 €; se omite",
    cellNoVolume: "{0} no es un número de galones mayor que 0, como 15000; se omite",
    cellNoWeekday: "{0} no es un día de la semana; se toma el lunes",
    cellNoDegrees: "{0} no es un número de {1} a {2}; se omiten las coordenadas",
    cellNoNumber: "{0} no es un número de {1} a {2}; se omite",
    cellReadingsStay: "{0} queda como lo tiene la piscina: las lecturas de una piscina conocida vienen de las visitas",
    cellReservedTechnician: "{0} nombra a un técnico {1} o {2}, que son nombres reservados; no se crea ningún técnico",
    cellAmbiguous:
      "{0} puede ser dos números: nada en el archivo muestra si el signo separa decimales o miles; se omite",
    cellReadAs: "{0} se lee como {1}",
    cellSmallVolume: "{0} es menos que {1}; se toma tal cual, compruébalo",
    cellTinyVolume: "{0} es menos que {1}, demasiado poco para una piscina; se omite",
    cellFeeNotMonthly: "{0} no es una cuota mensual; se omite",
    cellSeveralDays: "{0} nombra varios días y una piscina tiene uno; se toma {1}, planifica los demás a mano",
    rowNoDay: "{0} está vacío; la piscina nueva se pone en lunes",
    rowMoreCells: "la fila tiene más celdas que encabezados; el texto sobrante no se usa",
    rowRepeats: "el mismo cliente y la misma dirección que la fila {1}; se añade a esa piscina",
    rowContradicts:
      """
      el mismo cliente y la misma dirección que la fila {1} con otro {2}; la fila {1} queda como está, \
      añade una piscina a mano para un segundo día o un segundo vaso
      """,
    rowOtherBody:
      "{0}: el mismo cliente y la misma dirección que la fila {1} con otro vaso; pasa a ser una piscina aparte",
    rowNoSuchPool: "ninguna piscina del equipo tiene este cliente y esta dirección; la fila se omite",
    rowCompletesAddress:
      """
      una piscina conocida de este cliente en esta calle, sin población, se toma por ella y recibe la \
      dirección completa
      """,
    cellOtherFrequency: "{0} no es semanal; la piscina se planifica cada semana y la frecuencia queda en sus notas",
    cellRuleStays:
      "{0}: la piscina conserva sus fechas de servicio, '{1}'; `pfctl pool set NOMBRE service=REGLA` las cambia",
    cellUnknownStatus: "{0} no se entiende; la fila se importa",
    fileUnusedColumns: "columnas no usadas: {0}",
    fileNoDays: "ninguna fila nombra un día de servicio; piscinas nuevas puestas en lunes: {0}",
    fileInactive: "filas de clientes inactivos omitidas: {0}",
    fileLitres:
      """
      los volúmenes se leen en litros, porque el equipo es métrico; un encabezado con unidad, como \
      Gallons, dice otra cosa
      """,
    fileGallons: "los volúmenes se leen en galones de EE. UU., como en la exportación de poolflow",
    fileDecimalComma: "este archivo tiene comas decimales: 1.200 se lee como 1200",
    fileNumericDays: "los días son números: 1 es domingo, 7 es sábado",
    fileOtherCurrency:
      "las cuotas del archivo están en {0} y el equipo usa {1}: los números se toman como están",
    archiveEquipment: "{0} de {1} equipos pertenecen a piscinas que no están en el archivo; se omiten",
    archiveProfileTwice: "customer_profiles.json tiene más de un perfil de la piscina {0}; vale el último",
    archiveProfileAlone: "customer_profiles.json tiene un perfil de la piscina {0}, que no está en el archivo",
    archivePlace: "la piscina {0} tiene coordenadas imposibles; cuenta como no localizada",
    archiveReservedTechnician:
      "las etiquetas de la piscina {0} nombran a un técnico {1} o {2}, que son nombres reservados; no se crea ningún técnico",
    archiveVisitsAhead: PluralSentence(
      one: "{0} visita tiene una fecha futura, {1}: se conserva y no es la última antes de ese día",
      many: "{0} de visitas tienen una fecha futura, hasta {1}: se conservan y ninguna es la última antes de su día",
      other: "{0} visitas tienen una fecha futura, hasta {1}: se conservan y ninguna es la última antes de su día"),
    archiveSanitiserKept: PluralSentence(
      one: "{0} visita conserva el cloro libre y la sal, que el archivo no tiene",
      many: "{0} de visitas conservan el cloro libre y la sal, que el archivo no tiene",
      other: "{0} visitas conservan el cloro libre y la sal, que el archivo no tiene"),
    archiveRulesStay: PluralSentence(
      one:
        """
        {0} piscina tiene otro día en el archivo pero conserva sus fechas de servicio; \
        `pfctl pool set NOMBRE service=REGLA` las cambia
        """,
      many:
        """
        {0} de piscinas tienen otro día en el archivo pero conservan sus fechas de servicio; \
        `pfctl pool set NOMBRE service=REGLA` las cambia
        """,
      other:
        """
        {0} piscinas tienen otro día en el archivo pero conservan sus fechas de servicio; \
        `pfctl pool set NOMBRE service=REGLA` las cambia
        """),
    archivePhotoMissing: "la visita {0} nombra una foto que no está en el archivo",
    archiveCount: "manifest.json cuenta {0} {1}, el archivo tiene {2}",
    archivePhotoAlone: "'{0}' es una foto que ninguna visita nombra; se omite",
    archiveForeign: "'{0}' no forma parte de una copia de PoolFlow; se omite",
    archiveControls: "{0}, registro {1}: {2} tiene caracteres de control; se omiten",
    doseLine: "{0} de {1}, {2}",
    doseLineLeft: "{0} de {1}, {2}, quedan {3}",
    doseStockShort: "faltan {0} en existencias",
    doseNotInStock: "no hay existencias",
    doseTotal: "{0} en total",
    fileRefused: "'{0}' no se importó: {1}; no se cambió nada",
    fileRefusedHeadings:
      "'{0}' no se importó: {1}; tiene {2}; `pfctl import` con {3} nombra cada una; no se cambió nada",
    fileEncoding:
      "no se conoce la codificación del archivo: no es texto en UTF-8, UTF-16 ni Windows-1252; guárdalo como CSV UTF-8",
    fileNoColumn: "la primera fila no nombra ninguna columna {0}",
    fileNoColumns: "la primera fila no nombra ninguna columna {0} ni {1}",
    fileTooManyRows: "el archivo tiene más de {0} filas; divídelo",
    fileTooLarge: "el archivo tiene {0}, más de {1}; divídelo",
    fileTooManyColumns: "la primera fila tiene {0} columnas, más de {1}",
    fileOpenQuote: "una celda entre comillas de la fila {0} no se cierra; escribe \" dentro de ella como \"\"",
    fileMapNoPair: "'{0}' no es ENCABEZADO=COLUMNA, como 'Cliente=customer_name'",
    fileMapUnknownColumn: "'{0}' no es una columna nuestra; hay {1}",
    fileMapColumnTwice: "'{0}' se nombra para dos encabezados",
    fileMapHeadingTwice: "'{0}' recibe dos columnas",
    fileMapUnknownHeading: "la primera fila no tiene el encabezado '{0}'; tiene {1}",
    fileMapNotHere: "solo se nombran columnas de una lista de clientes de piscinas",
    fileProfilesNotHere: "los perfiles son solo una lista de clientes de piscinas (CSV)",
    archiveOfStable: "es el archivo de una cuadra, y el equipo '{0}' es un servicio de piscinas",
    archiveNoManifest: "el archivo no tiene manifest.json en el primer nivel, así que no es una copia de PoolFlow",
    archiveVersion:
      "el manifest.json del archivo indica la versión {0} del esquema; este poolflow lee las versiones 1 y 2",
    archiveFileMissing: "al archivo le falta {0}, que toda copia de PoolFlow contiene",
    archiveReferences: "registros del archivo nombran otros que no contiene: {0}",
    archiveDamaged: "el archivo no se puede leer: {0}",
    doseOfNoItem: "lo que ya no está en existencias",
    archiveLosesVisits: PluralSentence(
      one: "le falta {0} visita registrada aquí",
      many: "le faltan {0} de visitas registradas aquí",
      other: "le faltan {0} visitas registradas aquí"),
    archiveRevertsVisits: PluralSentence(
      one: "tiene {0} visita sin los cambios hechos aquí",
      many: "tiene {0} de visitas sin los cambios hechos aquí",
      other: "tiene {0} visitas sin los cambios hechos aquí"),
    archiveLosesPools: PluralSentence(
      one: "le falta {0} piscina añadida desde entonces",
      many: "le faltan {0} de piscinas añadidas desde entonces",
      other: "le faltan {0} piscinas añadidas desde entonces"),
    archiveRevertsPools: PluralSentence(
      one: "tiene {0} piscina sin los cambios hechos desde entonces",
      many: "tiene {0} de piscinas sin los cambios hechos desde entonces",
      other: "tiene {0} piscinas sin los cambios hechos desde entonces"),
    archiveAnd: "{0}; {1}",
    archiveLosesWork:
      "'{0}' no se importó: {1}; lo que no contiene se borraría (piscinas: {2} creadas, {3} cambiadas, {4} borradas); no se cambió nada. `pfctl import` con --replace lo toma de todos modos, y `pfctl backup create` guarda antes lo que hay"
  )
}
