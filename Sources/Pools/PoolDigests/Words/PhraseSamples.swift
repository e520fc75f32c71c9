package import FlowModel
package import FlowNotices
import PoolChemistry

extension Phrases {
  /// The texts of pool service with examples.
  package static func examples(in language: Language) -> [PhraseExample] {
    let samples = PhraseSamples(language)
    return PhraseExample.all(of: language.phrases.phrases, in: language) { name in
      (PhraseSamples.values[name] ?? []).map { samples[$0] }
    }
  }
}

/// Sample values for the placeholders of texts, in the numbers, dates and units of a language.
private struct PhraseSamples {
  /// What a placeholder stands for.
  enum Value {
    case customer, customers, technician, otherTechnician, team, stops, note, equipment
    case day, otherDay, weekday, time, laterTime, latestTime, clock, laterClock, moment, minutes, wants
    case chemical, chemicalInSentence, chemicals, amount, smallAmount, volume
    case temperature, rain, dayMove
    case money, otherMoney, percent, distance, speed
    case reading, readings, measured, value, otherValue, ppm, index, balanced, scaleForming
    case number, otherNumber, largeNumber, run, thisWeek, weekBefore, command, option
    case rule, column, otherColumn, columns, heading, file, archiveFile, photoFile, photoFormat, size, otherSize, reason
    case record, records, table, currency, otherCurrency, reservedName, otherReservedName, part, otherPart
  }

