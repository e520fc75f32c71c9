package import PoolControl
internal import PoolPlatform

/// What the control socket needs of who answers it.
package protocol ControlBackend: Sendable {
  /// Every method it answers, each once.
  var verbs: [ControlVerb] { get }
  /// Makes a change and writes down who asked for it and what came of it.
  func audited(
    _ call: any ControlMethod, _ caller: Caller, _ change: () async throws -> [[UInt8]]
  ) async throws -> [[UInt8]]
  /// The caller has hung up while it was answered.
  func hungUp(_ caller: Caller) async
  /// The connection has ended: forget the uploads it left open.
  func connectionEnded(_ caller: Caller) async
}

extension Caller {
  /// The user's name, where the system has one for `uid`; looked up each time, for changes only.
  var name: String? { Accounts.userName(uid) }
}
