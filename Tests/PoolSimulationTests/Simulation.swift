import PoolPlatform

/// Where a simulated world lives, and its store with it: nobody waits for another thread in the middle of a step.
@globalActor actor Simulation {
  static let shared = Simulation()
  static let executor = QueueExecutor(label: "org.poolflow.simulation")

  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }
}
