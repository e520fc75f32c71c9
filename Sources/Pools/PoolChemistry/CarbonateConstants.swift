internal import Glibc

/// Equilibrium constants of the acids in pool water at one temperature, as activities in mol/kg.
///
/// Carbonic acid, water and the calcium pairs are the fits of Plummer and Busenberg, "The solubilities of calcite, aragonite and
/// vaterite in CO₂-H₂O solutions between 0 and 90 °C" (Geochimica et Cosmochimica Acta 46, 1982, 1011–1040, table 1), which
/// Stumm and Morgan, "Aquatic Chemistry" (3rd edition, 1996, chapter 4) use. With T in kelvin, each is
/// `log K = a + b T + c / T + d log T + e / T²`:
///
/// | reaction | a | b | c | d | e | 25 °C |
/// |---|---|---|---|---|---|---|
/// | CO₂ + H₂O = HCO₃⁻ + H⁺ | -356.3094 | -0.06091964 | 21834.37 | 126.8339 | -1684915 | -6.352 |
/// | HCO₃⁻ = CO₃²⁻ + H⁺ | -107.8871 | -0.03252849 | 5151.79 | 38.92561 | -563713.9 | -10.329 |
/// | H₂O = OH⁻ + H⁺ | -283.971 | -0.05069842 | 13323 | 102.24447 | -1119669 | -14.000 |
/// | Ca²⁺ + CO₃²⁻ = CaCO₃ | -1228.732 | -0.299444 | 35512.75 | 485.818 | 0 | 3.224 |
/// | Ca²⁺ + HCO₃⁻ = CaHCO₃⁺ | 1209.120 | 0.31294 | -34765.05 | -478.782 | 0 | 1.106 |
///
/// Boric acid and the sodium pairs have a constant at 25 °C and an enthalpy (Ball and Nordstrom, "User's manual for WATEQ4F",
/// USGS Open-File Report 91-183, 1991), applied with van 't Hoff's equation `log K(T) = log K(T₀) - ΔH / (R ln 10) (1/T - 1/T₀)`.
///
/// Cyanuric acid has pK 6.88, 11.40 and 13.5 at every temperature: O'Brien, Morris and Butler, "Equilibria in aqueous solutions
/// of chlorinated isocyanurate" (in Rubin, "Chemistry of Water Supply, Treatment and Distribution", 1974, 333–358), who measured
/// at 25 °C only; no constants for other temperatures are published (EPA/600/S-17/165, 2017).
///
/// Valid from 0 to 50 °C. PHREEQC's database phreeqc.dat has the same carbonate constants and a newer fit for water; its
/// coefficients of the ion pairs differ, which changes an amount of acid by at most 2 % (tested).
struct CarbonateConstants: Hashable, Sendable {
  /// CO₂ + H₂O = HCO₃⁻ + H⁺, where CO₂ includes carbonic acid.
  let carbonicAcid: Double
  /// HCO₃⁻ = CO₃²⁻ + H⁺.
  let bicarbonate: Double
  /// H₂O = OH⁻ + H⁺.
  let water: Double
  /// Ca²⁺ + CO₃²⁻ = CaCO₃, dissolved.
  let calciumCarbonate: Double
  /// Ca²⁺ + HCO₃⁻ = CaHCO₃⁺.
  let calciumBicarbonate: Double
  /// Na⁺ + CO₃²⁻ = NaCO₃⁻.
  let sodiumCarbonate: Double
  /// Na⁺ + HCO₃⁻ = NaHCO₃, dissolved.
  let sodiumBicarbonate: Double
  /// H₃BO₃ + H₂O = B(OH)₄⁻ + H⁺.
  let boricAcid: Double
  /// H₃Cy = H₂Cy⁻ + H⁺, where Cy is the cyanurate ion C₃N₃O₃³⁻.
  let cyanuricAcid: Double
  /// H₂Cy⁻ = HCy²⁻ + H⁺.
  let cyanurate: Double
  /// HCy²⁻ = Cy³⁻ + H⁺.
  let hydrogenCyanurate: Double

