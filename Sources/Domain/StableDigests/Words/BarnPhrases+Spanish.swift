import PoolNotices
import StableModel

extension BarnPhrases {
  static let spanish = BarnPhrases(
    barnTitle: "La mañana de la cuadra",
    barnBody: Counted(
      one: "{0} caballo en el tablero de hoy.", many: "{0} de caballos en el tablero de hoy.",
      other: "{0} caballos en el tablero de hoy."),
    morningFeedTitle: "Pienso de la mañana pendiente",
    eveningFeedTitle: "Pienso de la tarde pendiente",
    notFed: Counted(
      one: "{0} caballo aún no ha comido.", many: "{0} de caballos aún no han comido.",
      other: "{0} caballos aún no han comido."),
    careTitle: "Cuidados pendientes",
    careBody: Counted(
      one: "{0} cita requiere atención.", many: "{0} de citas requieren atención.",
      other: "{0} citas requieren atención."),
    blanketTitle: "Mantas para esta noche",
    blanketBody: "Esta noche la sensación baja hasta {0}.",
    weekTitle: "La semana de la cuadra",
    weekBody: Counted(
      one: "Esta semana faltó {0} ración.", many: "Esta semana faltaron {0} de raciones.",
      other: "Esta semana faltaron {0} raciones."),
    trialTitle: "La prueba termina mañana",
    trialBody: "Elija un plan para conservar copias propias después de la prueba.",
    boardTitle: "Tablero de piensos",
    horse: "Caballo",
    morning: "Mañana",
    evening: "Tarde",
    noSchedule: "sin plan",
    medication: "Medicación: {0}",
    missedYesterday: "Faltó ayer",
    nothingMissed: "Ayer no faltó nada.",
    missedLine: "{0}: {1}",
    noCare: "Nada vence en siete días.",
    overdue: Counted(one: "{0} día de retraso", many: "{0} de días de retraso", other: "{0} días de retraso"),
    dueToday: "vence hoy",
    dueIn: Counted(one: "vence en {0} día", many: "vence en {0} de días", other: "vence en {0} días"),
    careLine: "{0}: {1}",
    careTypes: [
      .vet: "veterinario", .farrier: "herrador", .dental: "dentista", .vaccination: "vacuna",
      .deworming: "desparasitación", .medication: "medicación", .injury: "lesión", .other: "otros cuidados",
    ],
    blanketsTitle: "Mantas",
    byDay: "Hoy",
    byNight: "Esta noche",
    feelsLike: "La sensación baja hasta {0}.",
    isWet: "Habrá humedad o lluvia.",
    waterproof: "impermeable",
    oldForecast: "El pronóstico tiene más de doce horas.",
    staleForecast: "Sin consejo: el pronóstico tiene más de 36 horas.",
    noForecast: "Sin consejo: no hay pronóstico para este tiempo.",
    takeOff: "Demasiado calor de día: quitar la manta de la noche a {0}.",
    advice: [
      .none: "ninguna", .rainSheet: "manta de lluvia", .sheet: "sábana (0 g)", .light: "ligera (100 g)",
      .medium: "media (200 g)", .heavy: "gruesa (300 g)", .heavyLiner: "gruesa con forro (400 g)",
    ],
    missedThisWeek: "Raciones que faltaron",
    nothingMissedThisWeek: "Esta semana no faltó ninguna ración.",
    careDone: "Cuidados de esta semana",
    noCareDone: "Esta semana no se pagaron cuidados.",
    total: "Total",
    careAhead: "Cuidados de los próximos 14 días",
    noCareAhead: "Nada vence en los próximos 14 días.",
    week: "Esta semana",
    today: "Hoy",
    follows: "Esta página sigue los registros.")
}
