// swift-tools-version: 6.2
import PackageDescription

// The floors of the house, bottom up. A target may name only targets of an earlier floor, or of its own floor where
// this file lists them; the folder names sort in the same order, so `ls Sources` prints the architecture.

/// Every function in a section of its own, so that the linker drops those that nobody calls and folds those that are
/// the same: a megabyte of each program.
let foldable: [SwiftSetting] = [.unsafeFlags(["-Xfrontend", "-function-sections"], .when(configuration: .release))]

let strict: [SwiftSetting] =
  [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  ] + foldable

/// Domain holds no pointer: strict memory safety turns any into an error.
let pure: [SwiftSetting] = strict + [.strictMemorySafety()]

/// Rooms that wait for people and sockets rather than for the processor are compiled for size, and so are those whose
/// benches are not slower for it: the programs are copied to small machines.
let small: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// A released program offers symbols to nobody, keeps its relative relocations packed (glibc 2.36 reads them) and carries
/// no tables for unwinding: nobody throws through Swift's frames, and who reads a core follows the frame pointers. That
/// saves four and a half megabytes; the linker for it comes with the Swift toolchain.
let slim: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld"]
      + [
        "--version-script=\(Context.packageDirectory)/config/no-exports.map", "--icf=all", "-O2",
        "-zpack-relative-relocs", "--no-eh-frame-hdr", "--script=\(Context.packageDirectory)/config/no-frames.ld",
      ]
      .flatMap { ["-Xlinker", $0] },
    .when(configuration: .release))
]

