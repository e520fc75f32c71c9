// swift-tools-version: 6.2
import PackageDescription

// The layers, from the lowest to the highest. A target depends only on targets of lower layers, or of its own layer if this file
// lists them. The folder names sort in the same order, so `ls Sources` shows the architecture.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Domain code uses no pointers: strict memory safety makes each use of one an error.
let pure: [SwiftSetting] = strict + [.strictMemorySafety()]

func domain(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Domain/\(name)", swiftSettings: pure)
}

func edge(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Edge/\(name)", swiftSettings: strict)
}

func flow(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Flow/\(name)", swiftSettings: strict)
}

func room(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Programs/\(name)", swiftSettings: strict)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/Programs/\(name)", swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: [Resource] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", resources: resources, swiftSettings: strict)
}

let package = Package(
  name: "poolflow",
  products: [
    .executable(name: "poolflowd", targets: ["poolflowd"]),
    .executable(name: "pfctl", targets: ["pfctl"]),
    .executable(name: "poolflow-bench", targets: ["poolflow-bench"]),
  ],
  targets: [
    // CModules
    .systemLibrary(
      name: "CSQLite", path: "Sources/CModules/CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "CSystemd", path: "Sources/CModules/CSystemd", pkgConfig: "libsystemd",
      providers: [.apt(["libsystemd-dev"])]
    ),
    .systemLibrary(name: "CZlib", path: "Sources/CModules/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CLinux", path: "Sources/CModules/CLinux"),
    .target(name: "CPostgres", path: "Sources/CModules/CPostgres"),

    // BuildTools: generators of other targets' sources; no program contains them.
    .target(name: "PoolWire", path: "Sources/BuildTools/PoolWire", swiftSettings: strict),
    .executableTarget(
      name: "poolflow-wire", dependencies: ["PoolWire"], path: "Sources/BuildTools/poolflow-wire",
      swiftSettings: strict),
    .plugin(
      name: "WirePlugin", capability: .buildTool(), dependencies: ["poolflow-wire"],
      path: "Sources/BuildTools/WirePlugin"),

    // Domain
    domain("PoolModel"),
    domain("PoolCalendar", ["PoolModel"]),
    domain("PoolChemistry", ["PoolModel"]),
    domain("PoolRouting", ["PoolModel"]),
    // The engine: none of its modules knows a trade.
    domain("PoolNotices", ["PoolModel", "PoolCalendar"]),
    domain("PoolWork", ["PoolModel", "PoolCalendar", "PoolNotices"]),
    // The pool trade.
    domain("PoolDigests", ["PoolModel", "PoolCalendar", "PoolChemistry", "PoolRouting", "PoolNotices"]),
    domain("PoolJobs", ["PoolModel", "PoolCalendar", "PoolNotices", "PoolWork", "PoolDigests"]),
    domain("PoolInterchange", ["PoolModel", "PoolChemistry"]),
    // The stable trade.
    domain("StableModel", ["PoolModel", "PoolCalendar"]),
    domain("StableRules", ["PoolModel", "PoolCalendar", "StableModel"]),
    domain("StableDigests", ["PoolModel", "PoolCalendar", "PoolNotices", "StableModel", "StableRules"]),
    domain(
      "StableJobs",
      ["PoolModel", "PoolCalendar", "PoolNotices", "PoolWork", "StableModel", "StableRules", "StableDigests"]),
    // The list of all trades.
    domain("PoolTrades", ["PoolModel", "PoolWork", "PoolJobs", "StableJobs"]),
    domain("StableInterchange", ["PoolModel", "PoolInterchange", "StableModel"]),
    .target(
      name: "PoolControl", dependencies: ["PoolModel"], path: "Sources/Domain/PoolControl",
      swiftSettings: pure, plugins: ["WirePlugin"]),

    // Edge
    edge("PoolPlatform", ["CLinux", "CSystemd", "CZlib", "PoolModel", "PoolCalendar"]),
    edge(
      "PoolSettings", ["PoolModel", "PoolCalendar", "PoolControl", "PoolNotices", "PoolWork", "PoolPlatform"]),
    edge(
      "PoolStore",
      [
        "CPostgres", "CSQLite", "PoolModel", "PoolChemistry", "PoolCalendar", "PoolNotices", "PoolWork", "PoolDigests",
        "PoolJobs", "PoolTrades", "PoolPlatform", "StableJobs", "StableModel", "StableRules",
      ]),

    // Flow
    flow("PoolScheduler", ["PoolModel", "PoolCalendar", "PoolNotices", "PoolWork", "PoolPlatform"]),
    flow("PoolDelivery", ["PoolModel", "PoolNotices", "PoolPlatform", "CLinux"]),
    flow(
      "PoolBackup",
      [
        "PoolModel", "PoolCalendar", "PoolNotices", "PoolWork", "PoolDigests", "PoolJobs", "PoolInterchange",
        "StableInterchange", "StableModel", "PoolPlatform", "PoolStore",
      ]),

    // Programs
    room(
      "PoolDaemon",
      [
        "PoolModel", "PoolCalendar", "PoolChemistry", "PoolRouting", "PoolNotices", "PoolWork", "PoolDigests",
        "PoolJobs", "PoolTrades", "StableDigests", "StableJobs",
        "PoolInterchange", "PoolControl", "PoolPlatform", "PoolSettings", "PoolStore", "PoolScheduler", "PoolDelivery",
        "PoolBackup", "StableInterchange", "StableModel", "StableRules",
      ]),
    room(
      "PoolCommands",
      [
        "PoolModel", "PoolCalendar", "PoolChemistry", "PoolRouting", "PoolNotices", "PoolWork", "PoolDigests",
        "PoolJobs",
        "PoolTrades", "StableDigests", "StableJobs", "StableModel", "PoolInterchange", "PoolControl", "PoolPlatform",
        "PoolSettings",
      ]),
    program("poolflowd", ["PoolDaemon", "PoolModel", "PoolPlatform"]),
    // The same file is poolflow-post, if it is called by that name.
    program("pfctl", ["PoolCommands", "PoolPost", "PoolPlatform"]),
    // Delivers the daemon's dropped notices to people. It has no store, and links only what reads settings and events.
    room(
      "PoolPost",
      [
        "CLinux", "CZlib", "PoolModel", "PoolCalendar", "PoolRouting", "PoolNotices", "PoolWork", "PoolDigests",
        "StableDigests", "PoolControl", "PoolPlatform", "PoolSettings", "PoolDelivery",
      ]),

    // Tests mirror the targets.
    .target(
      name: "PoolTestKit", dependencies: ["PoolModel", "PoolCalendar", "PoolPlatform", "PoolStore"],
      path: "Tests/PoolTestKit", swiftSettings: strict),
    // Benchmarks against baselines and other builds; not in the package.
    .executableTarget(
      name: "poolflow-bench",
      dependencies: [
        "CSQLite", "CZlib", "PoolModel", "PoolCalendar", "PoolChemistry", "PoolRouting", "PoolNotices", "PoolWork",
        "PoolDigests", "PoolJobs", "PoolInterchange", "PoolControl", "PoolPlatform", "PoolStore", "PoolScheduler",
        "PoolDelivery", "PoolBackup",
      ],
      path: "Tests/Benchmarks", swiftSettings: strict),
    // An in-memory disk for a drop folder, and processes that crash at a chosen file call.
    .target(
      name: "PoolDeliveryKit", dependencies: ["PoolDelivery", "PoolModel", "PoolNotices"],
      path: "Tests/PoolDeliveryKit",
      swiftSettings: strict),
    // A disk for SQLite that fails as a test tells it to.
    .target(name: "FaultyDisk", dependencies: ["CSQLite"], path: "Tests/FaultyDisk"),
    // Runs the migration steps of a future schema, so that tests can inject a crash or a full disk between them.
    .executableTarget(
      name: "poolflow-next", dependencies: ["PoolModel", "PoolPlatform", "PoolStore", "PoolTestKit"],
      path: "Tests/NextRelease", swiftSettings: strict),
    // The properties that must hold for any input: config/fuzz.sh fuzzes them, and the tests replay Tests/Fuzzing/Corpus.
    .target(
      name: "PoolFuzzing",
      dependencies: [
        "PoolModel", "PoolCalendar", "PoolJobs", "PoolInterchange", "PoolControl", "PoolPlatform", "PoolSettings",
        "PoolBackup", "PoolWork", "StableInterchange", "StableModel",
      ],
      path: "Tests/Fuzzing/Inputs", swiftSettings: strict),
    tests("PoolModelTests", ["PoolModel", "PoolTestKit"], resources: [.copy("Fixtures")]),
    tests(
      "PoolChemistryTests", ["PoolChemistry", "PoolCalendar", "PoolModel", "PoolPlatform", "PoolTestKit"],
      resources: [.copy("Fixtures")]),
    tests(
      "PoolCalendarTests", ["PoolCalendar", "PoolFuzzing", "PoolPlatform", "PoolTestKit"],
      resources: [.copy("Fixtures")]),
    tests("PoolRoutingTests", ["PoolRouting", "PoolModel"], resources: [.copy("Fixtures")]),
    tests(
      "PoolNoticesTests",
      [
        "PoolChemistry", "PoolNotices", "PoolWork", "PoolDigests", "PoolJobs", "PoolPlatform", "PoolRouting",
        "PoolTestKit", "PoolTrades",
      ],
      resources: [.copy("Fixtures")]),
    tests(
      "PoolInterchangeTests",
      ["PoolChemistry", "PoolFuzzing", "PoolInterchange", "PoolModel", "PoolPlatform", "PoolTestKit"],
      resources: [.copy("Fixtures")]),
    tests(
      "StableRulesTests",
      [
        "StableRules", "StableModel", "StableJobs", "StableDigests", "PoolCalendar", "PoolModel", "PoolNotices",
        "PoolPlatform",
        "PoolTestKit", "PoolWork",
      ],
      resources: [.copy("Fixtures")]),
    tests(
      "StableInterchangeTests",
      ["StableInterchange", "StableModel", "PoolFuzzing", "PoolInterchange", "PoolModel", "PoolTestKit"],
      resources: [.copy("Fixtures")]),
    tests("PoolControlTests", ["PoolControl", "PoolFuzzing", "PoolModel", "PoolPlatform", "PoolTestKit", "PoolWire"]),
    tests("PoolWireTests", ["PoolWire"]),
    tests("PoolPlatformTests", ["PoolFuzzing", "PoolPlatform", "PoolTestKit"]),
    tests(
      "PoolSettingsTests",
      ["PoolSettings", "PoolControl", "PoolJobs", "PoolModel", "PoolNotices", "PoolTestKit", "PoolWork"]),
    tests(
      "PoolStoreTests",
      [
        "PoolStore", "PoolCalendar", "PoolChemistry", "PoolDigests", "PoolJobs", "PoolNotices", "PoolPlatform",
        "PoolTestKit", "PoolTrades", "PoolWork", "StableJobs", "StableModel", "StableRules",
      ]),
    tests(
      "PoolSchedulerTests",
      [
        "PoolScheduler", "PoolDigests", "PoolJobs", "PoolStore", "PoolTestKit", "PoolTrades", "PoolWork", "StableJobs",
        "StableModel", "StableRules",
      ]),
    tests(
      "PoolSimulationTests",
      [
        "FaultyDisk", "PoolDaemon", "PoolDelivery", "PoolDeliveryKit", "PoolScheduler", "PoolDigests", "PoolJobs",
        "PoolStore", "PoolTestKit", "PoolTrades", "PoolWork",
      ]),
    tests(
      "PoolDeliveryTests",
      [
        "PoolDelivery", "PoolDeliveryKit", "PoolJobs", "PoolModel", "PoolNotices", "PoolPlatform", "PoolStore",
        "PoolTestKit", "PoolWork",
      ],
      resources: [.copy("Fixtures")]),
    tests(
      "PoolBackupTests",
      [
        "PoolBackup", "PoolCalendar", "PoolChemistry", "PoolDigests", "PoolFuzzing", "PoolInterchange", "PoolJobs",
        "PoolModel", "PoolNotices", "PoolPlatform", "PoolStore", "PoolTestKit", "PoolTrades", "PoolWork", "StableModel",
        "StableRules",
      ]),
    tests(
      "PoolDaemonTests",
      [
        "PoolDaemon", "PoolBackup", "PoolCalendar", "PoolChemistry", "PoolControl", "PoolDelivery", "PoolDigests",
        "PoolJobs",
        "PoolModel",
        "PoolNotices", "PoolPlatform", "PoolRouting", "PoolScheduler", "PoolSettings", "PoolStore", "PoolTestKit",
        "PoolTrades", "PoolWork", "StableModel", "StableRules",
      ]),
    tests(
      "PoolPostTests",
      [
        "PoolPost", "PoolCalendar", "PoolDigests", "PoolModel", "PoolNotices", "PoolPlatform", "PoolRouting",
        "PoolSettings", "PoolTestKit",
      ],
      resources: [.copy("Fixtures")]),
    tests("PoolCommandsTests", ["PoolCommands", "PoolControl", "PoolModel", "PoolSettings", "PoolTestKit"]),
    tests(
      "ProgramTests",
      [
        "PoolFuzzing", "PoolModel", "PoolCalendar", "PoolRouting", "PoolNotices", "PoolWork", "PoolDigests", "PoolJobs",
        "PoolInterchange", "PoolControl", "PoolPlatform", "PoolStore", "PoolDelivery", "PoolBackup", "PoolTestKit",
      ],
      resources: [.copy("Fixtures")]),
  ]
)

