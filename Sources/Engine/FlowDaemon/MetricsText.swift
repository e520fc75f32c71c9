import FlowModel

/// Builds metrics in Prometheus text format 0.0.4: `HELP` and `TYPE` lines, then one line a series.
struct MetricsText {
  private(set) var text = ""

  /// Adds a metric of type gauge.
  ///
  /// - Parameter series: labels and value of each; a metric without series is omitted.
  mutating func gauge(_ name: String, _ help: String, _ series: [(labels: [(String, String)], value: Double)]) {
    guard !series.isEmpty else { return }
    text += "# HELP poolflow_\(name) \(help)\n# TYPE poolflow_\(name) gauge\n"
    for (labels, value) in series {
      let list = labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",")
      text += "poolflow_\(name)\(list.isEmpty ? "" : "{\(list)}") \(Self.number(value))\n"
    }
  }

  mutating func gauge(_ name: String, _ help: String, _ value: Double?) {
    gauge(name, help, value.map { [(labels: [], value: $0)] } ?? [])
  }

  private static func escaped(_ label: String) -> String {
    label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }

  /// A whole number without a decimal point.
  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }
}