func domain(_ name: String, _ dependencies: [Target.Dependency] = [], _ more: [SwiftSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Domain/\(name)", swiftSettings: pure + more)
}

func edge(_ name: String, _ dependencies: [Target.Dependency], _ more: [SwiftSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Edge/\(name)", swiftSettings: strict + more)
}

func flow(_ name: String, _ dependencies: [Target.Dependency], _ more: [SwiftSetting] = []) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Flow/\(name)", swiftSettings: strict + more)
}

func room(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/Programs/\(name)", swiftSettings: strict + small)
}

func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/Programs/\(name)", swiftSettings: strict,
    linkerSettings: slim)
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

    // BuildTools: what makes sources of other targets; none of it is in a program.
    .target(name: "PoolWire", path: "Sources/BuildTools/PoolWire", swiftSettings: strict),
    .executableTarget(
      name: "poolflow-wire", dependencies: ["PoolWire"], path: "Sources/BuildTools/poolflow-wire",
      swiftSettings: strict),
    .plugin(
      name: "WirePlugin", capability: .buildTool(), dependencies: ["poolflow-wire"],
      path: "Sources/BuildTools/WirePlugin"),

    // Domain
    domain("PoolModel", [], small),
    domain("PoolCalendar", ["PoolModel"], small),
    domain("PoolChemistry", ["PoolModel"]),
    domain("PoolRouting", ["PoolModel"]),
    // The engine's: no room of it names a pool.
    domain("PoolNotices", ["PoolModel", "PoolCalendar"], small),
    domain("PoolWork", ["PoolModel", "PoolCalendar", "PoolNotices"], small),
    // The trade's. Another trade stands beside them.
    domain("PoolDigests", ["PoolModel", "PoolCalendar", "PoolChemistry", "PoolRouting", "PoolNotices"], small),
    domain("PoolJobs", ["PoolModel", "PoolCalendar", "PoolNotices", "PoolWork", "PoolDigests"], small),
    domain("PoolInterchange", ["PoolModel"], small),
    // The second trade's.
    domain("StableModel", ["PoolModel", "PoolCalendar"], small),
    domain("StableRules", ["PoolModel", "PoolCalendar", "StableModel"], small),
    domain("StableDigests", ["PoolModel", "PoolCalendar", "PoolNotices", "StableModel", "StableRules"], small),
    domain(
      "StableJobs",
      ["PoolModel", "PoolCalendar", "PoolNotices", "PoolWork", "StableModel", "StableRules", "StableDigests"], small),
    // Where the trades stand side by side.
    domain("PoolTrades", ["PoolModel", "PoolWork", "PoolJobs", "StableJobs"], small),
    domain("StableInterchange", ["PoolModel", "PoolInterchange", "StableModel"], small),
    .target(
      name: "PoolControl", dependencies: ["PoolModel"], path: "Sources/Domain/PoolControl",
      swiftSettings: pure + small, plugins: ["WirePlugin"]),

    // Edge
    edge("PoolPlatform", ["CLinux", "CSystemd", "CZlib", "PoolModel", "PoolCalendar"], small),
    edge(
      "PoolSettings", ["PoolModel", "PoolCalendar", "PoolControl", "PoolNotices", "PoolWork", "PoolPlatform"], small),
    edge(
      "PoolStore",
      [
        "CPostgres", "CSQLite", "PoolModel", "PoolChemistry", "PoolCalendar", "PoolNotices", "PoolWork", "PoolDigests",
        "PoolJobs", "PoolTrades", "PoolPlatform", "StableJobs", "StableModel", "StableRules",
      ], small),

    // Flow
    flow("PoolScheduler", ["PoolModel", "PoolCalendar", "PoolNotices", "PoolWork", "PoolPlatform"], small),
    flow("PoolDelivery", ["PoolModel", "PoolNotices", "PoolPlatform", "CLinux"], small),
    flow(
      "PoolBackup",
      [
        "PoolModel", "PoolCalendar", "PoolNotices", "PoolWork", "PoolDigests", "PoolJobs", "PoolInterchange",
        "StableInterchange", "StableModel", "PoolPlatform", "PoolStore",
      ], small),

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
    // Under the name poolflow-post it is that program.
    program("pfctl", ["PoolCommands", "PoolPost", "PoolPlatform"]),
    // Brings what the daemon drops to people. It has no store: of this house it links what reads settings and events.
    room(
      "PoolPost",
      [
        "CLinux", "CZlib", "PoolModel", "PoolCalendar", "PoolRouting", "PoolNotices", "PoolDigests", "StableDigests",
        "PoolControl", "PoolPlatform", "PoolSettings", "PoolDelivery",
      ]),
    program(
      "poolflow-bench",
      [
        "CSQLite", "CZlib", "PoolModel", "PoolCalendar", "PoolChemistry", "PoolRouting", "PoolNotices", "PoolWork",
        "PoolDigests", "PoolJobs", "PoolInterchange", "PoolControl", "PoolPlatform", "PoolStore", "PoolScheduler",
        "PoolDelivery", "PoolBackup",
      ]),

    // Tests mirror the targets.
    .target(
      name: "PoolTestKit", dependencies: ["PoolModel", "PoolCalendar", "PoolPlatform", "PoolStore"],
      path: "Tests/PoolTestKit", swiftSettings: strict),
    // A drop folder's disk in memory, and processes that die at a call of it.
    .target(
      name: "PoolDeliveryKit", dependencies: ["PoolDelivery", "PoolModel", "PoolNotices"],
      path: "Tests/PoolDeliveryKit",
      swiftSettings: strict),
    // A disk below SQLite that fails as a test says.
    .target(name: "FaultyDisk", dependencies: ["CSQLite"], path: "Tests/FaultyDisk"),
    // Takes the steps of a schema to come, so that a crash and a full disk can be put between them.
    .executableTarget(
      name: "poolflow-next", dependencies: ["PoolModel", "PoolPlatform", "PoolStore", "PoolTestKit"],
      path: "Tests/NextRelease", swiftSettings: strict),
    // What must hold for any bytes: fuzzed by config/fuzz.sh, and replayed from Tests/Fuzzing/Corpus by the tests.
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
      "PoolInterchangeTests", ["PoolFuzzing", "PoolInterchange", "PoolModel", "PoolPlatform", "PoolTestKit"],
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
        "PoolBackup", "PoolCalendar", "PoolFuzzing", "PoolInterchange", "PoolJobs", "PoolModel", "PoolPlatform",
        "PoolStore", "PoolTestKit", "PoolWork",
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

// The named test targets and nothing that they do not need: config/sanitize.sh builds all of it anew for each sanitizer,
// and need not wait for programs that it does not run.
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

// libFuzzer finds its way by what the Swift code itself reports, so every target is compiled for it. Only for
// config/fuzz.sh: an ordinary build has neither the target nor the flags.
if Context.environment["FUZZ"] != nil {
  // What makes sources is not fuzzed, and runs without libFuzzer.
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
