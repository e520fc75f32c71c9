import FlowPlatform
import Foundation
import Testing

/// The tests' own folder listing, while another program changes the folder.
@Suite struct FileListingTests {
  @Test func `a listing has every permanent file while others come and go`() throws {
    let scratch = try Scratch()
    let names = ["care.ics", "index.html", "today.html", "week.html"].map { "p/kept/\($0)" }
    for folder in ["www", "www/p", "www/p/kept"] { _ = try scratch.folder(folder) }
    for name in names { try scratch.write("www/\(name)", "first".utf8) }
    let going = try scratch.write("going", [])
    defer { try? FileManager.default.removeItem(atPath: going) }
    // Changes the folder as publishing does: folders with files come and go, and a new file is renamed over an old one.
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
