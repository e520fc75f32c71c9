import PoolPlatform

extension Store {
  /// Nothing can be written for want of room; what is there can be read.
  package var isOutOfRoom: Bool { connection.isOutOfRoom }

  /// Writes that this life of the daemon has begun, where the start found no room for it.
  package func settleEpoch() throws { try connection.settle() }

  /// Keeps room for need again, and bounds the log by what there is now. Called now and then.
  package func keepRoom() throws {
    connection.reserve?.keep()
    try StoreOpening.boundLog(connection, path: path)
  }
}
