package import PoolChemistry

extension EquilibriumView {
  /// The equilibrium's part in a recommendation; nil if it does not change the pH.
  package init?(_ one: DoseRecommendation, notes: [String]) {
    switch one.equilibrium {
    case nil: return nil
    case .dose(let comparison):
      let carbonate = comparison.carbonate
      self.init(
        ruleOunces: comparison.ruleOz, equilibriumOunces: carbonate.quantityOz, excessive: comparison.isExcessive,
        startOunces: comparison.firstDoseOz, alkalinityAfter: carbonate.totalAlkalinity,
        assumed: carbonate.assumed.map(\.rawValue), notes: notes)
    case .fault(let fault):
      self.init(
        ruleOunces: one.quantityOz, excessive: false, assumed: [], fault: fault.kind.rawValue,
        faultReading: fault.reading?.rawValue, notes: notes)
    }
  }
}