// Only the named test targets and their dependencies: config/sanitize.sh builds them for each sanitizer, without the programs
// that it does not run.
if let named = Context.environment["POOLFLOW_TEST_TARGETS"]?.split(separator: " ").map(String.init) {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  var open = named
  while let name = open.popLast() {
    guard let target = targets[name], needed.insert(name).inserted else { continue }
    for case .byNameItem(let name, _) in target.dependencies { open.append(name) }
    if target.plugins != nil { open.append("WirePlugin") }
  }
  package.targets.removeAll { !needed.contains($0.name) }
  package.products = []
}

// libFuzzer needs coverage data from all Swift code, so every target is compiled for it, but only for config/fuzz.sh: an ordinary
// build has neither the target nor the flags.
if Context.environment["FUZZ"] != nil {
  // The build tools are not fuzzed and run without libFuzzer.
  let plain = ["Sources/CModules", "Sources/BuildTools"]
  for target in package.targets
  where target.type == .regular && !plain.contains(where: { target.path?.hasPrefix($0) == true }) {
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=fuzzer"])]
  }
  package.targets.append(
    .executableTarget(
      name: "poolflow-fuzz", dependencies: ["PoolFuzzing"], path: "Tests/Fuzzing/Runner",
      swiftSettings: strict + [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
}
