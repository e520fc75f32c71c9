import FlowDelivery
import FlowModel
package import FlowNotices
import FlowPlatform
package import FlowServices
import FlowSettings

/// The last reports of the senders behind this daemon's sinks, and which senders stopped reporting.
package actor SenderReports {
  /// The sender behind one sink.
  package struct Sender: Sendable {
    package let sink: String
    package let report: SenderReport
    /// True if it has reported nothing new for `Limits.senderReportTimeout`: it does not run.
    package let isSilent: Bool

    /// All failures that an operator must repair.
    package var failures: [SenderReport.Failure] {
      let reported = report.failures ?? []
      guard isSilent else { return reported }
      return reported + [
        SenderReport.Failure(
          about: "sender", title: "poolflow-post of sink '\(sink)' is not running",
          words:
            "It last reported at \(report.at ?? "an unknown time"), and delivers nothing until it runs: `systemctl "
            + "status poolflow-post`. If it is no longer needed, remove '\(SenderReport.fileName)' from the folder of its "
            + "receipts.",
          since: report.at.flatMap { Timestamp(rfc3339: $0) } ?? Timestamp(seconds: 0))
      ]
    }
  }

  /// The last report of a sink, and for how long it has not changed. Time between two scans counts up to
  /// `Limits.senderReportInterval` only, because a suspended machine keeps the sender from reporting, too.
  private struct LastReport {
    var bytes: [UInt8]
    var unchangedFor: Duration = .zero
    var scannedAt: Duration
  }

  private let settings: EffectiveSettings
  private let uptime: @Sendable () -> Duration
  private var lastReports: [String: LastReport] = [:]
  /// Why a sink's report could not be read at the last scan, by sink.
  package private(set) var faults: [String: String] = [:]

  package init(
    settings: EffectiveSettings, uptime: @escaping @Sendable () -> Duration = { MachineUptime.now() }
  ) {
    (self.settings, self.uptime) = (settings, uptime)
  }

  /// Reads the present reports of all sinks.
  package func read() async -> [Sender] {
    let sources = ReceiptSource.all(in: await settings.reading.settings.sinks, drops: await settings.dropFolders)
    lastReports = lastReports.filter { sink, _ in sources.contains { $0.sink == sink } }
    faults = [:]
    return sources.compactMap { source in
      do {
        guard let bytes = try source.folder.report() else {
          lastReports[source.sink] = nil
          return nil
        }
        let report = try SenderReport(bytes)
        return Sender(
          sink: source.sink, report: report,
          isSilent: recordReport(bytes, of: source.sink) >= Limits.senderReportTimeout)
      } catch {
        faults[source.sink] = "'\(source.folder.path)/\(SenderReport.fileName)' cannot be used: \(error)"
        return nil
      }
    }
  }

  /// Compares a report with the last one of the sink and remembers it.
  ///
  /// - Returns: for how long the sender's report has not changed.
  private func recordReport(_ bytes: [UInt8], of sink: String) -> Duration {
    let up = uptime()
    guard var known = lastReports[sink], known.bytes == bytes else {
      lastReports[sink] = LastReport(bytes: bytes, scannedAt: up)
      return .zero
    }
    known.unchangedFor += min(up - known.scannedAt, Limits.senderReportInterval)
    known.scannedAt = up
    lastReports[sink] = known
    return known.unchangedFor
  }
}
