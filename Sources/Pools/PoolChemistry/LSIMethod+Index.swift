package import FlowModel
package import PoolModel

extension LSIMethod {
  /// The total alkalinity without the stabiliser, in parts per million and at least 0.
  ///
  /// Example: alkalinity 100 and stabiliser 90 ppm at pH 7.2 have 70 ppm by the app's rule and 75.7 ppm corrected by the pH.
  func carbonateAlkalinity(pH: Double, totalAlkalinity: Double, cyanuricAcid: Double) -> Double {
    let carbonate =
      switch self {
      case .app: totalAlkalinity - cyanuricAcid / 3
      case .phCorrected: totalAlkalinity - cyanuricAcid * FactorTable.stabiliser.factor(of: pH)
      }
    return carbonate > 0 ? carbonate : 0
  }

  /// The index of a visit, from the one that the app stores with it: only the term of the alkalinity depends on the method.
  ///
  /// - Parameter stored: the index by the app's rule.
  package func lsi(stored: Double, pH: Double, totalAlkalinity: Double, cyanuricAcid: Double) -> Double {
    guard self != .app else { return stored }
    func term(_ method: LSIMethod) -> Double {
      FactorTable.alkalinity.factor(
        of: method.carbonateAlkalinity(pH: pH, totalAlkalinity: totalAlkalinity, cyanuricAcid: cyanuricAcid))
    }
    return stored - term(.app) + term(self)
  }
}

extension FactorTable {
  /// The part of the cyanuric acid that is alkalinity, by pH; constant below 7.0 and above 8.0, because the table ends there.
  ///
  /// Source: Wojtowicz, "Swimming pool water balance, part 1: The effect of cyanuric acid and other interferences on carbonate
  /// alkalinity measurement" (Journal of the Swimming Pool and Spa Industry 1, 1995, 7–13), as the table of Taylor Technologies,
  /// "Pool & Spa Water Chemistry" (2019), and of the PHTA's Certified Pool Operator Handbook.
  static let stabiliser = FactorTable([
    (7.0, 0.23), (7.2, 0.27), (7.4, 0.31), (7.6, 0.33), (7.8, 0.35), (8.0, 0.36),
  ])
}

extension ServiceEvent {
  /// The saturation index of the visit; nil if too little was measured.
  package func lsi(by method: LSIMethod) -> Double? {
    guard hasIndex else { return nil }
    return method.lsi(
      stored: lsiValue, pH: readings.pH, totalAlkalinity: readings.totalAlkalinity, cyanuricAcid: readings.cyanuricAcid)
  }
}

extension MeasuredWater {
  /// The saturation index; nil if the pH was never measured.
  package func lsi(by method: LSIMethod) -> Double? { hasIndex ? LSIResult(readings, by: method).lsiValue : nil }
}
