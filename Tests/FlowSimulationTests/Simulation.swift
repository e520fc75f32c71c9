import FlowPlatform

/// The actor of a simulated world and its store, so that no step waits for another thread.
@globalActor actor Simulation {
  static let shared = Simulation()
  static let executor = QueueExecutor(label: "org.poolflow.simulation")

  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }
}