  /// The values of each text, by the name of its property.
  static let values: [String: [Value]] = [
    "mailSubject": [.day, .time],
    "addressTest": [.technician],
    "sectionTitle": [.technician, .stops],
    "changesTitle": [.day],
    "noChanges": [.day],
    "added": [.customer],
    "movedToDay": [.customer, .weekday],
    "stopMoved": [.weekday],
    "stopCovers": [.technician],
    "stopMovedTo": [.customer, .day],
    "stopSkipped": [.customer],
    "stopCoveredBy": [.customer, .technician],
    "movedToTechnician": [.customer, .technician, .otherTechnician],
    "removed": [.customer],
    "reordered": [.customer, .number, .otherNumber],
    "needs": [.chemicals],
    "waterCrossed": [.balanced, .scaleForming, .index],
    "olderReadings": [.readings],
    "notMeasured": [.readings],
    "doseTask": [.amount, .chemical],
    "ifStill": [.reading, .value],
    "startWith": [.amount],
    "byEquilibrium": [.amount],
    "assumedForDoses": [.readings],
    "ruleNeedsReading": [.reading],
    "ruleOutOfRange": [.reading],
    "wantsBetween": [.laterTime, .latestTime],
    "wantsBefore": [.laterTime],
    "wantsAfter": [.laterTime],
    "early": [.wants],
    "tooLate": [.wants],
    "serviceOverdue": [.equipment, .day],
    "workDueSince": [.day],
    "frostWarning": [.temperature, .clock, .laterClock],
    "rainExpected": [.rain, .day, .dayMove],
    "rainOnDay": [.rain, .day],
    "forecastStale": [.moment],
    "forecastElsewhere": [.customers],
    "warrantyEnded": [.equipment, .day],
    "lsiWord": [.index, .scaleForming],
    "quoted": [.note],
    "laterTitle": [.number],
    "routePart": [.otherNumber, .number],
    "storeShort": [.smallAmount],
    "storeShortFor": [.smallAmount, .customers],
    "storeEmpty": [.number],
    "loadFacts": [.amount, .smallAmount],
    "missingAt": [.customers],
    "lowLine": [.chemical, .smallAmount, .amount],
    "tomorrowNeeds": [.amount],
    "tomorrowShort": [.amount, .smallAmount],
    "waterLine": [.customer, .balanced, .scaleForming, .index],
    "dataAsOf": [.moment],
    "estimate": [.speed, .number, .time],
    "plannedEstimate": [.speed, .number, .time],
    "run": [.run],
    "weekEnding": [.day],
    "losersTitle": [.percent],
    "loserLine": [.customer, .money, .otherMoney, .otherMoney],
    "noLosers": [.percent],
    "missingCoordinatesNamed": [.customers],
    "missingFeeNamed": [.customers],
    "filledOutlined": [.thisWeek, .weekBefore],
    "dryChemical": [.chemical],
    "loserNote": [.percent],
    "prepForDayTitle": [.weekday],
    "dayNeeds": [.weekday, .amount],
    "dayShort": [.weekday, .amount, .smallAmount],
    "fromDayToDay": [.day, .otherDay],
    "away": [.technician],
    "uncovered": [.technician, .stops],
    "routeOfDay": [.stops],
    "betterOrder": [.distance, .command],
    "ofLateness": [.minutes],
    "ofDriving": [.minutes],
    "atThePriceOf": [.minutes, .distance],
    "idealRange": [.value, .otherValue],
    "photoTooLarge": [.size],
    "photoFormat": [.photoFormat],
    "calciumTooHigh": [.ppm],
    "nudgeUp": [.smallAmount, .chemicalInSentence],
    "nudgeDown": [.smallAmount, .chemicalInSentence],
    "addTo": [.amount, .chemicalInSentence, .reading, .value],
    "beyondForm": [.measured, .value, .otherValue],
    "rowEmpty": [.column],
    "rowTooLong": [.column, .number, .largeNumber],
    "cellTooLong": [.column, .number, .largeNumber],
    "cellTooLongTogether": [.column, .number, .largeNumber],
    "cellControls": [.column],
    "cellNoFee": [.column],
    "cellNoVolume": [.column],
    "cellNoWeekday": [.column],
    "cellNoDegrees": [.column, .otherNumber, .number],
    "cellNoNumber": [.column, .otherNumber, .number],
    "cellReadingsStay": [.column],
    "cellReservedTechnician": [.column, .reservedName, .otherReservedName],
    "cellAmbiguous": [.column],
    "cellReadAs": [.column, .volume],
    "cellSmallVolume": [.column, .volume],
    "cellTinyVolume": [.column, .volume],
    "cellFeeNotMonthly": [.column],
    "cellSeveralDays": [.column, .weekday],
    "rowNoDay": [.column],
    "rowRepeats": [.column, .number],
    "rowContradicts": [.column, .number, .otherColumn],
    "rowOtherBody": [.column, .number],
    "cellOtherFrequency": [.column],
    "cellUnknownStatus": [.column],
    "fileUnusedColumns": [.columns],
    "fileNoDays": [.number],
    "fileInactive": [.number],
    "fileOtherCurrency": [.currency, .otherCurrency],
    "archiveEquipment": [.otherNumber, .number],
    "archiveProfileTwice": [.record],
    "archiveProfileAlone": [.record],
    "archivePlace": [.record],
    "archiveReservedTechnician": [.record, .reservedName, .otherReservedName],
    "archiveVisitsAhead": [.day],
    "cellRuleStays": [.column, .rule],
    "archivePhotoMissing": [.record],
    "archiveCount": [.otherNumber, .table, .number],
    "archivePhotoAlone": [.photoFile],
    "archiveForeign": [.photoFile],
    "archiveControls": [.table, .record, .column],
    "doseLine": [.amount, .chemical, .money],
    "doseLineLeft": [.amount, .chemical, .money, .smallAmount],
    "doseStockShort": [.smallAmount],
    "doseTotal": [.money],
    "fileRefused": [.file, .reason],
    "fileRefusedHeadings": [.file, .reason, .columns, .option],
    "fileNoColumn": [.column],
    "fileNoColumns": [.column, .otherColumn],
    "fileTooManyRows": [.largeNumber],
    "fileTooLarge": [.size, .otherSize],
    "fileTooManyColumns": [.largeNumber, .number],
    "fileOpenQuote": [.number],
    "fileMapNoPair": [.heading],
    "fileMapUnknownColumn": [.heading, .columns],
    "fileMapColumnTwice": [.column],
    "fileMapHeadingTwice": [.heading],
    "fileMapUnknownHeading": [.heading, .columns],
    "archiveOfStable": [.team],
    "archiveVersion": [.number],
    "archiveFileMissing": [.archiveFile],
    "archiveReferences": [.records],
    "archiveDamaged": [.archiveFile],
    "archiveAnd": [.part, .otherPart],
    "archiveLosesWork": [.file, .part, .otherNumber, .number, .number],
  ]

  private let localizer: Localizer

