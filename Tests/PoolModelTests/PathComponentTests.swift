import PoolModel
import PoolTestKit
import Testing

/// File names made from data stay inside their folder.
struct PathComponentTests {
  @Test(arguments: [
    "", ".", "..", "../x", "a/b", "/etc/passwd", ".hidden", "a\0b", "a\nb", "a\u{7F}",
    String(repeating: "a", count: 256),
  ])
  func `a name that could leave its folder is refused, and encoded safely`(name: String) throws {
    #expect(throws: UnsafeName.self) { try PathComponent(name) }
    let written = PathComponent(encoding: name)
    #expect(try PathComponent(written.text) == written)
  }

  @Test(arguments: [
    "desert-blue", "María José.zip", "a b", "-x", "..a".replacing(".", with: "-"), "20260302T021500Z-2",
  ])
  func `an ordinary name is unchanged`(name: String) throws {
    #expect(try PathComponent(name).text == name)
    #expect(PathComponent(encoding: name).text == name)
  }

  @Test(arguments: ["a b", "é", "-x", ".x", "a/b", ""])
  func `an identity consists of letters, digits and three punctuation characters`(name: String) {
    #expect(throws: UnsafeName.self) { try PathComponent(identity: name) }
  }

  @Test func `an encoded name is safe, limited in length and unique for any text`() throws {
    var random = SeededNumbers(seed: 18)
    let characters: [Character] = ["/", ".", "%", "a", "é", "\0", "\u{1B}", "2", "F", "👩‍🔧", "\\", " "]
    var texts: [String: String] = [:]
    for _ in 0..<5_000 {
      let text = String(
        (0..<Int.random(in: 0...9, using: &random)).map { _ in
          characters[Int.random(in: 0..<characters.count, using: &random)]
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
