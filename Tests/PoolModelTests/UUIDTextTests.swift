import Foundation
import PoolModel
import Testing

struct UUIDTextTests {
  private static let text = "01234567-89AB-CDEF-0123-456789ABCDEF"

  @Test func `texts are Foundation's, and read back in any case`() throws {
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

  @Test func `any other byte at any place is refused`() throws {
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
}
