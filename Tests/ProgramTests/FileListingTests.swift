import Foundation
import PoolPlatform
import Testing

/// What the tests of this target see of folders that a running program writes.
@Suite struct FileListingTests {
  @Test func `a listing has every file that never went, however often others come and go beside it`() throws {
    let scratch = try Scratch()
    let names = ["care.ics", "index.html", "today.html", "week.html"].map { "p/kept/\($0)" }
    for folder in ["www", "www/p", "www/p/kept"] { _ = try scratch.folder(folder) }
    for name in names { try scratch.write("www/\(name)", "first".utf8) }
    let going = try scratch.write("going", [])
    defer { try? FileManager.default.removeItem(atPath: going) }
    // As published pages come and go: folders with files, and a draft's name over the old one.
    let writer = try RunningProgram(
      "/bin/sh",
      [
        "-c",
        """
        cd '\(scratch.path)/www/p'
        while [ -e '\(going)' ]; do
          mkdir one two; echo next >one/index.html; echo next >two/index.html
          echo next >kept/.today.html.new; mv kept/.today.html.new kept/today.html
          rm -r one two
        done
        """,
      ], output: .writing("/dev/null"), errors: "/dev/null")
    try eventually("files are replaced") { try Files.text(scratch.path + "/www/p/kept/today.html") == "next\n" }
    for _ in 0..<3_000 {
      let seen = try Files.tree(scratch.path + "/www")
      #expect(names.allSatisfy { seen[$0] != nil })
    }
    #expect(writer.ending == nil)
  }
}
