import FlowModel
import Foundation
import Glibc
import PoolChemistry
import PoolModel

/// Measures the saturation index of many pools: the kernel, the plain function, and numpy if installed.
func benchWater() { WaterBench.run() }

private enum WaterBench {
  /// The pools of one pass: their columns fit into the second-level cache, as a refresh's blocks do.
  private static let pools = 4_096
  /// Million pools a second on the reference machine, where numpy reaches 17 and the plain function 28.
  private static let promised = 100.0

  static func run() {
    var random = SystemRandomNumberGenerator()
    let waters = (0..<pools).map { _ in
      WaterReadings(
        pH: .random(in: 6.8...8.2, using: &random), waterTempF: .random(in: 32...105, using: &random),
        calciumHardness: .random(in: 5...1_000, using: &random), totalAlkalinity: .random(in: 0...400, using: &random),
        cyanuricAcid: .random(in: 0...150, using: &random), totalDissolvedSolids: .random(in: 0...5_000, using: &random)
      )
    }
    var columns = WaterColumns(capacity: pools)
    for water in waters { columns.append(water) }
    var result = [Double](repeating: 0, count: pools)
    let kernel = BalanceKernel()
    // Thread time excludes other load. Both run in every round, under the same conditions.
    var fast: [Double] = []
    var plain: [Double] = []
    for _ in 0..<15 {
      fast.append(rate(passes: 2_000) { kernel.lsi(of: columns, into: &result) })
      plain.append(
        rate(passes: 100) { for index in waters.indices { result[index] = LSIResult(waters[index]).lsiValue } })
    }
    print("LSI of \(pools) pools in columns, one thread, medians of 15:")
    figureLine("kernel, million pools/s", fast)
    figureLine("plain function, million pools/s", plain, .baseline)
    figureLine(
      "kernel, times as fast as the plain function", zip(fast, plain).map { $0 / $1 }, .atLeast(promised / 28))
    guard let numpy = numpyRate() else {
      return notMeasured("kernel, times as fast as numpy", "python3 with numpy is missing")
    }
    figureLine("numpy interp, million pools/s", [numpy], .baseline)
    figureLine("kernel, times as fast as numpy", ratios(fast, to: [numpy]), .atLeast(promised / 17))
  }

  /// Million pools per second of this thread's CPU time.
  private static func rate(passes: Int, _ body: () -> Void) -> Double {
    let start = threadSeconds()
    for _ in 0..<passes { body() }
    return Double(passes * pools) / (threadSeconds() - start) / 1e6
  }

  private static func threadSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The same arithmetic with `numpy.interp` on columns of the same length.
  private static func numpyRate() -> Double? {
    func points(_ table: FactorTable) -> String { "(\(table.starts), \(table.factors))" }
    let script = """
      import numpy as np, time
      n = \(pools)
      r = np.random.default_rng(1)
      t, c, a, d = \(points(.temperature)), \(points(.calcium)), \(points(.alkalinity)), \(points(.dissolvedSolids))
      ph, te, ca = r.uniform(6.8, 8.2, n), r.uniform(32, 105, n), r.uniform(5, 1000, n)
      ta, cy, td = r.uniform(0, 400, n), r.uniform(0, 150, n), r.uniform(0, 5000, n)
      rates = []
      for _ in range(15):
        s = time.thread_time()
        for _ in range(200):
          ph + np.interp(te, *t) + np.interp(ca, *c) + np.interp(np.maximum(ta - cy / 3, 0), *a) - np.interp(td, *d)
        rates.append(200 * n / (time.thread_time() - s) / 1e6)
      print(sorted(rates)[7])
      """
    return pythonNumber(["-c", script])
  }
}
