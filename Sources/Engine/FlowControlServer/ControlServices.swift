package import FlowControl

/// What the control server needs of the services that answer its calls.
package protocol ControlServices: Sendable {
  /// The methods of all interfaces.
  var verbs: [ControlVerb] { get }

  /// Checks that the team of a call has the call's trade.
  ///
  /// - Throws: `ControlError.otherTrade` if the call is for another trade than its team's.
  func checkTrade(of call: any ControlMethod) async throws

  /// Answers a call that changes something, and audits it.
  ///
  /// - Returns: the frames that `answer` returns.
  func answerChange(
    _ call: any ControlMethod, _ caller: Caller, _ answer: () async throws -> [[UInt8]]
  ) async throws -> [[UInt8]]

  /// The caller closed its connection while a call was being answered.
  func hungUp(_ caller: Caller)

  /// A connection ended.
  func connectionEnded(_ caller: Caller) async
}
