import Foundation
import PoolModel
package import PoolStore
import Synchronization

/// Stores on the tests' own server: a database for each folder that a test has.
package enum ServerStores {
  private static let databases = Mutex<[String: String]>([:])

  /// Suites run side by side, each with a few sessions.
  private static let server = Result { try PostgresServer(settings: ["max_connections": "300"]) }

  /// `POOLFLOW_TEST_ENGINE` names it: suites that take either engine take this one.
  package static let isChosen = ["postgresql", "nodes"].contains(chosen)

  /// The same, and whoever opens a store is one of several nodes, which has all shares.
  package static let isOfNodes = chosen == "nodes"

  private static let chosen = ProcessInfo.processInfo.environment["POOLFLOW_TEST_ENGINE"]

  /// Nobody has the writer's lock: a test opens the next process's store while the last one's is still there.
  ///
  /// - Parameter photos: where photos wait that are to be taken in; nil where none come, whatever the records say.
  package static func place(of folder: String, photos: String? = nil) throws -> StorePlace {
    .server(try server(of: folder, like: nil, photos: photos))
  }

  /// The same, in a database that is made as a copy of another folder's, which nobody has open.
  package static func place(of folder: String, like other: String) throws -> StorePlace {
    .server(try server(of: folder, like: other))
  }

  /// What a settings file calls it.
  package static func connection(of folder: String) throws -> String { try server(of: folder, like: nil).connection }

  /// The settings with which a daemon keeps its records there.
  package static func settings(of folder: String) throws -> String {
    "[Store]\nEngine = postgresql\nConnection = \(try connection(of: folder))\n" + (isOfNodes ? "Node = test\n" : "")
  }

  /// Whoever had the folder is done with it.
  package static func forget(_ folder: String) {
    guard isChosen, let name = databases.withLock({ $0.removeValue(forKey: folder) }) else { return }
    // What stays goes with the server.
    if case .success(let server) = server { try? server.drop(name) }
  }

  /// A folder was copied: the copy's database is the other's.
  package static func share(_ folder: String, with other: String) {
    databases.withLock { $0[other] = $0[folder] }
  }

  private static func server(of folder: String, like other: String?, photos: String? = nil) throws -> PostgresPlace {
    let server = try server.get()
    let database = try databases.withLock { known in
      if let name = known[folder] { return name }
      let name = try other.flatMap { known[$0] }.map { try server.newDatabase(like: $0) } ?? server.newDatabase()
      known[folder] = name
      return name
    }
    return PostgresPlace(
      connection: server.connection(to: database), photos: photos, isExclusive: false,
      node: isOfNodes ? NodeIdentity(name: "test") : nil, shares: isOfNodes ? .all : .none)
  }
}

extension StorePlace {
  /// The store of a state directory, of the engine that the tests are about.
  package static func ofTest(_ state: String) throws -> StorePlace {
    ServerStores.isChosen ? try ServerStores.place(of: state, photos: state + "/photos") : .file(state + "/poolflow.db")
  }
}
