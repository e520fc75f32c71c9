import FlowModel
import FlowTestKit
import StableModel
import Testing

/// Comparison and sorting of horse names.
struct HorseNameTests {
  @Test(arguments: [
    ("Juniper", "juniper"), ("  Old   MAN\tRiver \n", "old man river"), ("", ""), (" \t", ""),
    ("ÄPFEL", "äpfel"), ("Åsa\u{2003}Two", "åsa two"), ("A\u{7F}B", "a\u{7F}b"), ("\u{85}x", "x"),
  ])
  func `names are equal regardless of case and repeated spaces`(name: String, key: String) {
    #expect(HorseName(name).key == key)
  }

  @Test func `the fast path for plain names equals the general comparison`() {
    let parts = ["a", "B", " ", "\t", "\r\n", "Z", "9", "-", "\u{1C}", "\u{B}"]
    for first in parts {
      for second in parts {
        for third in parts {
          let name = first + second + third
          let wanted = name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
          #expect(HorseName(name).key == wanted, "\(name.debugDescription)")
        }
      }
    }
  }

  @Test func `horses are sorted by name, then by id`() {
    let day = CivilDate(year: 2026, month: 3, day: 2)
    let names = ["beta", "Alpha", "álpha", "BETA", "alpha 2"]
    let horses = names.enumerated().map { index, name in
      Horse(id: HorseID(Samples.uuid(index + 1)), name: name, added: day)
    }
    #expect(horses.sortedByName() == horses.sorted(by: Horse.byName))
  }
}
