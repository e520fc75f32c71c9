import FlowStore
import Foundation
import TradeStores

/// The store of a benchmark: a file, or the empty database named by POOLFLOW_BENCH_SERVER as a libpq connection string, to
/// compare both engines.
func benchPlace(_ path: String) -> StoreLocation {
  guard let connection = ProcessInfo.processInfo.environment["POOLFLOW_BENCH_SERVER"] else { return .file(path) }
  return .server(ServerLocation(connection: connection))
}

/// Writes the settings of a benchmark's daemon for that database; writes nothing for a file.
///
/// - Parameter state: the daemon's existing folder.
/// - Returns: true if the store is on a server.
@discardableResult
func benchSettings(in state: URL) throws -> Bool {
  guard case .server(let server) = benchPlace("") else { return false }
  try "[Store]\nEngine = postgresql\nConnection = \(server.connection)\n".write(
    to: state.appendingPathComponent("poolflow.conf"), atomically: true, encoding: .utf8)
  return true
}
