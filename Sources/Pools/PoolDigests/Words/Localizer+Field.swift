package import FlowModel
import FlowNotices
package import PoolChemistry
package import PoolModel

// Texts about field work: advice, prices, and readings outside their range.
extension Localizer {
  /// For text that belongs to no team: English and US dollars.
  package static func english(_ units: UnitSystem) -> Localizer {
    Localizer(RegionalFormat(language: .english, units: units, clock: .automatic, currency: .usDollar), doses: .app)
  }

  package func money(_ amount: Double) -> String { format.money(amount) }

  /// `$0.05/oz`; for a metric team the price per kilogram or litre.
  package func price(perOunce cost: Double, of type: ChemicalType, isDry: Bool) -> String {
    format.shownUnits.text { units in
      switch units {
      case .imperial:
        let isWhole = (cost * 100).rounded() / 100 == cost
        return format.money(cost, places: isWhole ? 2 : 3) + "/oz"
      case .metric:
        let isLiquid = type.isLiquid && !isDry
        return format.money(UnitConversion.costPerKilogramOrLiter(perOunce: cost, isLiquid: isLiquid))
          + (isLiquid ? "/L" : "/kg")
      }
    }
  }

  /// A recommendation as a sentence. In English it is the app's own text where the app has one (golden file `dosing.json`).
  package func advice(_ one: DoseRecommendation) -> String {
    let amount = quantity(ounces: one.quantityOz, of: one.chemicalType, isDry: one.isDry)
    // A product of the stock keeps its own spelling.
    let name = one.chlorine?.item == nil ? inSentence(chemical(of: one)) : chemical(of: one)
    func toTarget(_ reading: String, places: Int = 0, unit: String = "\u{A0}ppm") -> String {
      phrases.addTo(amount, name, reading, numerals.text(one.target ?? 0, places: places) + unit)
    }
    switch one.kind {
    case .volumeRequired: return phrases.volumeRequired()
    case .balanced: return phrases.waterBalanced()
    case .drain: return phrases.calciumTooHigh(decimalText(one.measured ?? 0, places: 0))
    case .nudge: return one.chemicalType == .acid ? phrases.nudgeDown(amount, name) : phrases.nudgeUp(amount, name)
    case .raisePH, .lowerPH: return toTarget("pH", places: 1, unit: "") + "."
    case .raiseTA: return toTarget(phrases.totalAlkalinity()) + "."
    case .lowerTA: return toTarget(phrases.totalAlkalinity()) + ", \(phrases.thenAerate())."
    case .raiseCH: return toTarget(phrases.calciumHardness()) + "."
    case .raiseFC: return toTarget(phrases.freeChlorine(), places: 1) + "."
    }
  }

  /// A name within a sentence: English and German keep the capital letter, other languages write a small one.
  func inSentence(_ name: String) -> String {
    language == .english || language == .german ? name : name.prefix(1).lowercased() + name.dropFirst()
  }

  /// `29 oz of Muriatic Acid, $1.45, 227 oz left`, for a dose that was added or is planned.
  ///
  /// - Parameters:
  ///   - left: ounces of the item left in stock after the dose; nil if unknown.
  ///   - isPlanned: true before the dose is added; missing stock is then reported.
  ///   - short: ounces that the stock lacks; nil if there is enough.
  package func line(of dose: PlannedDose, left: Double?, short: Double?, isPlanned: Bool) -> String {
    let type = ChemicalType(rawValue: dose.chemicalType) ?? .none
    func stock(_ ounces: Double) -> String { self.stock(ounces: ounces, of: type, isDry: dose.isDry) }
    let amount = quantity(ounces: dose.quantityOz, of: type, isDry: dose.isDry)
    let name = dose.name.isEmpty ? phrases.doseOfNoItem() : dose.name
    let plain = phrases.doseLine(amount, name, money(dose.cost))
    if isPlanned, dose.item == nil { return "\(plain); \(phrases.doseNotInStock())" }
    if isPlanned, let short { return "\(plain); \(phrases.doseStockShort(stock(short)))" }
    return left.map { phrases.doseLineLeft(amount, name, money(dose.cost), stock($0)) } ?? plain
  }

  /// The index and its condition: `LSI 0.62, scale-forming`.
  package func index(of result: LSIResult) -> String {
    phrases.lsiWord(index(result.lsiValue), condition(result.status))
  }

  package func total(_ cost: Double) -> String { phrases.doseTotal(money(cost)) }

  /// The name of the recommended chemical; in English with its trade name, as in the app.
  package func chemical(of one: DoseRecommendation) -> String {
    if let chlorine = one.chlorine, chlorine.item != nil { return chlorine.name }
    return language == .english ? one.chemicalName : chemical(one.chemicalType) ?? one.chemicalName
  }

  /// `pH 7.9 high, Temperature 84 °F, …`: every reading, with a word if it is outside its ideal range. Older readings and
  /// readings that were never taken are listed separately.
  package func water(_ water: MeasuredWater?) -> String {
    water.map { words(of: MorningDigest.Readings($0)) } ?? phrases.noReadings()
  }

  /// The readings of one visit, in the same format.
  package func water(of visit: ServiceEvent) -> String {
    visit.measured.isEmpty
      ? phrases.noReadingsTaken()
      : words(of: MorningDigest.Readings(visit.readings, measured: visit.measured, assumed: visit.assumed))
  }

