package import FlowModel
package import PoolChemistry

extension MorningDigest.Dose {
  /// The part of the carbonate equilibrium in a dose for the pH.
  package struct Equilibrium: Hashable, Sendable, Decodable {
    /// With the app's rule: the ounces to start with, because the rule's amount is excessive; otherwise nil.
    package let startOz: Double?
    /// With the equilibrium: the rule's ounces; otherwise nil.
    package let ruleOz: Double?
    /// The readings that the equilibrium assumed; nil for none.
    package let assumed: [CarbonateWater.Reading]?
    /// With the equilibrium: the reason why the amount is the rule's; otherwise nil.
    package let fault: Fault?

    enum CodingKeys: String, CodingKey {
      case assumed, fault
      case startOz = "start_oz"
      case ruleOz = "rule_oz"
    }

    /// Nil if the amount is the rule's and there is nothing to say about it.
    init?(_ answer: EquilibriumDose, for method: DosingMethod) {
      switch (method, answer) {
      case (.app, .dose(let comparison)):
        guard comparison.isExcessive else { return nil }
        self.init(comparison, startOz: comparison.firstDoseOz)
      case (.carbonate, .dose(let comparison)): self.init(comparison, ruleOz: comparison.ruleOz)
      case (.app, .fault): return nil
      case (.carbonate, .fault(let fault)): self.init(startOz: nil, ruleOz: nil, assumed: nil, fault: Fault(fault))
      }
    }

    private init(_ comparison: DoseComparison, startOz: Double? = nil, ruleOz: Double? = nil) {
      let assumed = comparison.carbonate.assumed
      self.init(startOz: startOz, ruleOz: ruleOz, assumed: assumed.isEmpty ? nil : assumed, fault: nil)
    }

    private init(startOz: Double?, ruleOz: Double?, assumed: [CarbonateWater.Reading]?, fault: Fault?) {
      self.startOz = startOz
      self.ruleOz = ruleOz
      self.assumed = assumed
      self.fault = fault
    }
  }

  /// A `CarbonateFault` as stored with a digest.
  package struct Fault: Hashable, Sendable, Decodable {
    package let kind: CarbonateFault.Kind
    /// The reading concerned; nil for a contradiction of several.
    package let reading: CarbonateWater.Reading?
    /// The reading's value, if it is out of range.
    package let value: Double?

    init(_ fault: CarbonateFault) {
      kind = fault.kind
      reading = fault.reading
      value = fault.value
    }
  }
}

extension MorningDigest.Dose.Equilibrium: JSONWritable {
  package func members(_ json: inout JSONText) {
    if let assumed { json.member("assumed", assumed.map(\.rawValue)) }
    if let fault { json.member("fault", fault) }
    if let ruleOz { json.member("rule_oz", ruleOz) }
    if let startOz { json.member("start_oz", startOz) }
  }
}

extension MorningDigest.Dose.Fault: JSONWritable {
  package func members(_ json: inout JSONText) {
    json.member("kind", kind.rawValue)
    if let reading { json.member("reading", reading.rawValue) }
    if let value { json.member("value", value) }
  }
}
