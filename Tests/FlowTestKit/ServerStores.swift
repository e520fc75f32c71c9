import FlowModel
package import FlowStore
import Foundation
import Synchronization
import TradeStores

/// Stores on the tests' PostgreSQL server: a database for each folder of a test.
package enum ServerStores {
  private static let databases = Mutex<[String: String]>([:])

  /// Suites run in parallel, each with a few sessions.
  private static let server = Result { try PostgresServer(settings: ["max_connections": "300"]) }

  /// True if `POOLFLOW_TEST_ENGINE` names PostgreSQL: suites that support both engines then use it.
  package static let isChosen = ["postgresql", "nodes"].contains(chosen)

  /// True if stores are opened as one of several nodes, which owns all partitions.
  package static let isOfNodes = chosen == "nodes"

  private static let chosen = ProcessInfo.processInfo.environment["POOLFLOW_TEST_ENGINE"]

  /// The store of a folder, without an exclusive lock: a test opens the next process's store while the previous one is still
  /// open.
  ///
  /// - Parameter photos: the folder of staged photos; nil if there are none, whatever the records say.
  package static func place(of folder: String, photos: String? = nil) throws -> StoreLocation {
    .server(try server(of: folder, like: nil, photos: photos))
  }

  /// The store of a folder in a copy of another folder's database, which must have no connections.
  package static func place(of folder: String, like other: String) throws -> StoreLocation {
    .server(try server(of: folder, like: other))
  }

  /// The connection string for a settings file.
  package static func connection(of folder: String) throws -> String { try server(of: folder, like: nil).connection }

  /// The settings of a daemon that uses this store.
  package static func settings(of folder: String) throws -> String {
    "[Store]\nEngine = postgresql\nConnection = \(try connection(of: folder))\n" + (isOfNodes ? "Node = test\n" : "")
  }

  /// Drops the database of a folder that is no longer used.
  package static func forget(_ folder: String) {
    guard isChosen, let name = databases.withLock({ $0.removeValue(forKey: folder) }) else { return }
    // Remaining databases disappear with the server.
    if case .success(let server) = server { try? server.drop(name) }
  }

  /// Lets a copied folder use the same database.
  package static func share(_ folder: String, with other: String) {
    databases.withLock { $0[other] = $0[folder] }
  }

  private static func server(of folder: String, like other: String?, photos: String? = nil) throws -> ServerLocation {
    let server = try server.get()
    let database = try databases.withLock { known in
      if let name = known[folder] { return name }
      let name = try other.flatMap { known[$0] }.map { try server.newDatabase(like: $0) } ?? server.newDatabase()
      known[folder] = name
      return name
    }
    return ServerLocation(
      connection: server.connection(to: database), photos: photos, isExclusive: false,
      node: isOfNodes ? NodeIdentity(name: "test") : nil, partitions: isOfNodes ? .all : .none)
  }
}

extension StoreLocation {
  /// The store of a state directory, on the tested engine.
  package static func ofTest(_ state: String) throws -> StoreLocation {
    ServerStores.isChosen ? try ServerStores.place(of: state, photos: state + "/photos") : .file(state + "/poolflow.db")
  }
}
