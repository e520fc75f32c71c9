package import FlowModel

extension Trade {
  package static let apiary = Trade(rawValue: "apiary")
}

/// A hive with the local date of its next inspection. Its name is unique in its team.
package struct Hive: Hashable, Sendable {
  package let name: String
  package let inspection: CivilDate

  package init(name: String, inspection: CivilDate) { (self.name, self.inspection) = (name, inspection) }
}

/// A list of hives as CSV: the line `name,inspection`, then a line such as `Linden,2026-03-02` for each hive. A team's archive
/// has the same form.
package enum HiveList {
  private static let header = "name,inspection"

  /// The first invalid line; the list is refused.
  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  package static func text(_ hives: [Hive]) -> String {
    ([header] + hives.map { "\($0.name),\($0.inspection)" }).joined(separator: "\n") + "\n"
  }

  package static func read(_ bytes: [UInt8]) throws(Fault) -> [Hive] {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    guard lines.first == header[...] else { throw Fault(description: "line 1 is not '\(header)'") }
    var hives: [Hive] = []
    var names: Set<String> = []
    for (index, line) in lines.enumerated().dropFirst() {
      let cells = line.split(separator: ",", omittingEmptySubsequences: false)
      guard cells.count == 2, let date = CivilDate(cells[1]), !cells[0].isEmpty,
        TextRule.name.fault(in: String(cells[0])) == nil, names.insert(String(cells[0])).inserted
      else { throw Fault(description: "line \(index + 1) is no new name with a date such as 2026-03-02") }
      hives.append(Hive(name: String(cells[0]), inspection: date))
    }
    return hives
  }
}
