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
    .target(name: "FlowWire", path: "Sources/BuildTools/FlowWire", swiftSettings: strict),
    .executableTarget(
      name: "poolflow-wire", dependencies: ["FlowWire"], path: "Sources/BuildTools/poolflow-wire",
      swiftSettings: strict),
    .plugin(
      name: "WirePlugin", capability: .buildTool(), dependencies: ["poolflow-wire"],
      path: "Sources/BuildTools/WirePlugin"),

    // Domain
    domain("PoolModel"),
    domain("FlowCalendar", ["PoolModel"]),
    domain("PoolChemistry", ["PoolModel"]),
    domain("PoolRouting", ["PoolModel"]),
    // The engine: none of its modules knows a trade.
    domain("FlowNotices", ["PoolModel", "FlowCalendar"]),
    domain("FlowWork", ["PoolModel", "FlowCalendar", "FlowNotices"]),
    // The pool trade.
    domain("PoolDigests", ["PoolModel", "FlowCalendar", "PoolChemistry", "PoolRouting", "FlowNotices"]),
    domain("PoolJobs", ["PoolModel", "FlowCalendar", "FlowNotices", "FlowWork", "PoolDigests"]),
    domain("PoolInterchange", ["PoolModel", "PoolChemistry"]),
    // The stable trade.
    domain("StableModel", ["PoolModel", "FlowCalendar"]),
    domain("StableRules", ["PoolModel", "FlowCalendar", "StableModel"]),
    domain("StableDigests", ["PoolModel", "FlowCalendar", "FlowNotices", "StableModel", "StableRules"]),
    domain(
      "StableJobs",
      ["PoolModel", "FlowCalendar", "FlowNotices", "FlowWork", "StableModel", "StableRules", "StableDigests"]),
    // The list of all trades.
    domain("Trades", ["PoolModel", "FlowWork", "PoolJobs", "StableJobs"]),
    domain("StableInterchange", ["PoolModel", "PoolInterchange", "StableModel"]),
    .target(
      name: "FlowControl", dependencies: ["PoolModel"], path: "Sources/Engine/FlowControl",
      swiftSettings: pure, plugins: ["WirePlugin"]),

    // Edge
    edge("FlowPlatform", ["CLinux", "CSystemd", "CZlib", "PoolModel", "FlowCalendar"]),
    edge(
      "FlowSettings", ["PoolModel", "FlowCalendar", "FlowControl", "FlowNotices", "FlowWork", "FlowPlatform"]),
    edge(
      "FlowStore",
      [
        "CPostgres", "CSQLite", "PoolModel", "PoolChemistry", "FlowCalendar", "FlowNotices", "FlowWork", "PoolDigests",
        "PoolJobs", "Trades", "FlowPlatform", "StableJobs", "StableModel", "StableRules",
      ]),

    // Flow
    flow("FlowScheduler", ["PoolModel", "FlowCalendar", "FlowNotices", "FlowWork", "FlowPlatform"]),
    flow("FlowDelivery", ["PoolModel", "FlowNotices", "FlowPlatform", "CLinux"]),
    flow(
      "FlowBackup",
      [
        "PoolModel", "FlowCalendar", "FlowNotices", "FlowWork", "PoolDigests", "PoolJobs", "PoolInterchange",
        "StableInterchange", "StableModel", "FlowPlatform", "FlowStore",
      ]),

    // Programs
    room(
      "FlowDaemon",
      [
        "PoolModel", "FlowCalendar", "PoolChemistry", "PoolRouting", "FlowNotices", "FlowWork", "PoolDigests",
        "PoolJobs", "Trades", "StableDigests", "StableJobs",
        "PoolInterchange", "FlowControl", "FlowPlatform", "FlowSettings", "FlowStore", "FlowScheduler", "FlowDelivery",
        "FlowBackup", "StableInterchange", "StableModel", "StableRules",
      ]),
    room(
      "FlowCommands",
      [
        "PoolModel", "FlowCalendar", "PoolChemistry", "PoolRouting", "FlowNotices", "FlowWork", "PoolDigests",
        "PoolJobs",
        "Trades", "StableDigests", "StableJobs", "StableModel", "PoolInterchange", "FlowControl", "FlowPlatform",
        "FlowSettings",
      ]),
    program("poolflowd", ["FlowDaemon", "PoolModel", "FlowPlatform"]),
    // The same file is poolflow-post, if it is called by that name.
    program("pfctl", ["FlowCommands", "FlowPost", "FlowPlatform"]),
    // Delivers the daemon's dropped notices to people. It has no store, and links only what reads settings and events.
    room(
      "FlowPost",
      [
        "CLinux", "CZlib", "PoolModel", "FlowCalendar", "PoolRouting", "FlowNotices", "FlowWork", "PoolDigests",
        "StableDigests", "FlowControl", "FlowPlatform", "FlowSettings", "FlowDelivery",
      ]),

    // Tests mirror the targets.
    .target(
      name: "FlowTestKit", dependencies: ["PoolModel", "FlowCalendar", "FlowPlatform", "FlowStore"],
      path: "Tests/FlowTestKit", swiftSettings: strict),
    // Benchmarks against baselines and other builds; not in the package.
    .executableTarget(
      name: "poolflow-bench",
      dependencies: [
        "CSQLite", "CZlib", "PoolModel", "FlowCalendar", "PoolChemistry", "PoolRouting", "FlowNotices", "FlowWork",
        "PoolDigests", "PoolJobs", "PoolInterchange", "FlowControl", "FlowPlatform", "FlowStore", "FlowScheduler",
        "FlowDelivery", "FlowBackup",
      ],
      path: "Tests/Benchmarks", swiftSettings: strict),
    // An in-memory disk for a drop folder, and processes that crash at a chosen file call.
    .target(
      name: "FlowDeliveryKit", dependencies: ["FlowDelivery", "PoolModel", "FlowNotices"],
      path: "Tests/FlowDeliveryKit",
      swiftSettings: strict),
    // A disk for SQLite that fails as a test tells it to.
    .target(name: "FaultyDisk", dependencies: ["CSQLite"], path: "Tests/FaultyDisk"),
    // Runs the migration steps of a future schema, so that tests can inject a crash or a full disk between them.
    .executableTarget(
      name: "poolflow-next", dependencies: ["PoolModel", "FlowPlatform", "FlowStore", "FlowTestKit"],
      path: "Tests/NextRelease", swiftSettings: strict),
    // The properties that must hold for any input: config/fuzz.sh fuzzes them, and the tests replay Tests/Fuzzing/Corpus.
    .target(
      name: "FlowFuzzing",
      dependencies: [
        "PoolModel", "FlowCalendar", "PoolJobs", "PoolInterchange", "FlowControl", "FlowPlatform", "FlowSettings",
        "FlowBackup", "FlowWork", "StableInterchange", "StableModel",
      ],
      path: "Tests/Fuzzing/Inputs", swiftSettings: strict),
    tests("FlowModelTests", ["PoolModel", "FlowTestKit"], resources: [.copy("Fixtures")]),
    tests(
      "PoolChemistryTests", ["PoolChemistry", "FlowCalendar", "PoolModel", "FlowPlatform", "FlowTestKit"],
      resources: [.copy("Fixtures")]),
    tests(
      "FlowCalendarTests", ["FlowCalendar", "FlowFuzzing", "FlowPlatform", "FlowTestKit"],
      resources: [.copy("Fixtures")]),
    tests("PoolRoutingTests", ["PoolRouting", "PoolModel"], resources: [.copy("Fixtures")]),
    tests(
      "PoolDigestsTests",
      [
        "PoolChemistry", "FlowNotices", "FlowWork", "PoolDigests", "PoolJobs", "FlowPlatform", "PoolRouting",
        "FlowTestKit", "Trades",
      ],
      resources: [.copy("Fixtures")]),
    tests(
      "PoolInterchangeTests",
      ["PoolChemistry", "FlowFuzzing", "PoolInterchange", "PoolModel", "FlowPlatform", "FlowTestKit"],
      resources: [.copy("Fixtures")]),
    tests(
      "StableRulesTests",
      [
        "StableRules", "StableModel", "StableJobs", "StableDigests", "FlowCalendar", "PoolModel", "FlowNotices",
        "FlowPlatform",
        "FlowTestKit", "FlowWork",
      ],
      resources: [.copy("Fixtures")]),
    tests(
      "StableInterchangeTests",
      ["StableInterchange", "StableModel", "FlowFuzzing", "PoolInterchange", "PoolModel", "FlowTestKit"],
      resources: [.copy("Fixtures")]),
    tests("FlowControlTests", ["FlowControl", "FlowFuzzing", "PoolModel", "FlowPlatform", "FlowTestKit", "FlowWire"]),
    tests("FlowWireTests", ["FlowWire"]),
    tests("FlowPlatformTests", ["FlowFuzzing", "FlowPlatform", "FlowTestKit"]),
    tests(
      "FlowSettingsTests",
      ["FlowSettings", "FlowControl", "PoolJobs", "PoolModel", "FlowNotices", "FlowTestKit", "FlowWork"]),
    tests(
      "FlowStoreTests",
      [
        "FlowStore", "FlowCalendar", "PoolChemistry", "PoolDigests", "PoolJobs", "FlowNotices", "FlowPlatform",
        "FlowTestKit", "Trades", "FlowWork", "StableJobs", "StableModel", "StableRules",
      ]),
    tests(
      "FlowSchedulerTests",
      [
        "FlowScheduler", "PoolDigests", "PoolJobs", "FlowStore", "FlowTestKit", "Trades", "FlowWork", "StableJobs",
        "StableModel", "StableRules",
      ]),
    tests(
      "FlowSimulationTests",
      [
        "FaultyDisk", "FlowDaemon", "FlowDelivery", "FlowDeliveryKit", "FlowScheduler", "PoolDigests", "PoolJobs",
        "FlowStore", "FlowTestKit", "Trades", "FlowWork",
      ]),
    tests(
      "FlowDeliveryTests",
      [
        "FlowDelivery", "FlowDeliveryKit", "PoolJobs", "PoolModel", "FlowNotices", "FlowPlatform", "FlowStore",
        "FlowTestKit", "FlowWork",
      ],
      resources: [.copy("Fixtures")]),
    tests(
      "FlowBackupTests",
      [
        "FlowBackup", "FlowCalendar", "PoolChemistry", "PoolDigests", "FlowFuzzing", "PoolInterchange", "PoolJobs",
        "PoolModel", "FlowNotices", "FlowPlatform", "FlowStore", "FlowTestKit", "Trades", "FlowWork", "StableModel",
        "StableRules",
      ]),
    tests(
      "FlowDaemonTests",
      [
        "FlowDaemon", "FlowBackup", "FlowCalendar", "PoolChemistry", "FlowControl", "FlowDelivery", "PoolDigests",
        "PoolJobs",
        "PoolModel",
        "FlowNotices", "FlowPlatform", "PoolRouting", "FlowScheduler", "FlowSettings", "FlowStore", "FlowTestKit",
        "Trades", "FlowWork", "StableModel", "StableRules",
      ]),
    tests(
      "FlowPostTests",
      [
        "FlowPost", "FlowCalendar", "PoolDigests", "PoolModel", "FlowNotices", "FlowPlatform", "PoolRouting",
        "FlowSettings", "FlowTestKit",
      ],
      resources: [.copy("Fixtures")]),
    tests("FlowCommandsTests", ["FlowCommands", "FlowControl", "PoolModel", "FlowSettings", "FlowTestKit"]),
    tests(
      "ProgramTests",
      [
        "FlowFuzzing", "PoolModel", "FlowCalendar", "PoolRouting", "FlowNotices", "FlowWork", "PoolDigests", "PoolJobs",
        "PoolInterchange", "FlowControl", "FlowPlatform", "FlowStore", "FlowDelivery", "FlowBackup", "FlowTestKit",
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
      name: "poolflow-fuzz", dependencies: ["FlowFuzzing"], path: "Tests/Fuzzing/Runner",
      swiftSettings: strict + [.unsafeFlags(["-sanitize=fuzzer", "-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-sanitize=fuzzer", "-use-ld=lld"])]))
}
