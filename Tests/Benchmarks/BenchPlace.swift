import Foundation
import PoolStore

/// Where a bench has its store: in a file, or in the empty database that POOLFLOW_BENCH_SERVER names as libpq does, so that the
/// two engines can be measured side by side.
func benchPlace(_ path: String) -> StorePlace {
  guard let connection = ProcessInfo.processInfo.environment["POOLFLOW_BENCH_SERVER"] else { return .file(path) }
  return .server(PostgresPlace(connection: connection))
}

/// Writes the settings by which a bench's daemon keeps its store there; none where that is a file.
///
/// - Parameter state: the daemon's folder, which is there.
/// - Returns: whether it is a server's.
@discardableResult
func benchSettings(in state: URL) throws -> Bool {
  guard case .server(let server) = benchPlace("") else { return false }
  try "[Store]\nEngine = postgresql\nConnection = \(server.connection)\n".write(
    to: state.appendingPathComponent("poolflow.conf"), atomically: true, encoding: .utf8)
  return true
}