  /// A warning about a row of a customers file or about its cell in column `field`.
  package func words(of fault: RowFault, field: String) -> String {
    switch fault {
    case .empty: return phrases.rowEmpty(field)
    case .tooLong(let rule, let leavesOutRow):
      let (maxCharacters, bytes) = (numerals.text(rule.maxCharacters), numerals.text(rule.bytes))
      return leavesOutRow
        ? phrases.rowTooLong(field, maxCharacters, bytes) : phrases.cellTooLong(field, maxCharacters, bytes)
    case .tooLongTogether(let rule):
      return phrases.cellTooLongTogether(field, numerals.text(rule.maxCharacters), numerals.text(rule.bytes))
    case .controlCharacters: return phrases.cellControls(field)
    case .noFee: return phrases.cellNoFee(field)
    case .noVolume: return phrases.cellNoVolume(field)
    case .noWeekday: return phrases.cellNoWeekday(field)
    case .noDegrees(let range):
      return phrases.cellNoDegrees(field, numerals.text(range.lowerBound), numerals.text(range.upperBound))
    case .noNumber(let range):
      return phrases.cellNoNumber(field, numerals.text(range.lowerBound), numerals.text(range.upperBound))
    case .readingsStay: return phrases.cellReadingsStay(field)
    case .noSuchPool: return phrases.rowNoSuchPool()
    case .reservedTechnician: return phrases.cellReservedTechnician(field, Technician.office, Technician.everybody)
    case .ambiguousNumber: return phrases.cellAmbiguous(field)
    case .decidedVolume(let gallons): return phrases.cellReadAs(field, volume(gallons: gallons))
    case .smallVolume(let least): return phrases.cellSmallVolume(field, volume(gallons: least))
    case .tinyVolume(let least): return phrases.cellTinyVolume(field, volume(gallons: least))
    case .feeNotMonthly: return phrases.cellFeeNotMonthly(field)
    case .severalWeekdays(let day): return phrases.cellSeveralDays(field, dateFormats.weekday(day))
    case .weekdayAmongWords(let day), .weekdayOfRule(let day):
      return phrases.cellReadAs(field, dateFormats.weekday(day))
    case .noDay: return phrases.rowNoDay(field)
    case .moreCells: return phrases.rowMoreCells()
    case .repeats(let row): return phrases.rowRepeats(field, String(row))
    case .contradicts(let row, let columns):
      return phrases.rowContradicts(field, String(row), columns.joined(separator: ", "))
    case .anotherBody(let row): return phrases.rowOtherBody(field, String(row))
    case .completesAddress: return phrases.rowCompletesAddress()
    case .frequency(let rule): return phrases.cellReadAs(field, "'\(rule)'")
    case .ruleStays(let rule): return phrases.cellRuleStays(field, rule)
    case .otherFrequency: return phrases.cellOtherFrequency(field)
    case .unknownStatus: return phrases.cellUnknownStatus(field)
    }
  }

  /// A warning about a customers file as a whole.
  package func words(of warning: CSVWarning) -> String {
    switch warning {
    case .unusedColumns(let headings):
      phrases.fileUnusedColumns(headings.map { "'\(TextRule.shown.truncated(visible($0)))'" }.joined(separator: ", "))
    case .noDayColumn(let count): phrases.fileNoDays(numerals.text(count))
    case .inactiveRows(let count): phrases.fileInactive(numerals.text(count))
    case .volumesInLitres: phrases.fileLitres()
    case .volumesInGallons: phrases.fileGallons()
    case .decimalComma: phrases.fileDecimalComma()
    case .otherCurrency(let file, let team): phrases.fileOtherCurrency(file, team.rawValue)
    case .numericDays: phrases.fileNumericDays()
    }
  }

  /// A warning about an archive.
  package func words(of warning: ArchiveWarning) -> String {
    switch warning {
    case .equipmentOfNoPool(let left, let all):
      return phrases.archiveEquipment(numerals.text(left), numerals.text(all))
    case .profileTwice(let pool): return phrases.archiveProfileTwice(pool.description)
    case .profileOfNoPool(let pool): return phrases.archiveProfileAlone(pool.description)
    case .impossibleCoordinates(let pool): return phrases.archivePlace(pool.description)
    case .reservedTechnician(let pool):
      return phrases.archiveReservedTechnician(pool.description, Technician.office, Technician.everybody)
    case .futureVisits(let count, let last): return say(phrases.archiveVisitsAhead, count, last.description)
    case .rulesStay(let count): return say(phrases.archiveRulesStay, count)
    case .sanitiserKept(let count): return say(phrases.archiveSanitiserKept, count)
    case .photoMissing(let visit): return phrases.archivePhotoMissing(visit.description)
    case .countDiffers(let name, let claimed, let found):
      return phrases.archiveCount(numerals.text(claimed), name, numerals.text(found))
    case .photoOfNoVisit(let name): return phrases.archivePhotoAlone(name)
    case .foreign(let name): return phrases.archiveForeign(name)
    case .controlCharacters(let file, let record, let field):
      return phrases.archiveControls(file, numerals.text(record), field)
    case .more(let count): return say(more, count)
    }
  }

  /// Warnings about typed readings that the app's form would have rejected.
  package func doubts(about readings: WaterReadings, typed: Set<WaterParameter>) -> [String] {
    lines(of: MorningDigest.Readings(readings)).compactMap { name, parameter, value, text in
      guard typed.contains(parameter), !parameter.form.contains(value) else { return nil }
      return phrases.beyondForm(
        "\(name) \(text(value))", text(parameter.form.lowerBound), text(parameter.form.upperBound))
    }
  }
}
