import PoolNotices
import StableModel

extension BarnPhrases {
  static let french = BarnPhrases(
    barnTitle: "Le matin de l'écurie",
    barnBody: Counted(
      one: "{0} cheval au tableau aujourd'hui.", many: "{0} de chevaux au tableau aujourd'hui.",
      other: "{0} chevaux au tableau aujourd'hui."),
    morningFeedTitle: "Ration du matin à donner",
    eveningFeedTitle: "Ration du soir à donner",
    notFed: Counted(
      one: "{0} cheval n'est pas encore nourri.", many: "{0} de chevaux ne sont pas encore nourris.",
      other: "{0} chevaux ne sont pas encore nourris."),
    careTitle: "Soins à prévoir",
    careBody: Counted(
      one: "{0} rendez-vous demande attention.", many: "{0} de rendez-vous demandent attention.",
      other: "{0} rendez-vous demandent attention."),
    blanketTitle: "Couvertures ce soir",
    blanketBody: "Cette nuit, le ressenti descend à {0}.",
    weekTitle: "La semaine de l'écurie",
    weekBody: Counted(
      one: "{0} ration a été oubliée cette semaine.", many: "{0} de rations ont été oubliées cette semaine.",
      other: "{0} rations ont été oubliées cette semaine."),
    trialTitle: "L'essai se termine demain",
    trialBody: "Choisissez une formule pour garder vos propres archives après l'essai.",
    boardTitle: "Tableau des rations",
    horse: "Cheval",
    morning: "Matin",
    evening: "Soir",
    noSchedule: "sans programme",
    medication: "Médicament : {0}",
    missedYesterday: "Oublié hier",
    nothingMissed: "Rien n'a été oublié hier.",
    missedLine: "{0} : {1}",
    noCare: "Rien n'est dû dans les sept jours.",
    overdue: Counted(one: "{0} jour de retard", many: "{0} de jours de retard", other: "{0} jours de retard"),
    dueToday: "à faire aujourd'hui",
    dueIn: Counted(one: "dans {0} jour", many: "dans {0} de jours", other: "dans {0} jours"),
    careLine: "{0} : {1}",
    careTypes: [
      .vet: "vétérinaire", .farrier: "maréchal-ferrant", .dental: "dentiste", .vaccination: "vaccination",
      .deworming: "vermifuge", .medication: "médicament", .injury: "blessure", .other: "autre soin",
    ],
    blanketsTitle: "Couvertures",
    byDay: "Aujourd'hui",
    byNight: "Cette nuit",
    feelsLike: "Le ressenti descend à {0}.",
    isWet: "Temps humide.",
    waterproof: "imperméable",
    oldForecast: "La prévision a plus de douze heures.",
    staleForecast: "Pas de conseil : la prévision a plus de 36 heures.",
    noForecast: "Pas de conseil : aucune prévision pour ce moment.",
    takeOff: "Trop chaud le jour : retirer la couverture de nuit à {0}.",
    advice: [
      .none: "aucune", .rainSheet: "chemise de pluie", .sheet: "chemise (0 g)", .light: "légère (100 g)",
      .medium: "moyenne (200 g)", .heavy: "épaisse (300 g)", .heavyLiner: "épaisse avec doublure (400 g)",
    ],
    missedThisWeek: "Rations oubliées",
    nothingMissedThisWeek: "Aucune ration n'a été oubliée cette semaine.",
    careDone: "Soins de la semaine",
    noCareDone: "Aucun soin n'a été payé cette semaine.",
    total: "Total",
    careAhead: "Soins des 14 prochains jours",
    noCareAhead: "Rien n'est dû dans les 14 prochains jours.",
    week: "Cette semaine",
    today: "Aujourd'hui",
    follows: "Cette page suit les données.")
}