  /// - Parameter kelvin: temperature.
  init(kelvin: Double) {
    func fit(_ a: Double, _ b: Double, _ c: Double, _ d: Double, _ e: Double = 0) -> Double {
      pow(10, a + b * kelvin + c / kelvin + d * log10(kelvin) + e / (kelvin * kelvin))
    }
    /// - Parameter enthalpy: kilocalories per mole.
    func vanTHoff(_ logarithm: Double, enthalpy: Double) -> Double {
      pow(10, logarithm - enthalpy * 4_184 / (8.314462618 * log(10)) * (1 / kelvin - 1 / 298.15))
    }
    carbonicAcid = fit(-356.3094, -0.06091964, 21_834.37, 126.8339, -1_684_915)
    bicarbonate = fit(-107.8871, -0.03252849, 5_151.79, 38.92561, -563_713.9)
    water = fit(-283.971, -0.05069842, 13_323, 102.24447, -1_119_669)
    calciumCarbonate = fit(-1_228.732, -0.299444, 35_512.75, 485.818)
    calciumBicarbonate = fit(1_209.120, 0.31294, -34_765.05, -478.782)
    sodiumCarbonate = vanTHoff(1.27, enthalpy: 8.91)
    sodiumBicarbonate = vanTHoff(-0.25, enthalpy: -1)
    boricAcid = vanTHoff(-9.24, enthalpy: 3.224)
    cyanuricAcid = pow(10, -6.88)
    cyanurate = pow(10, -11.40)
    hydrogenCyanurate = pow(10, -13.5)
  }
}

/// Activity coefficients of the ions in water of one ionic strength and temperature.
///
/// The extended Debye–Hückel equation of Truesdell and Jones, "WATEQ, a computer program for calculating chemical equilibria of
/// natural waters" (Journal of Research of the USGS 2, 1974, 233–248): `log γ = -A z² √I / (1 + B å √I) + b I`, with the ion sizes
/// of Plummer and Busenberg for the carbonate ions. Ions without a size follow Davies (Stumm and Morgan, table 3.3):
/// `log γ = -A z² (√I / (1 + √I) - 0.3 I)`; uncharged species have `log γ = 0.1 I`. `A = 1.82483·10⁶ (ε T)^-1.5` and
/// `B = 50.2916 (ε T)^-0.5` with the dielectric constant `ε = 60954 / (T + 116) - 68.937`.
///
/// Valid to an ionic strength of about 0.5 mol/kg. Example: at 25 °C and 0.02 mol/kg bicarbonate has 0.875.
struct IonActivities: Hashable, Sendable {
  let bicarbonate: Double
  let carbonate: Double
  let calcium: Double
  let sodium: Double
  let calciumBicarbonate: Double
  let hydroxide: Double
  let hydrogen: Double
  /// Any other ion with one charge, two or three.
  let monovalent: Double
  let divalent: Double
  let trivalent: Double
  let uncharged: Double

  /// - Parameter ionicStrength: mol/kg.
  init(ionicStrength: Double, kelvin: Double) {
    let dielectric = 60_954 / (kelvin + 116) - 68.937
    let a = 1.82483e6 * pow(dielectric * kelvin, -1.5)
    let b = 50.2916 / (dielectric * kelvin).squareRoot()
    let root = ionicStrength.squareRoot()
    func sized(_ charge: Double, _ angstroms: Double, _ slope: Double = 0) -> Double {
      pow(10, -a * charge * charge * root / (1 + b * angstroms * root) + slope * ionicStrength)
    }
    func davies(_ charge: Double) -> Double {
      pow(10, -a * charge * charge * (root / (1 + root) - 0.3 * ionicStrength))
    }
    bicarbonate = sized(1, 5.4)
    carbonate = sized(2, 5.4)
    calcium = sized(2, 5, 0.165)
    sodium = sized(1, 4.08, 0.082)
    calciumBicarbonate = sized(1, 6)
    hydroxide = sized(1, 3.5)
    hydrogen = sized(1, 9)
    monovalent = davies(1)
    divalent = davies(2)
    trivalent = davies(3)
    uncharged = pow(10, 0.1 * ionicStrength)
  }
}
