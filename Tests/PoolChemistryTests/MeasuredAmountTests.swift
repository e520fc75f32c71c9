import FlowModel
import PoolChemistry
import Testing

/// Advised amounts, rounded as people measure them.
struct MeasuredAmountTests {
  @Test(arguments: [
    (0.0, ChemicalType.acid, false, "\u{2014}"), (0.2, .acid, false, "1 fl oz"), (6.6, .acid, false, "7 fl oz"),
    (13, .acid, false, "14 fl oz"), (19, .acid, false, "20 fl oz"), (31, .acid, false, "32 fl oz"),
    (114, .acid, false, "112 fl oz"),
    (123, .acid, false, "120 fl oz"), (124, .acid, false, "1 gal"), (167, .acid, false, "1.25 gal"),
    (190, .chlorine, false, "1.5 gal"), (5_000, .chlorine, false, "39 gal"), (19, .chlorine, true, "1 lb 3 oz"),
    (15.6, .base, false, "1 lb"), (40, .base, false, "2 lb 8 oz"), (7.4, .calcium, false, "7 oz"),
    (0.1, .base, false, "1 oz"), (93, .alkalinity, false, "5 lb 12 oz"),
  ])
  func `an amount by kind is rounded to gallons, cups, pounds and ounces`(
    ounces: Double, type: ChemicalType, isDry: Bool, text: String
  ) {
    #expect(QuantityText.measured(ounces: ounces, of: type, in: .imperial, doses: .byKind, isDry: isDry) == text)
  }

  @Test(arguments: [1.0, 13, 26, 114, 167, 1_000])
  func `the app's and metric amounts stay as they are`(ounces: Double) {
    for type in [ChemicalType.acid, .base] {
      for (units, doses) in [(UnitSystem.imperial, DoseUnits.app), (.metric, .app), (.metric, .byKind)] {
        #expect(
          QuantityText.measured(ounces: ounces, of: type, in: units, doses: doses)
            == QuantityText.text(ounces: ounces, of: type, in: units, doses: doses))
      }
    }
  }

  @Test func `rounding changes an amount by at most a seventh, or half an ounce`() {
    for ounces in stride(from: 1.0, through: 2_000, by: 0.5) {
      let text = QuantityText.measured(ounces: ounces, of: .acid, in: .imperial, doses: .byKind)
      let number = Double(text.prefix { $0 != " " }) ?? 0
      let shown = text.hasSuffix("gal") ? number * 128 : number
      #expect(abs(shown - ounces) <= max(0.5, ounces / 7), "\(ounces): \(text)")
    }
  }

  @Test func `a rounded amount is shown as the amount that it was rounded from`() {
    for ounces in stride(from: 0.5, through: 2_000, by: 0.5) {
      for (type, units, doses) in [
        (ChemicalType.acid, UnitSystem.imperial, DoseUnits.byKind), (.base, .imperial, .byKind),
        (.acid, .metric, .byKind),
      ] {
        func text(_ ounces: Double) -> String {
          QuantityText.measured(ounces: ounces, of: type, in: units, doses: doses)
        }
        let shown = QuantityText.measuredAmount(ounces: ounces, of: type, in: units, doses: doses)
        #expect(text(shown) == text(ounces), "\(ounces) \(type) \(units)")
      }
    }
    // 205 oz are poured as 12 lb 12 oz, which are 5.78 kg; 206 oz as 13 lb, 5.90 kg.
    #expect(QuantityText.measuredAmount(ounces: 206, of: .base, in: .imperial, doses: .byKind) == 208)
  }
}
