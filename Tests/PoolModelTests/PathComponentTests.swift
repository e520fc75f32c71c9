import PoolModel
import PoolTestKit
import Testing

/// Names that were made of data stay in the folder they are looked up in.
struct PathComponentTests {
  @Test(arguments: [
    "", ".", "..", "../x", "a/b", "/etc/passwd", ".hidden", "a\0b", "a\nb", "a\u{7F}",
    String(repeating: "a", count: 256),
  ])
  func `a name that could lead out of its folder is refused, and written so that it does not`(name: String) throws {
    #expect(throws: UnsafeName.self) { try PathComponent(name) }
    let written = PathComponent(encoding: name)
    #expect(try PathComponent(written.text) == written)
  }

  @Test(arguments: [
    "desert-blue", "María José.zip", "a b", "-x", "..a".replacing(".", with: "-"), "20260302T021500Z-2",
  ])
  func `an ordinary name is taken as it is`(name: String) throws {
    #expect(try PathComponent(name).text == name)
    #expect(PathComponent(encoding: name).text == name)
  }

  @Test(arguments: ["a b", "é", "-x", ".x", "a/b", ""])
  func `an identity has letters, digits and three marks`(name: String) {
    #expect(throws: UnsafeName.self) { try PathComponent(identity: name) }
  }

  @Test func `whatever the text, the name is safe, no longer than asked for, and its own`() throws {
    var random = SeededNumbers(seed: 18)
    let letters: [Character] = ["/", ".", "%", "a", "é", "\0", "\u{1B}", "2", "F", "👩‍🔧", "\\", " "]
    var texts: [String: String] = [:]
    for _ in 0..<5_000 {
      let text = String(
        (0..<Int.random(in: 0...9, using: &random)).map { _ in
          letters[Int.random(in: 0..<letters.count, using: &random)]
        })
      let name = PathComponent(encoding: text).text
      #expect((try? PathComponent(name)) != nil, "\(text.debugDescription) makes '\(name)'")
      #expect(
        texts[name, default: text] == text, "\(text.debugDescription) and \((texts[name] ?? "").debugDescription)")
      texts[name] = text
      #expect(PathComponent(encoding: text + text + text, longest: 20).text.utf8.count <= 20)
    }
  }
}
