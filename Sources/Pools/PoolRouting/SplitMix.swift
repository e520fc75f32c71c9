/// SplitMix64 pseudorandom generator: a seed gives the same numbers on every machine.
///
/// Source: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, figure 17.
package struct SplitMix: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// - Returns: a number in `0..<count`; for counts of route size the multiply-shift bias is below 2⁻³².
  @inline(__always)
  mutating func below(_ count: Int) -> Int {
    Int(truncatingIfNeeded: ((next() >> 32) &* UInt64(count)) >> 32)
  }

  /// - Returns: a number in the half-open range 0 to 1.
  @inline(__always)
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }
}
