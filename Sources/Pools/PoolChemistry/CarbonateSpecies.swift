internal import Glibc

/// The dissolved substances whose amounts a change of pH does not alter, in mol/L.
struct DissolvedSubstances: Hashable, Sendable {
  let calcium: Double
  let sodium: Double
  let cyanurate: Double
  let borate: Double
}

/// The species of carbonate in one water at one pH, as functions of the activity u of bicarbonate.
///
/// `[HCO₃⁻] = u / γ₁`, `[CO₃²⁻] = u K₂ / (h γ₂)`, `[CO₂] = u h / (K₁ γ₀)` with `h = 10^-pH`. A metal M of total amount m forms pairs
/// with carbonate and bicarbonate in proportion to its free amount: `[M] = m / (1 + u (p + q))`, `[MCO₃] = [M] u p`,
/// `[MHCO₃] = [M] u q`.
struct CarbonateSpecies: Hashable, Sendable {
  /// A number for each kind of species: those with bicarbonate, those with carbonate, and dissolved CO₂.
  struct PerSpecies: Hashable, Sendable {
    let bicarbonate: Double
    let carbonate: Double
    let dioxide: Double

    static let alkalinity = PerSpecies(bicarbonate: 1, carbonate: 2, dioxide: 0)
    static let inorganicCarbon = PerSpecies(bicarbonate: 1, carbonate: 1, dioxide: 1)
    /// Twice the inorganic carbon less the alkalinity, which sodium carbonate does not change.
    static let invariantOfSodaAsh = PerSpecies(bicarbonate: 1, carbonate: 0, dioxide: 2)
  }

  /// Pairs of one metal, per activity of bicarbonate and amount of the free metal.
  private struct Pairs: Hashable, Sendable {
    /// mol/L.
    let metal: Double
    let carbonate: Double
    let bicarbonate: Double
  }

  /// Free species in mol/L per activity of bicarbonate.
  private let free: PerSpecies
  private let pairs: [Pairs]
  /// Alkalinity of cyanurate, borate and hydroxide less hydrogen ions, in eq/L.
  let otherAlkalinity: Double

  init(pH: Double, _ constants: CarbonateConstants, _ activities: IonActivities, _ substances: DissolvedSubstances) {
    let hydrogen = pow(10, -pH)
    /// Activity of carbonate per activity of bicarbonate.
    let carbonate = constants.bicarbonate / hydrogen
    free = PerSpecies(
      bicarbonate: 1 / activities.bicarbonate, carbonate: carbonate / activities.carbonate,
      dioxide: hydrogen / (constants.carbonicAcid * activities.uncharged))
    pairs = [
      Pairs(
        metal: substances.calcium,
        carbonate: constants.calciumCarbonate * activities.calcium * carbonate / activities.uncharged,
        bicarbonate: constants.calciumBicarbonate * activities.calcium / activities.calciumBicarbonate),
      Pairs(
        metal: substances.sodium,
        carbonate: constants.sodiumCarbonate * activities.sodium * carbonate / activities.monovalent,
        bicarbonate: constants.sodiumBicarbonate * activities.sodium / activities.uncharged),
    ]
    // Concentrations relative to the uncharged acid.
    let neutral = activities.uncharged
    let first = constants.cyanuricAcid / hydrogen * neutral
    let second = first * constants.cyanurate / hydrogen
    let third = second * constants.hydrogenCyanurate / hydrogen
    let ions = (
      first / activities.monovalent, second / activities.divalent, third / activities.trivalent
    )
    let cyanurate = (ions.0 + 2 * ions.1 + 3 * ions.2) / (1 + ions.0 + ions.1 + ions.2) * substances.cyanurate
    let borate = constants.boricAcid / hydrogen * neutral / activities.monovalent
    otherAlkalinity =
      cyanurate + borate / (1 + borate) * substances.borate
      + constants.water / (hydrogen * activities.hydroxide) - hydrogen / activities.hydrogen
  }

  /// The weighted sum of the carbonate species in mol/L or eq/L, and its slope.
  private func sum(_ weights: PerSpecies, activity: Double) -> (value: Double, slope: Double) {
    let perActivity =
      free.bicarbonate * weights.bicarbonate + free.carbonate * weights.carbonate + free.dioxide * weights.dioxide
    var value = activity * perActivity
    var slope = perActivity
    for pair in pairs {
      let bound = pair.carbonate * weights.carbonate + pair.bicarbonate * weights.bicarbonate
      let share = 1 + activity * (pair.carbonate + pair.bicarbonate)
      value += pair.metal * activity * bound / share
      slope += pair.metal * bound / (share * share)
    }
    return (value, slope)
  }

  func sum(_ weights: PerSpecies, activity: Double) -> Double { sum(weights, activity: activity).value }

  /// The activity of bicarbonate at which the weighted sum of the carbonate species is `wanted`.
  ///
  /// The sum grows with the activity, and ever more slowly. Newton's method from 0 therefore never passes the solution.
  func activity(for wanted: Double, _ weights: PerSpecies) -> Double {
    var activity = 0.0
    for _ in 0..<Self.mostSteps {
      let (value, slope) = sum(weights, activity: activity)
      let step = (wanted - value) / slope
      guard step > activity * Self.accuracy else { break }
      activity += step
    }
    return activity
  }

  /// Five or six steps are usual; each doubles the exact digits.
  private static let mostSteps = 50
  private static let accuracy = 1e-14
}
