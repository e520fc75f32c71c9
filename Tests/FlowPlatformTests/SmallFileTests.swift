import FlowPlatform
import FlowTestKit
import Glibc
import Testing

struct SmallFileTests {
  @Test func `a small file is read completely or not at all`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/note"
    _ = try PrivateFiles.write(path, Array("0123456789".utf8))
    #expect(SmallFile.text(path) == "0123456789" && SmallFile.text(path, limit: 10) == "0123456789")
    let cut = SmallFile.text(path, limit: 9)
    let code = errno
    #expect(cut == nil && code == EFBIG)
    #expect(SmallFile.text(folder.path + "/none") == nil)
    #expect(SmallFile.beginning(of: path, bytes: 4) == "0123")
  }
}