  init(_ language: Language) {
    let isEnglish = language == .english
    localizer = Localizer(
      RegionalFormat(
        language: language, units: isEnglish ? .imperial : .metric, clock: .automatic,
        currency: isEnglish ? .usDollar : language == .portuguese ? .real : .euro),
      doses: .byKind)
  }

  private static let monday = CivilDate(daysSince1970: 20_514)

  subscript(value: Value) -> String {
    let (phrases, format, numerals) = (localizer.phrases, localizer.format, localizer.numerals)
    return switch value {
    case .customer: "Garcia"
    case .customers: "Garcia, Müller \(localizer.say(localizer.more, 1))"
    case .technician: "Maria"
    case .otherTechnician: "Keisha"
    case .team: "desert-blue"
    case .stops: localizer.say(phrases.stops, 3)
    case .note: "#4417"
    case .equipment: "Pentair IntelliFlo"
    case .day: localizer.dateFormats.shortDay(Self.monday)
    case .otherDay: localizer.dateFormats.shortDay(Self.monday.adding(days: 4))
    case .weekday: localizer.dateFormats.weekday(Self.monday.weekday)
    case .time: time(8)
    case .laterTime: time(11)
    case .latestTime: time(14)
    case .clock: format.clock(LocalDateTime(date: Self.monday, time: .midnight))
    case .laterClock: format.clock(LocalDateTime(date: Self.monday, time: .sevenInTheMorning))
    case .moment: format.moment(LocalDateTime(date: Self.monday, time: .sevenInTheMorning))
    case .minutes: "12 min"
    case .wants: phrases.wantsBetween(time(11), time(14))
    case .chemical: phrases.acid()
    case .chemicalInSentence: localizer.inSentence(phrases.acid())
    case .chemicals: "\(phrases.acid()), \(phrases.calcium())"
    case .amount: localizer.dose(ounces: 70, of: .acid, isDry: false)
    case .smallAmount: localizer.dose(ounces: 26, of: .acid, isDry: false)
    case .volume: localizer.volume(gallons: 12_500)
    case .temperature: format.temperature(-2)
    case .rain: format.rain(12)
    case .dayMove: "pfctl day move 2026-03-02 --to 2026-03-03"
    case .money: format.money(145)
    case .otherMoney: format.money(61.5)
    case .percent: numerals.percent(0.4)
    case .distance: format.distance(miles: 31.4)
    case .speed: format.speed(milesPerHour: 28)
    case .reading: phrases.totalAlkalinity()
    case .readings: "\(phrases.totalAlkalinity()), \(phrases.cyanuricAcid())"
    case .measured: "pH \(numerals.text(8.9, places: 1))"
    case .value: numerals.text(60)
    case .otherValue: numerals.text(120)
    case .ppm: numerals.text(520)
    case .index: localizer.index(0.62)
    case .balanced: phrases.balanced()
    case .scaleForming: phrases.scaleForming()
    case .number: numerals.text(12)
    case .otherNumber: numerals.text(4)
    case .largeNumber: numerals.text(20_000)
    case .run: "1234"
    case .thisWeek: phrases.thisWeek()
    case .weekBefore: phrases.weekBefore()
    case .command: "pfctl route optimize"
    case .option: "--map"
    case .rule: "Mon,Thu"
    case .column: "service_day"
    case .otherColumn: "address"
    case .columns: "customer_name, address"
    case .heading: "Client"
    case .file: "customers.csv"
    case .archiveFile: "pools.json"
    case .photoFile: "photos/4.jpg"
    case .photoFormat: "HEIC"
    case .size: "\(numerals.text(7.5, places: 1)) MiB"
    case .otherSize: "\(numerals.text(5)) MiB"
    case .reason: phrases.fileNoColumn("customer_name")
    case .record: "4"
    case .records: "visit 4, pool 12"
    case .table: "visits.json"
    case .currency: "USD"
    case .otherCurrency: "EUR"
    case .reservedName: "office"
    case .otherReservedName: "everybody"
    case .part: localizer.say(phrases.archiveLosesVisits, 2)
    case .otherPart: localizer.say(phrases.archiveLosesPools, 2)
    }
  }

  private func time(_ hour: Int) -> String { localizer.format.time(TimeOfDay(secondOfDay: hour * 3_600) ?? .midnight) }
}
