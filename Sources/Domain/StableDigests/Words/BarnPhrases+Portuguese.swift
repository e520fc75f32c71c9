import PoolNotices
import StableModel

extension BarnPhrases {
  static let portuguese = BarnPhrases(
    barnTitle: "A manhã do estábulo",
    barnBody: Counted(
      one: "{0} cavalo no quadro de hoje.", many: "{0} de cavalos no quadro de hoje.",
      other: "{0} cavalos no quadro de hoje."),
    morningFeedTitle: "Ração da manhã pendente",
    eveningFeedTitle: "Ração da tarde pendente",
    notFed: Counted(
      one: "{0} cavalo ainda não comeu.", many: "{0} de cavalos ainda não comeram.",
      other: "{0} cavalos ainda não comeram."),
    careTitle: "Cuidados a vencer",
    careBody: Counted(
      one: "{0} compromisso pede atenção.", many: "{0} de compromissos pedem atenção.",
      other: "{0} compromissos pedem atenção."),
    blanketTitle: "Mantas para esta noite",
    blanketBody: "Esta noite a sensação chega a {0}.",
    weekTitle: "A semana do estábulo",
    weekBody: Counted(
      one: "{0} refeição faltou esta semana.", many: "{0} de refeições faltaram esta semana.",
      other: "{0} refeições faltaram esta semana."),
    trialTitle: "O teste termina amanhã",
    trialBody: "Escolha um plano para manter cópias próprias depois do teste.",
    boardTitle: "Quadro de rações",
    horse: "Cavalo",
    morning: "Manhã",
    evening: "Tarde",
    noSchedule: "sem plano",
    medication: "Medicação: {0}",
    missedYesterday: "Faltou ontem",
    nothingMissed: "Nada faltou ontem.",
    missedLine: "{0}: {1}",
    noCare: "Nada vence em sete dias.",
    overdue: Counted(one: "{0} dia de atraso", many: "{0} de dias de atraso", other: "{0} dias de atraso"),
    dueToday: "vence hoje",
    dueIn: Counted(one: "vence em {0} dia", many: "vence em {0} de dias", other: "vence em {0} dias"),
    careLine: "{0}: {1}",
    careTypes: [
      .vet: "veterinário", .farrier: "ferrador", .dental: "dentista", .vaccination: "vacina", .deworming: "vermífugo",
      .medication: "medicação", .injury: "lesão", .other: "outros cuidados",
    ],
    blanketsTitle: "Mantas",
    byDay: "Hoje",
    byNight: "Esta noite",
    feelsLike: "A sensação chega a {0}.",
    isWet: "Vai estar molhado.",
    waterproof: "impermeável",
    oldForecast: "A previsão tem mais de doze horas.",
    staleForecast: "Sem conselho: a previsão tem mais de 36 horas.",
    noForecast: "Sem conselho: não há previsão para este período.",
    takeOff: "Quente demais de dia: tirar a manta da noite de {0}.",
    advice: [
      .none: "nenhuma", .rainSheet: "capa de chuva", .sheet: "lençol (0 g)", .light: "leve (100 g)",
      .medium: "média (200 g)", .heavy: "grossa (300 g)", .heavyLiner: "grossa com forro (400 g)",
    ],
    missedThisWeek: "Refeições que faltaram",
    nothingMissedThisWeek: "Nenhuma refeição faltou esta semana.",
    careDone: "Cuidados desta semana",
    noCareDone: "Nenhum cuidado foi pago esta semana.",
    total: "Total",
    careAhead: "Cuidados dos próximos 14 dias",
    noCareAhead: "Nada vence nos próximos 14 dias.",
    week: "Esta semana",
    today: "Hoje",
    follows: "Esta página acompanha os registros.")
}
