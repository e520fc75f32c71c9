import FlowPlatform
import FlowTestKit
import Foundation
import Glibc
import Testing

/// The state directories of units, and the commands that recover them.
@Suite struct ServiceAccountTests {
  @Test(arguments: [
    ("/var/lib/poolflow", ""), ("/var/lib/poolflow-north", "north"), ("/var/lib/poolflow-post", nil),
    ("/var/lib/poolflow-", nil), ("/var/lib/poolflow-a/b", nil), ("/var/lib/poolflowx", nil), ("/srv/poolflow", nil),
  ])
  func `a state directory belongs to an instance, or to no unit`(state: String, instance: String?) {
    #expect(ServiceAccount.instance(of: state) == instance)
  }

  @Test(arguments: [
    ("/var/lib/poolflow", "sudo poolflowd --recover retry"),
    (
      "/var/lib/poolflow-north",
      "sudo env CONFIGURATION_DIRECTORY=/etc/poolflow/north STATE_DIRECTORY=/var/lib/poolflow-north poolflowd --recover retry"
    ),
    ("/home/ann/.local/state/poolflow", "poolflowd --state-dir '/home/ann/.local/state/poolflow' --recover retry"),
  ])
  func `a recovery command uses sudo for a unit, and the current user otherwise`(state: String, command: String) {
    #expect(ServiceAccount.recoverCommand("retry", state: state) == command)
  }

  @Test(.requires(.root)) func `only root's files change owner, never linked files or others' files`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("account-\(getpid())").path
    try FileManager.default.createDirectory(atPath: folder + "/state/deep", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["elsewhere", "state/own", "state/deep/other"] {
      try Data().write(to: URL(filePath: "\(folder)/\(name)"))
    }
    #expect(chown("\(folder)/state/deep/other", 1_234, 1_234) == 0)
    #expect(chown("\(folder)/state", 65_534, 65_534) == 0)
    #expect(symlink("\(folder)/elsewhere", "\(folder)/state/link") == 0)
    let account = try #require(ServiceAccount.owner(of: "\(folder)/state", uid: 0))
    #expect(account == ServiceAccount(user: 65_534, group: 65_534))
    #expect(ServiceAccount.owner(of: "\(folder)/state", uid: 65_534) == nil)
    try account.adopt(state: "\(folder)/state")
    let owners = ["state/own", "state/deep", "state/deep/other", "elsewhere"].map {
      FileFacts(of: "\(folder)/\($0)")?.owner
    }
    #expect(owners == [65_534, 65_534, 1_234, 0])
  }
}
