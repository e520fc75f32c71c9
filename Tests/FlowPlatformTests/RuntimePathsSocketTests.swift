import FlowPlatform
import Testing

struct RuntimePathsSocketTests {
  @Test func `the first directory of each systemd variable is used`() {
    let paths = RuntimePaths(
      environment: ["STATE_DIRECTORY": "/var/lib/poolflow:/var/lib/other", "RUNTIME_DIRECTORY": "/run/poolflow"],
      uid: 998)
    #expect(paths == RuntimePaths(stateDirectory: "/var/lib/poolflow", socketPath: "/run/poolflow/control.sock"))
  }

  @Test func `root without systemd uses the system directories`() {
    let paths = RuntimePaths(environment: ["HOME": "/root", "XDG_RUNTIME_DIR": "/run/user/0"], uid: 0)
    #expect(paths == RuntimePaths(stateDirectory: "/var/lib/poolflow", socketPath: "/run/poolflow/control.sock"))
  }

  @Test(arguments: [
    (["HOME": "/home/a"], "/home/a/.local/state/poolflow", "/home/a/.local/state/poolflow/run/control.sock"),
    (
      ["HOME": "/home/a", "XDG_STATE_HOME": "/data/", "XDG_RUNTIME_DIR": "/run/user/7"], "/data/poolflow",
      "/run/user/7/poolflow/control.sock"
    ),
    // The XDG rules ignore relative paths.
    (
      ["HOME": "/home/a", "XDG_STATE_HOME": "data"], "/home/a/.local/state/poolflow",
      "/home/a/.local/state/poolflow/run/control.sock"
    ),
  ])
  func `a user's daemon uses the user's directories`(environment: [String: String], state: String, socket: String) {
    #expect(
      RuntimePaths(environment: environment, uid: 7) == RuntimePaths(stateDirectory: state, socketPath: socket))
  }

  @Test func `a client finds the system's daemon, else the user's own`() {
    let environment = ["HOME": "/home/a", "XDG_RUNTIME_DIR": "/run/user/7", "RUNTIME_DIRECTORY": "/run/other"]
    func socket(_ environment: [String: String], uid: UInt32 = 7, there: Bool) -> String {
      RuntimePaths.clientSocket(environment: environment, uid: uid) { _ in there }
    }
    #expect(socket(environment, there: true) == "/run/poolflow/control.sock")
    #expect(socket(environment, there: false) == "/run/user/7/poolflow/control.sock")
    #expect(socket(environment, uid: 0, there: false) == "/run/poolflow/control.sock")
    #expect(socket(["POOLFLOW_SOCKET": "/tmp/x"], there: true) == "/tmp/x")
  }
}
