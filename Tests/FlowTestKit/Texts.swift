/// Unusual texts and numbers.
package enum Texts {
  /// Random Unicode scalars, with a preference for troublesome ones.
  package static func any(upTo length: Int, using random: inout some RandomNumberGenerator) -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...length, using: &random) {
      let value: UInt32 =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .random(in: 0...0x1F, using: &random)
        case 1: .random(in: 0x7F...0xFF, using: &random)
        case 2: .random(in: 0x300...0x36F, using: &random)
        case 3: [0x22, 0x5C, 0x2F, 0x0D, 0x0A, 0x2028, 0x202E, 0xFEFF, 0xFFFF].randomElement(using: &random) ?? 0
        case 4: .random(in: 0...0x10FFFF, using: &random)
        default: .random(in: 0x20...0x7E, using: &random)
        }
      if let scalar = Unicode.Scalar(value) { text.append(scalar) }
    }
    return String(text)
  }

  /// C0, DEL and C1, except tab and line breaks.
  package static func isLeftOut(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control && ![0x09, 0x0A, 0x0D].contains(scalar.value)
  }

  /// Any finite number, extreme or ordinary.
  package static func number(using random: inout some RandomNumberGenerator) -> Double {
    let number: Double =
      switch Int.random(in: 0..<4, using: &random) {
      case 0: Double(bitPattern: .random(in: 0 ... .max, using: &random))
      case 1:
        [.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, 1e308, 1e-308, 1e15, 1e53]
          .randomElement(using: &random) ?? 0
      default: (Double.random(in: -1_000...1_000, using: &random) * 100).rounded() / 100
      }
    return number.isFinite ? number : 0
  }
}
