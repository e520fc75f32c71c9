import FlowModel
import Foundation
import Testing

struct UUIDTextTests {
  private static let text = "01234567-89AB-CDEF-0123-456789ABCDEF"

  @Test func `UUID texts equal Foundation's, and are read in any case`() throws {
    var seed = SystemRandomNumberGenerator()
    for _ in 1...2_000 {
      let uuid = UUIDText.uuid(high: seed.next(), low: seed.next())
      #expect(UUIDText.text(uuid) == uuid.uuidString)
      #expect(UUIDText.uuid(uuid.uuidString) == uuid && UUIDText.uuid(uuid.uuidString.lowercased()) == uuid)
      var bytes = Array("id ".utf8)
      UUIDText.append(uuid, to: &bytes)
      #expect(bytes == Array("id \(uuid)".utf8))
    }
  }

  @Test func `any other byte at any position is refused`() throws {
    let bytes = Array(Self.text.utf8)
    let digits = Set("0123456789abcdefABCDEF".utf8)
    for place in bytes.indices {
      let isHyphen = bytes[place] == UInt8(ascii: "-")
      for byte in UInt8.min...UInt8.max {
        var other = bytes
        other[place] = byte
        let isFine = isHyphen ? byte == UInt8(ascii: "-") : digits.contains(byte)
        #expect((UUIDText.uuid(other.span) != nil) == isFine, "\(byte) at \(place)")
      }
    }
  }

  @Test(arguments: ["", String(text.dropLast()), text + "0", "{" + text + "}", text.replacing("-", with: "_")])
  func `other lengths and forms are refused`(text: String) {
    #expect(UUIDText.uuid(text) == nil)
  }

  @Test(arguments: [
    ("1b2e", "1B2E"), ("1B2E7F3A-0", "1B2E7F3A-0"), ("1b2", nil), ("1b2g", nil), ("", nil), ("1b2 e", nil),
    ("１b2e", nil),
    (String(repeating: "a", count: 36), String(repeating: "A", count: 36)), (String(repeating: "a", count: 37), nil),
  ]) func `an id prefix has at least four characters, in any case`(text: String, beginning: String?) {
    #expect(IDPrefix(text)?.text == beginning)
  }

  @Test func `a record is found by id, name or a prefix, and a full match wins`() {
    let records = [
      ("1B2E7F3A-0000-4000-8000-000000000001", "Dade County"), ("DADE7F3A-0000-4000-8000-000000000001", "Al"),
      ("1B2E7F3A-0000-4000-8000-000000000002", "Alice"), ("2C2E7F3A-0000-4000-8000-000000000001", "1b2e"),
    ]
    func named(_ text: String) -> [String] {
      IDPrefix.records(text, among: records, id: \.0, name: \.1).map(\.1)
    }
    #expect(named("2c2e") == ["1b2e"] && named(records[2].0.lowercased()) == ["Alice"])
    #expect(
      named("1B2E7F3A") == ["Dade County", "Alice"] && named("1b2e7f3a-0000-4000-8000-000000000002") == ["Alice"])
    // A full name wins over an id prefix and over a longer name.
    #expect(named("1b2e") == ["1b2e"] && named("AL") == ["Al"] && named("ali") == ["Alice"])
    // A common prefix of a name and an id is ambiguous.
    #expect(named("dade") == ["Dade County", "Al"] && named("dade c") == ["Dade County"])
    #expect(named("") == [] && named("1b") == ["1b2e"] && named("zo") == [])
  }
}
