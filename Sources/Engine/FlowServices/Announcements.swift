package import FlowModel

/// Logs a change and publishes it as an event.
package struct Announcements: Sendable {
  private let log: DaemonLog
  private let publish: @Sendable (_ team: String?, _ text: String) -> Void

  /// - Parameter publish: publishes an event about a team, or with nil about the server itself.
  package init(log: DaemonLog, publish: @escaping @Sendable (_ team: String?, _ text: String) -> Void) {
    self.log = log
    self.publish = publish
  }

  /// Logs and publishes one change.
  ///
  /// - Parameter team: nil for the server itself.
  package func callAsFunction(_ team: Team?, _ text: String) {
    log.notice(team.map { "team '\($0.name)' \(text)" } ?? "the server's \(text)")
    publish(team?.name, text)
  }
}
