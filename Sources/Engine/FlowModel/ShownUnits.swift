/// The units of a displayed figure: the team's own, followed by the other system's in parentheses if the team wants both.
///
/// Source: PoolFlow feature inventory, 11.3 "Show Both Units Toggle".
package struct ShownUnits: Hashable, Sendable {
  package let own: UnitSystem
  package let isBoth: Bool

  package init(_ own: UnitSystem, isBoth: Bool = false) {
    self.own = own
    self.isBoth = isBoth
  }

  /// `13,209 gal`, or `13,209 gal (50,001 L)`. A text that is equal in both systems, such as `0`, is written once.
  ///
  /// - Parameter figure: formats the figure in one system.
  package func text(_ figure: (UnitSystem) -> String) -> String {
    let text = figure(own)
    guard isBoth else { return text }
    let other = figure(own.other)
    return other == text ? text : "\(text) (\(other))"
  }
}

extension UnitSystem {
  package var other: UnitSystem {
    switch self {
    case .imperial: .metric
    case .metric: .imperial
    }
  }
}
