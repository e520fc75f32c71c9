internal import PoolControl
internal import FlowCommandKit
internal import FlowControl
internal import FlowModel
internal import FlowNotices

extension TextFormat {
  /// A saturation index as in digests: `+0.15`, `-0.12`, `0.00`; a dash for nil.
  static func index(_ lsi: Double?) -> String { lsi.map { Numerals(.english).signed($0, places: 2) } ?? "-" }

  /// `15,000 gal` in the team's units; always gallons from an older daemon.
  static func volume(of pool: PoolView) -> String {
    pool.volumeText ?? decimal(pool.volumeGallons, places: 0) + " gal"
  }
}
