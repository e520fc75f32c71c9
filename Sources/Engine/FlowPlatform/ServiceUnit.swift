internal import FlowModel
internal import Glibc

/// The state of a systemd unit, parsed from `systemctl show`.
package struct ServiceUnit: Hashable, Sendable {
  package let name: String
  /// systemd's `ActiveState`: `active`, `inactive`, `failed`, …
  package let activeState: String
  /// `success`, or the reason of the failure: `exit-code`, `signal`, `watchdog`, `start-limit-hit`, …
  package let result: String
  /// The exit code of the unit's last main process.
  package let exitCode: Int32
  /// The `User=` of the unit; nil for root.
  package let user: String?
  /// True if systemd has loaded the unit's file.
  package let isInstalled: Bool

  /// Parses lines such as `ActiveState=failed`.
  package init(name: String, properties: String) {
    var values: [Substring: Substring] = [:]
    for line in properties.split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[parts[0]] = parts[1] }
    }
    self.name = name
    activeState = String(values["ActiveState"] ?? "")
    result = String(values["Result"] ?? "")
    exitCode = values["ExecMainStatus"].flatMap { Int32($0) } ?? 0
    user = values["User"].flatMap { $0.isEmpty ? nil : String($0) }
    isInstalled = values["LoadState"] == "loaded"
  }

  package var hasFailed: Bool { activeState == "failed" }

  /// True while systemd starts or stops the unit: it has not recorded the result yet.
  package var isChanging: Bool { ["activating", "deactivating"].contains(activeState) }

  /// Queries systemd until the unit neither starts nor stops, for two seconds at most: a client may notice that the daemon
  /// closed its connection before systemd has recorded the failure.
  ///
  /// - Parameters:
  ///   - query: the query, `asked` by default.
  ///   - pause: waits between two queries, 100 ms by default.
  package static func settled(
    _ name: String, query: (String) -> ServiceUnit? = asked,
    pause: () -> Void = { usleep(Limits.unitQueryPauseMicroseconds) }
  ) -> ServiceUnit? {
    var unit = query(name)
    var repetitions = 0
    while unit?.isChanging == true, repetitions < Limits.unitQueriesRepeated {
      pause()
      unit = query(name)
      repetitions += 1
    }
    return unit
  }

  /// Queries systemd; nil if the machine does not run systemd, the unit is not installed, or the query fails.
  package static func asked(_ name: String) -> ServiceUnit? {
    guard FileFacts.exists("/run/systemd/system"), let pipe = try? ChildProgram.pipe() else { return nil }
    let properties = "LoadState,ActiveState,Result,ExecMainStatus,User"
    let child = try? ChildProgram(
      "/usr/bin/systemctl", ["show", "--property", properties, "--", name],
      environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C"],
      [1: .descriptor(pipe.writing), 0: .reading("/dev/null"), 2: .writing("/dev/null")])
    close(pipe.writing)
    defer { close(pipe.reading) }
    guard let child else { return nil }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4 << 10)
    while bytes.count < 64 << 10 {
      let count = read(pipe.reading, &part, part.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += part.prefix(count)
    }
    guard child.end() == .exit(0) else { return nil }
    let unit = ServiceUnit(name: name, properties: String(decoding: bytes, as: UTF8.self))
    return unit.isInstalled ? unit : nil
  }
}

extension Limits {
  /// The queries of a unit that starts or stops, after the first one.
  fileprivate static let unitQueriesRepeated = 20
  /// The whole wait delays an error message by two seconds.
  fileprivate static let unitQueryPauseMicroseconds: UInt32 = 100_000
}
