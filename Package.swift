// swift-tools-version: 6.2
import PackageDescription

// The folders, by what their code knows: Engine (teams, time, jobs, notices, delivery), Cluster (the store on a server, for several
// nodes), Pools and Stables (a trade each), Programs (the executables, the lists of trades and of servers). In each folder the
// targets are listed from the lowest to the highest: a target depends only on targets above its own line.

let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// Values and decisions use no pointers: strict memory safety makes each use of one an error.
let pure: [SwiftSetting] = strict + [.strictMemorySafety()]

func engine(_ name: String, _ dependencies: [Target.Dependency] = [], _ settings: [SwiftSetting] = strict) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Engine/\(name)", swiftSettings: settings)
}

func cluster(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Cluster/\(name)", swiftSettings: strict)
}

func pools(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Pools/\(name)", swiftSettings: pure)
}

func stables(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Stables/\(name)", swiftSettings: pure)
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
    .target(name: "FlowWire", path: "Sources/BuildTools/FlowWire", swiftSettings: strict),
    .executableTarget(
      name: "poolflow-wire", dependencies: ["FlowWire"], path: "Sources/BuildTools/poolflow-wire",
      swiftSettings: strict),
    .plugin(
      name: "WirePlugin", capability: .buildTool(), dependencies: ["poolflow-wire"],
      path: "Sources/BuildTools/WirePlugin"),

    // Engine: values and decisions.
    engine("FlowModel", [], pure),
    engine("FlowCalendar", ["FlowModel"], pure),
    engine("FlowNotices", ["FlowCalendar", "FlowModel"], pure),
    engine("FlowWork", ["FlowCalendar", "FlowModel", "FlowNotices"], pure),
    .target(
      name: "FlowControl", dependencies: ["FlowModel"], path: "Sources/Engine/FlowControl", swiftSettings: pure,
      plugins: ["WirePlugin"]),
    // Engine: operating system, settings, scheduler, delivery.
    engine("FlowPlatform", ["CLinux", "CSystemd", "CZlib", "FlowCalendar", "FlowModel"]),
    engine("FlowSettings", ["FlowCalendar", "FlowControl", "FlowModel", "FlowNotices", "FlowPlatform", "FlowWork"]),
    engine("FlowScheduler", ["FlowCalendar", "FlowModel", "FlowNotices", "FlowPlatform", "FlowWork"]),
    engine("FlowDelivery", ["CLinux", "FlowModel", "FlowNotices", "FlowPlatform"]),
    engine("FlowStore", ["CSQLite", "FlowCalendar", "FlowModel", "FlowNotices", "FlowPlatform", "FlowWork"]),
    engine(
      "FlowBackup", ["CLinux", "FlowCalendar", "FlowModel", "FlowNotices", "FlowPlatform", "FlowStore", "FlowWork"]),
    // The control socket: connections, frames and the turns of calls.
    engine("FlowControlServer", ["FlowControl", "FlowModel", "FlowPlatform"]),
    // What the answers of the control socket have in common.
    engine(
      "FlowServices",
      [
        "FlowBackup", "FlowCalendar", "FlowControl", "FlowDelivery", "FlowModel", "FlowNotices", "FlowPlatform",
        "FlowScheduler", "FlowSettings", "FlowStore", "FlowWork",
      ]),

    // Cluster
    cluster("ClusterStore", ["CPostgres", "FlowModel", "FlowNotices", "FlowPlatform", "FlowStore", "FlowWork"]),

    // Engine: the command line of `pfctl`, without commands.
    engine("FlowCommandKit", ["FlowControl", "FlowModel", "FlowNotices", "FlowPlatform", "FlowWork"]),

    // Pools
    .target(
      name: "PoolControl", dependencies: ["FlowControl", "FlowModel", "PoolChemistry"],
      path: "Sources/Pools/PoolControl",
      swiftSettings: pure, plugins: ["WirePlugin"]),
    pools("PoolModel", ["FlowCalendar", "FlowModel"]),
    pools("PoolChemistry", ["FlowModel", "PoolModel"]),
    pools("PoolRouting", ["FlowModel", "PoolModel"]),
    pools("PoolDigests", ["FlowCalendar", "FlowModel", "FlowNotices", "PoolChemistry", "PoolModel", "PoolRouting"]),
    pools("PoolJobs", ["FlowCalendar", "FlowModel", "FlowNotices", "FlowWork", "PoolDigests", "PoolModel"]),
    pools("PoolInterchange", ["FlowCalendar", "FlowModel", "PoolChemistry", "PoolModel"]),

    // Stables
    .target(
      name: "StableControl", dependencies: ["FlowControl", "FlowModel"], path: "Sources/Stables/StableControl",
      swiftSettings: pure, plugins: ["WirePlugin"]),
    stables("StableModel", ["FlowCalendar", "FlowModel"]),
    stables("StableRules", ["FlowCalendar", "FlowModel", "StableModel"]),
    stables("StableDigests", ["FlowCalendar", "FlowModel", "FlowNotices", "StableModel", "StableRules"]),
    stables(
      "StableJobs",
      ["FlowCalendar", "FlowModel", "FlowNotices", "FlowWork", "StableDigests", "StableModel", "StableRules"]),
    stables("StableInterchange", ["FlowModel", "PoolInterchange", "PoolModel", "StableModel"]),

    // The trades' tables.
    .target(
      name: "PoolStore",
      dependencies: [
        "FlowCalendar", "FlowModel", "FlowNotices", "FlowStore", "FlowWork", "PoolChemistry",
        "PoolDigests", "PoolJobs", "PoolModel",
      ], path: "Sources/Pools/PoolStore", swiftSettings: strict),
    .target(
      name: "StableStore",
      dependencies: [
        "FlowCalendar", "FlowModel", "FlowStore", "FlowWork", "PoolJobs", "PoolModel", "PoolStore", "StableJobs",
        "StableModel", "StableRules",
      ], path: "Sources/Stables/StableStore", swiftSettings: strict),

    // The trades' archives and imports.
    .target(
      name: "PoolBackup",
      dependencies: [
        "FlowBackup", "FlowCalendar", "FlowModel", "FlowNotices", "FlowPlatform", "FlowStore", "PoolDigests",
        "PoolInterchange", "PoolModel", "PoolStore",
      ], path: "Sources/Pools/PoolBackup", swiftSettings: strict),
    .target(
      name: "StableBackup",
      dependencies: [
        "FlowBackup", "FlowCalendar", "FlowModel", "FlowPlatform", "FlowStore", "PoolBackup", "PoolInterchange",
        "PoolModel", "PoolStore", "StableInterchange", "StableModel", "StableStore",
      ], path: "Sources/Stables/StableBackup", swiftSettings: strict),

    // Engine: the daemon and the commands.
    // One of several nodes: its partitions, the server-wide work, and events of all nodes.
    engine(
      "FlowNodes",
      [
        "FlowBackup", "FlowCalendar", "FlowControl", "FlowDelivery", "FlowModel", "FlowNotices", "FlowPlatform",
        "FlowScheduler", "FlowServices", "FlowSettings", "FlowStore", "FlowWork",
      ]),
    // The answers of the engine's interfaces.
    engine(
      "FlowAnswers",
      [
        "FlowBackup", "FlowCalendar", "FlowControl", "FlowControlServer", "FlowDelivery", "FlowModel", "FlowNodes",
        "FlowNotices", "FlowPlatform", "FlowScheduler", "FlowServices", "FlowSettings", "FlowStore", "FlowWork",
      ]),
    engine(
      "FlowDaemon",
      [
        "CLinux", "FlowAnswers", "FlowBackup", "FlowCalendar", "FlowControl", "FlowControlServer", "FlowDelivery",
        "FlowModel", "FlowNodes", "FlowNotices", "FlowPlatform", "FlowScheduler", "FlowServices", "FlowSettings",
        "FlowStore", "FlowWork",
      ]),
    // Commands about the daemon itself: status, doctor, events, audit, bug reports, nodes, settings and the store.
    engine(
      "FlowOperations",
      ["FlowCommandKit", "FlowControl", "FlowModel", "FlowPlatform", "FlowSettings", "FlowWork"]),
    // The command `pfctl setup`, which runs other commands.
    engine(
      "FlowSetup",
      [
        "FlowCalendar", "FlowCommandKit", "FlowControl", "FlowModel", "FlowOperations", "FlowPlatform", "FlowSettings",
      ]),
    // All other commands of the engine, and the list of all.
    engine(
      "FlowCommands",
      [
        "FlowCalendar", "FlowCommandKit", "FlowControl", "FlowModel", "FlowNotices", "FlowOperations", "FlowPlatform",
        "FlowSettings", "FlowSetup", "FlowWork",
      ]),
    // Delivers the daemon's dropped notices to people. It has no store, and links only what reads settings and events.
    engine(
      "FlowPost",
      [
        "CLinux", "CZlib", "FlowCalendar", "FlowControl", "FlowDelivery", "FlowModel", "FlowNotices", "FlowPlatform",
        "FlowSettings", "FlowWork",
      ]),

    // The trades' answers of the control socket.
    .target(
      name: "PoolServices",
      dependencies: [
        "FlowBackup", "FlowCalendar", "FlowControl", "FlowModel", "FlowNotices", "FlowPlatform", "FlowScheduler",
        "FlowServices", "FlowSettings", "FlowStore", "FlowWork", "PoolBackup", "PoolChemistry", "PoolControl",
        "PoolDigests", "PoolInterchange", "PoolJobs", "PoolModel", "PoolRouting", "PoolStore",
      ], path: "Sources/Pools/PoolServices", swiftSettings: strict),
    .target(
      name: "StableServices",
      dependencies: [
        "FlowBackup", "FlowCalendar", "FlowControl", "FlowModel", "FlowNotices", "FlowPlatform", "FlowServices",
        "FlowStore", "PoolBackup", "PoolDigests", "PoolModel", "PoolServices", "PoolStore", "StableBackup",
        "StableControl", "StableDigests", "StableInterchange", "StableModel", "StableRules", "StableStore",
      ], path: "Sources/Stables/StableServices", swiftSettings: strict),

    // The trades' commands, and the list of all commands.
    .target(
      name: "PoolCommands",
      dependencies: [
        "FlowCommandKit", "FlowControl", "FlowModel", "FlowNotices", "FlowWork", "PoolChemistry", "PoolControl",
        "PoolDigests", "PoolInterchange", "PoolJobs", "PoolModel", "PoolRouting",
      ], path: "Sources/Pools/PoolCommands", swiftSettings: strict),
    .target(
      name: "StableCommands",
      dependencies: [
        "FlowCommandKit", "FlowControl", "FlowModel", "FlowWork", "PoolModel", "StableControl", "StableDigests",
        "StableJobs", "StableModel",
      ], path: "Sources/Stables/StableCommands", swiftSettings: strict),
    .target(
      name: "TradeCommands",
      dependencies: [
        "FlowCommandKit", "FlowCommands", "FlowNotices", "PoolCommands", "PoolDigests", "StableCommands",
        "StableDigests",
      ],
      path: "Sources/Programs/TradeCommands", swiftSettings: strict),

    // Programs
    // The list of the daemon's trades and database servers.
    .target(
      name: "Trades",
      dependencies: [
        "ClusterStore", "FlowServices", "FlowStore", "PoolServices", "PoolStore", "StableServices",
      ],
      path: "Sources/Programs/Trades", swiftSettings: strict),
    program("poolflowd", ["FlowDaemon", "FlowModel", "FlowPlatform", "FlowServices", "Trades"]),
    // The same file is poolflow-post, if it is called by that name.
    program("pfctl", ["FlowCommandKit", "FlowNotices", "FlowPlatform", "FlowPost", "TradeCommands"]),

    // The trades' interfaces, tables and archives, for tests below the daemon.
    .target(
      name: "TradeInterfaces", dependencies: ["FlowControl", "PoolControl", "StableControl"],
      path: "Tests/TradeInterfaces", swiftSettings: strict),
    .target(
      name: "TradeStores",
      dependencies: ["ClusterStore", "FlowModel", "FlowPlatform", "FlowStore", "PoolStore", "StableStore"],
      path: "Tests/TradeStores", swiftSettings: strict),
    .target(
      name: "TradeBackups",
      dependencies: [
        "FlowBackup", "FlowCalendar", "FlowModel", "FlowPlatform", "FlowStore", "FlowWork", "PoolBackup",
        "StableBackup", "TradeStores",
      ], path: "Tests/TradeBackups", swiftSettings: strict),
    // A third trade, which no list names.
    .target(
      name: "ToyTrade",
      dependencies: [
        "FlowBackup", "FlowCalendar", "FlowCommandKit", "FlowControl", "FlowModel", "FlowNotices", "FlowPlatform",
        "FlowServices", "FlowStore", "FlowWork",
      ], path: "Tests/ToyTrade", swiftSettings: strict, plugins: ["WirePlugin"]),
    // Tests mirror the targets.
    .target(
      name: "FlowTestKit",
      dependencies: ["FlowModel", "FlowNotices", "FlowPlatform", "FlowStore", "FlowWork", "PoolModel", "TradeStores"],
      path: "Tests/FlowTestKit", swiftSettings: strict),
    // A model of the dates of service, apart from the code that decides them.
    .target(
      name: "PoolTestKit",
      dependencies: [
        "FlowCalendar", "FlowModel", "FlowStore", "FlowTestKit", "FlowWork", "PoolDigests", "PoolModel", "PoolStore",
      ],
      path: "Tests/PoolTestKit", swiftSettings: strict),
    // Benchmarks against baselines and other builds; not in the package.
    .executableTarget(
      name: "poolflow-bench",
      dependencies: [
        "CSQLite", "CZlib", "FlowBackup", "FlowCalendar", "FlowControl", "FlowDelivery", "FlowModel", "FlowNotices",
        "FlowPlatform", "FlowScheduler", "FlowStore", "FlowWork", "PoolChemistry", "PoolDigests", "PoolInterchange",
        "PoolBackup", "PoolJobs", "PoolModel", "PoolRouting", "PoolStore", "StableControl", "TradeBackups",
        "TradeStores",
      ],
      path: "Tests/Benchmarks", swiftSettings: strict),
    // An in-memory disk for a drop folder, and processes that crash at a chosen file call.
    .target(
      name: "FlowDeliveryKit", dependencies: ["FlowDelivery", "FlowModel", "FlowNotices"],
      path: "Tests/FlowDeliveryKit",
      swiftSettings: strict),
    // A disk for SQLite that fails as a test tells it to.
    .target(name: "FaultyDisk", dependencies: [], path: "Tests/FaultyDisk"),
    // Runs the migration steps of a future schema, so that tests can inject a crash or a full disk between them.
    .executableTarget(
      name: "poolflow-next", dependencies: ["FlowModel", "FlowPlatform", "FlowStore", "FlowTestKit", "TradeStores"],
      path: "Tests/NextRelease", swiftSettings: strict),
    // The properties that must hold for any input: config/fuzz.sh fuzzes them, and the tests replay Tests/Fuzzing/Corpus.
    .target(
      name: "FlowFuzzing",
      dependencies: [
        "FlowBackup", "FlowCalendar", "FlowControl", "FlowModel", "FlowPlatform", "FlowSettings", "FlowWork",
        "PoolInterchange", "PoolJobs", "PoolModel", "StableInterchange", "StableModel", "TradeInterfaces",
      ],
      path: "Tests/Fuzzing/Inputs", swiftSettings: strict),
    tests("FlowModelTests", ["FlowModel", "FlowTestKit", "PoolModel"], resources: [.copy("Fixtures")]),
    tests(
      "PoolChemistryTests", ["FlowCalendar", "FlowModel", "FlowPlatform", "FlowTestKit", "PoolChemistry", "PoolModel"],
      resources: [.copy("Fixtures")]),
    tests(
      "FlowCalendarTests", ["FlowCalendar", "FlowFuzzing", "FlowModel", "FlowPlatform", "FlowTestKit"],
      resources: [.copy("Fixtures")]),
    tests("PoolRoutingTests", ["FlowModel", "PoolModel", "PoolRouting"], resources: [.copy("Fixtures")]),
    tests(
      "PoolDigestsTests",
      [
        "FlowCalendar", "FlowModel", "FlowNotices", "FlowPlatform", "FlowTestKit", "FlowWork", "PoolChemistry",
        "PoolDigests", "PoolJobs", "PoolModel",
      ],
      resources: [.copy("Fixtures")]),
    tests(
      "PoolInterchangeTests",
      [
        "FlowCalendar", "FlowFuzzing", "FlowModel", "FlowPlatform", "FlowTestKit", "PoolBackup", "PoolChemistry",
        "PoolInterchange",
        "PoolModel",
      ],
      resources: [.copy("Fixtures")]),
    tests(
      "StableRulesTests",
      [
        "FlowCalendar", "FlowModel", "FlowNotices", "FlowPlatform", "FlowTestKit", "FlowWork", "PoolJobs",
        "PoolModel", "StableDigests", "StableJobs", "StableModel", "StableRules",
      ],
      resources: [.copy("Fixtures")]),
    tests(
      "StableInterchangeTests",
      [
        "FlowFuzzing", "FlowModel", "FlowTestKit", "PoolInterchange", "PoolModel", "StableInterchange", "StableModel",
      ],
      resources: [.copy("Fixtures")]),
    tests(
      "FlowControlTests",
      [
        "FlowControl", "FlowFuzzing", "FlowModel", "FlowPlatform", "FlowTestKit",
      ]),
    tests("PoolControlTests", ["FlowControl", "PoolControl"]),
    tests("StableControlTests", ["FlowControl", "StableControl"]),
    tests("TradeInterfacesTests", ["FlowControl", "FlowWire", "PoolControl", "TradeInterfaces"]),
    tests("FlowWireTests", ["FlowWire"]),
    tests("FlowPlatformTests", ["FlowFuzzing", "FlowModel", "FlowPlatform", "FlowTestKit"]),
    tests(
      "FlowSettingsTests",
      ["FlowControl", "FlowModel", "FlowNotices", "FlowSettings", "FlowTestKit", "FlowWork", "PoolJobs"]),
    tests(
      "FlowStoreTests",
      [
        "FlowCalendar", "FlowModel", "FlowNotices", "FlowPlatform", "FlowStore", "FlowTestKit", "FlowWork",
        "PoolChemistry", "PoolDigests", "PoolJobs", "PoolModel", "PoolStore", "PoolTestKit", "StableJobs",
        "StableModel", "StableRules", "StableStore", "TradeStores",
      ]),
    tests("ClusterStoreTests", ["ClusterStore"]),
    tests(
      "FlowSchedulerTests",
      [
        "FlowCalendar", "FlowModel", "FlowNotices", "FlowPlatform", "FlowScheduler", "FlowStore", "FlowTestKit",
        "FlowWork", "PoolDigests", "PoolJobs", "PoolModel", "PoolStore", "TradeStores",
      ]),
    tests(
      "FlowSimulationTests",
      [
        "FaultyDisk", "FlowCalendar", "FlowDelivery", "FlowDeliveryKit", "FlowModel", "FlowNodes", "FlowNotices",
        "FlowPlatform", "FlowScheduler", "FlowStore", "FlowTestKit", "FlowWork", "PoolDigests", "PoolJobs", "PoolModel",
        "PoolStore", "StableJobs", "StableModel", "StableRules", "StableStore", "TradeStores",
      ]),
    tests(
      "FlowDeliveryTests",
      [
        "FlowDelivery", "FlowDeliveryKit", "FlowModel", "FlowNotices", "FlowPlatform", "FlowStore", "FlowTestKit",
        "TradeStores",
      ],
      resources: [.copy("Fixtures")]),
    tests(
      "FlowBackupTests",
      [
        "FlowBackup", "FlowCalendar", "FlowFuzzing", "FlowModel", "FlowNotices", "FlowPlatform", "FlowStore",
        "FlowTestKit", "FlowWork", "PoolBackup", "PoolChemistry", "PoolDigests", "PoolInterchange", "PoolJobs",
        "PoolModel", "PoolStore", "PoolTestKit", "StableBackup", "StableModel", "StableRules", "StableStore",
        "TradeBackups", "TradeStores",
      ]),
    tests("FlowControlServerTests", ["FlowControlServer", "FlowModel", "FlowPlatform", "FlowTestKit"]),
    tests(
      "FlowNodesTests",
      [
        "FlowControl", "FlowModel", "FlowNodes", "FlowStore", "FlowTestKit", "FlowWork", "PoolJobs", "TradeStores",
      ]),
    tests(
      "FlowDaemonTests",
      [
        "FlowAnswers", "FlowBackup", "FlowCalendar", "FlowControl", "FlowDaemon", "FlowDelivery", "FlowModel",
        "FlowNodes", "FlowNotices", "FlowPlatform", "FlowScheduler", "FlowServices", "FlowSettings", "FlowStore",
        "FlowTestKit", "FlowWork", "TradeBackups", "PoolBackup", "PoolChemistry", "PoolControl", "PoolDigests",
        "PoolJobs", "PoolModel", "PoolServices", "PoolStore", "PoolTestKit", "StableControl", "StableModel",
        "StableRules", "StableServices", "Trades", "TradeInterfaces", "TradeStores",
      ]),
    tests(
      "FlowPostTests",
      [
        "FlowCalendar", "FlowModel", "FlowNotices", "FlowPlatform", "FlowPost", "FlowSettings",
        "FlowTestKit",
        "PoolDigests", "TradeCommands",
      ],
      resources: [.copy("Fixtures")]),
    tests("FlowCommandKitTests", ["FlowCommandKit", "FlowControl", "FlowModel", "FlowPlatform", "FlowTestKit"]),
    tests("FlowOperationsTests", ["FlowCommandKit", "FlowControl", "FlowOperations", "TradeCommands"]),
    tests(
      "FlowSetupTests",
      ["FlowCommandKit", "FlowModel", "FlowSettings", "FlowSetup", "PoolModel", "StableModel", "TradeCommands"]),
    tests("FlowCommandsTests", []),
    tests("PoolCommandsTests", ["FlowTestKit", "PoolCommands"]),
    tests("StableCommandsTests", ["FlowCommandKit", "StableCommands"]),
    tests(
      "TradeCommandsTests",
      [
        "FlowCommandKit", "FlowCommands", "FlowControl", "FlowOperations", "FlowTestKit", "FlowWork", "PoolCommands",
        "PoolInterchange", "StableCommands", "StableModel", "TradeCommands", "TradeInterfaces",
      ]),
    tests(
      "ToyTradeTests",
      [
        "FlowAnswers", "FlowCalendar", "FlowCommandKit", "FlowCommands", "FlowControl", "FlowControlServer",
        "FlowDaemon", "FlowDelivery", "FlowModel", "FlowNodes", "FlowNotices", "FlowPlatform", "FlowScheduler",
        "FlowServices", "FlowSettings", "FlowStore", "FlowTestKit", "FlowWork", "PoolCommands", "PoolJobs",
        "PoolServices", "PoolStore", "StableCommands", "StableServices", "ToyTrade", "TradeStores",
      ]),
    tests(
      "ProgramTests",
      [
        "FlowBackup", "FlowCalendar", "FlowControl", "FlowDelivery", "FlowFuzzing", "FlowModel", "FlowNotices",
        "FlowPlatform", "FlowScheduler", "FlowStore", "FlowTestKit", "FlowWork", "PoolBackup", "PoolControl",
        "PoolDigests", "PoolInterchange", "PoolModel", "PoolRouting", "PoolStore", "StableControl", "TradeBackups",
        "TradeInterfaces", "TradeStores",
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

// config/without.sh builds a copy of the tree without this folder of Sources, its targets and their tests.
if let folder = Context.environment["POOLFLOW_WITHOUT"] {
  let gone = Set(package.targets.filter { $0.path?.hasPrefix("Sources/\(folder)/") == true }.map(\.name))
  package.targets.removeAll { gone.contains($0.name) || $0.isTest && gone.contains(String($0.name.dropLast(5))) }
  for target in package.targets {
    target.dependencies.removeAll { if case .byNameItem(let name, _) = $0 { gone.contains(name) } else { false } }
  }
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
      name: "poolflow-fuzz", dependencies: ["FlowFuzzing"], path: "Tests/Fuzzing/Runner",
      swiftSettings: strict + [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
}
