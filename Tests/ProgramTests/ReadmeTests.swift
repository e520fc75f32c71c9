import Foundation
import PoolControl
import Testing

extension Programs {
  /// What the README shows works as it is written there.
  @Suite struct ReadmeTests {
    /// The lines of the README's fenced blocks of one language, block by block.
    private func blocks(_ language: String) throws -> [[String]] {
      let text = try String(contentsOfFile: Checkout.root + "/README.md", encoding: .utf8)
      var blocks: [[String]] = []
      var isInside = false
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line == "```\(language)" {
          isInside = true
          blocks.append([])
        } else if line.hasPrefix("```") {
          isInside = false
        } else if isInside {
          blocks[blocks.count - 1].append(String(line))
        }
      }
      return blocks
    }

    @Test func `every command of the tour works, in its order`() throws {
      let daemon = try Daemon(at: "2026-03-02T14:10:00Z", empty: true).start()
      let commands = try blocks("console").joined().filter { $0.hasPrefix("$ ") }.map { String($0.dropFirst(2)) }
      #expect(commands.count >= 15)
      let folder = URL(fileURLWithPath: Checkout.pfctl).deletingLastPathComponent().path
      for command in commands {
        let answer = try Program.run(
          "/bin/sh", ["-c", "cd '\(Checkout.root)' && \(command)"], in: daemon.scratch,
          environment: ["PATH": "\(folder):/usr/bin:/bin", "POOLFLOW_SOCKET": daemon.socket])
        #expect(answer.code == 0, "\(command): \(answer.errors)")
        #expect(!(answer.output + answer.errors).isEmpty, "\(command)")
      }
    }

    @Test func `the two commands are there to be run`() throws {
      let scripts = try blocks("sh").joined().filter { $0.hasPrefix("config/") }
      #expect(Set(scripts) == ["config/demo.sh", "config/test.sh"])
      for script in scripts {
        #expect(FileManager.default.isExecutableFile(atPath: "\(Checkout.root)/\(script)"), "\(script)")
      }
    }

    @Test func `every file that the README names is there`() throws {
      let text = try String(contentsOfFile: Checkout.root + "/README.md", encoding: .utf8)
      let links = text.split(separator: "](").dropFirst().compactMap { $0.split(separator: ")").first }
      for link in links where !link.hasPrefix("http") {
        #expect(FileManager.default.fileExists(atPath: "\(Checkout.root)/\(link)"), "\(link)")
      }
    }

    @Test func `every suite that the README names as a proof is there`() throws {
      let text = try String(contentsOfFile: Checkout.root + "/README.md", encoding: .utf8)
      let named = Set(text.matches(of: /[A-Z][A-Za-z]+Tests\b/).map { String($0.output) })
      let files = try FileManager.default.subpathsOfDirectory(atPath: Checkout.root + "/Tests")
      let parts = files.flatMap { $0.split(separator: "/") }
      let known = Set(parts.map { $0.hasSuffix(".swift") ? String($0.dropLast(6)) : String($0) })
      #expect(!named.isEmpty && named.subtracting(known).isEmpty, "\(named.subtracting(known))")
    }
  }
}
