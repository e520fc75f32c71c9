import PoolNotices

extension Phrases {
  static let spanish = Phrases(
    routeTitle: "Ruta de hoy",
    scheduledToday: Counted(
      one: "Tienes {0} piscina programada para hoy.", many: "Tienes {0} de piscinas programadas para hoy.",
      other: "Tienes {0} piscinas programadas para hoy."),
    prepTitle: "Prepárate para mañana",
    lowBeforeStops: CountedTwice(
      one: Counted(
        one: "{0} producto con pocas existencias antes de {1} parada programada.",
        many: "{0} producto con pocas existencias antes de {1} de paradas programadas.",
        other: "{0} producto con pocas existencias antes de {1} paradas programadas."),
      many: Counted(
        one: "{0} de productos con pocas existencias antes de {1} parada programada.",
        many: "{0} de productos con pocas existencias antes de {1} de paradas programadas.",
        other: "{0} de productos con pocas existencias antes de {1} paradas programadas."),
      other: Counted(
        one: "{0} productos con pocas existencias antes de {1} parada programada.",
        many: "{0} productos con pocas existencias antes de {1} de paradas programadas.",
        other: "{0} productos con pocas existencias antes de {1} paradas programadas.")),
    weeklyTitle: "Resumen semanal de PoolFlow",
    activePools: Counted(
      one: "{0} piscina activa. Revisa los análisis y el estado de las rutas antes de la nueva semana.",
      many: "{0} de piscinas activas. Revisa los análisis y el estado de las rutas antes de la nueva semana.",
      other: "{0} piscinas activas. Revisa los análisis y el estado de las rutas antes de la nueva semana."),
    trialTitle: "Tu prueba de PoolFlow Pro termina mañana",
    trialBody: "Actualiza ahora para conservar piscinas ilimitadas, análisis y optimización de rutas.",
    stops: Counted(one: "{0} parada", many: "{0} de paradas", other: "{0} paradas"),
    sectionTitle: "{0}: {1}",
    daySummary: Counted(
      one: "{0} parada, la primera a las {1}, fin hacia las {2}, {3}.",
      many: "{0} de paradas, la primera a las {1}, fin hacia las {2}, {3}.",
      other: "{0} paradas, la primera a las {1}, fin hacia las {2}, {3}."),
    daySummaryUnlocated: Counted(
      one: "{0} parada, la primera a las {1}, fin hacia las {2}.",
      many: "{0} de paradas, la primera a las {1}, fin hacia las {2}.",
      other: "{0} paradas, la primera a las {1}, fin hacia las {2}."),
    needAttention: Counted(
      one: "{0} parada necesita atención.", many: "{0} de paradas necesitan atención.",
      other: "{0} paradas necesitan atención."),
    changesTitle: "Cambios desde el {0}",
    noChanges: "Sin cambios desde el {0}.",
    added: "{0} es nueva en esta ruta.",
    movedToDay: "{0} pasó al {1}.",
    movedToTechnician: "{0} pasó de {1} a {2}.",
    removed: "{0} ya no es cliente.",
    reordered: "{0} es ahora la parada {1}; era la {2}.",
    attentionTitle: "Necesita atención",
    waterCrossed: "El agua estaba {0} y ahora está {1} (LSI {2}).",
    daysSinceVisit: Counted(
      one: "Última visita hace {0} día.", many: "Última visita hace {0} de días.",
      other: "Última visita hace {0} días."),
    visitedToday: "Visitada hoy.",
    neverVisited: "Nunca visitada.",
    serviceOverdue: "{0}: mantenimiento vencido desde el {1}.",
    warrantyEnded: "{0}: la garantía terminó el {1}.",
    noCoordinates: "Sin coordenadas, no está en el mapa.",
    stopsTitle: "Paradas",
    lsiWord: "LSI {0}, {1}",
    navigate: "Ir allí",
    notesTitle: "Notas",
    mapTitle: Counted(
      one: "Mapa de la ruta, {0} parada", many: "Mapa de la ruta, {0} de paradas", other: "Mapa de la ruta, {0} paradas"
    ),
    mapDescription: """
      Los pines están numerados en el orden del recorrido. Un triángulo marca una parada que necesita atención. \
      El norte está arriba.
      """,
    notOnMap: Counted(
      one: "{0} parada no tiene coordenadas y no está en el mapa.",
      many: "{0} de paradas no tienen coordenadas y no están en el mapa.",
      other: "{0} paradas no tienen coordenadas y no están en el mapa."),
    loadTitle: "Cargar antes de salir",
    loadLine: "{0}: hacen falta {1}, hay {2} en la furgoneta, cargar {3}.",
    storeShort: "En el almacén faltan {0}.",
    nothingToLoad: "Nada que cargar: las últimas lecturas no piden productos.",
    chemicalColumn: "Producto", neededColumn: "Necesario", truckColumn: "En la furgoneta", takeColumn: "Cargar",
    lowStockTitle: "Pocas existencias",
    lowLine: "{0}: quedan {1}, umbral {2}",
    lasts: Counted(
      one: "Alcanza para {0} día más o menos, según el uso de los últimos 90 días.",
      many: "Alcanza para {0} de días más o menos, según el uso de los últimos 90 días.",
      other: "Alcanza para {0} días más o menos, según el uso de los últimos 90 días."),
    lastsNoDay: "No alcanza para un día, según el uso de los últimos 90 días.",
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
    overDays: Counted(
      one: "En el último día ({0}).", many: "En los últimos {0} de días.", other: "En los últimos {0} días."),
    moneyTitle: "Dinero", revenue: "Ingresos", spend: "Productos", profit: "Ganancia", margin: "Margen",
    losersTitle: "Piscinas que pierden dinero",
    loserLine: "{0}: cuota {1}, productos {2}, ganancia {3}",
    noLosers: "Ninguna piscina pierde dinero.",
    more: Counted(one: "y {0} más", many: "y {0} más", other: "y {0} más"),
    healthTitle: "Calidad de los datos",
    missingCoordinates: Counted(
      one: "{0} piscina no tiene coordenadas.", many: "{0} de piscinas no tienen coordenadas.",
      other: "{0} piscinas no tienen coordenadas."),
    missingFee: Counted(
      one: "{0} piscina no tiene cuota.", many: "{0} de piscinas no tienen cuota.",
      other: "{0} piscinas no tienen cuota."),
    stalePools: Counted(
      one: "{0} piscina lleva más de 35 días sin visita.", many: "{0} de piscinas llevan más de 35 días sin visita.",
      other: "{0} piscinas llevan más de 35 días sin visita."),
    healthFine: "Todas las piscinas tienen coordenadas, cuota y una visita reciente.",
    nextLoadTitle: "Carga para la próxima semana",
    noProfitOnPlan: "El plan gratuito no incluye el análisis de ganancias.",
    tomorrowTitle: "Ruta de mañana",
    scheduledTomorrow: Counted(
      one: "Tienes {0} piscina programada para mañana.", many: "Tienes {0} de piscinas programadas para mañana.",
      other: "Tienes {0} piscinas programadas para mañana."),
    prepForDayTitle: "Prepárate para el {0}",
    dayNeeds: "El {0} hacen falta {1}.",
    dayShort: "El {0} hacen falta {1}: faltan {2}.",
    closedTomorrowTitle: "Mañana cerrado",
    needAnotherDay: Counted(
      one: "{0} parada necesita otro día.", many: "{0} de paradas necesitan otro día.",
      other: "{0} paradas necesitan otro día."),
    closedTitle: "Días libres",
    fromDayToDay: "del {0} al {1}",
    away: "Ausencia: {0}",
    uncovered: "Ausencia: {0}, {1} sin cubrir",
    reminderTitle: "Recordatorio",
    nothing: "nada",
    visitReport: "Informe de servicio",
    visits: Counted(one: "{0} visita", many: "{0} de visitas", other: "{0} visitas"),
    readingsTitle: "Lecturas del agua",
    readingColumn: "Lectura", valueColumn: "Valor", idealColumn: "Ideal", statusColumn: "Estado",
    temperature: "Temperatura", calciumHardness: "Dureza cálcica", totalAlkalinity: "Alcalinidad total",
    cyanuricAcid: "Ácido cianúrico", saturationIndex: "Índice de saturación (LSI)",
    low: "bajo", ideal: "ideal", high: "alto",
    dosesTitle: "Productos añadidos",
    noDoses: "No hicieron falta productos.",
    photoAlt: "Foto de la visita",
    monthReport: "El mes en cifras",
    customerColumn: "Cliente")
}
