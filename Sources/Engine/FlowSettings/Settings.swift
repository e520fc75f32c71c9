package import FlowModel
internal import FlowPlatform
package import FlowWork
internal import Glibc

/// The operator's settings. A team's own settings are data in the store, changed with `pfctl team set`.
package struct Settings: Hashable, Sendable {
  /// The settings file; nil if there is none and the defaults apply.
  package var path: String?
  package var stateDirectory: String?
  package var socketPath: String?
  package var sinks: [SinkSettings]
  package var store = StoreSettings()
  /// The backups that `backup prune` and the nightly backup keep.
  package var backupRetention = Retention.standard
  /// The start of the nightly backup, in the machine's local time; nil disables it.
  package var backupTime = TimeOfDay(hour: 2, minute: 15)
  /// The folder that gets a copy of each backup; nil for no copies.
  package var backupDirectory: String?
  /// The timing of the job kinds that have a section; other kinds use their defaults.
  package var jobs: [JobKind: JobTiming] = [:]

  /// The timing that applies to the rules of each kind, without the jitter, which only the scheduler uses.
  package var jobDefaults: [JobKind: JobTiming] {
    jobs.mapValues { timing in
      var timing = timing
      timing.jitter = nil
      return timing
    }.filter { !$0.value.isEmpty }
  }
  /// The file for metrics; nil for none.
  package var metricsFile: String?
  /// The folder from which files are imported; nil for none.
  package var inbox: String?
  /// True if a team's plan limits its features.
  package var planLimits = false

  /// The settings without a file: notices go to stdout and to the drop folder.
  package static func standard(terminal: Bool) -> Settings {
    Settings(
      path: nil, stateDirectory: nil, socketPath: nil,
      sinks: [
        SinkSettings(name: "stdout", kind: .standardOutput, format: terminal ? .text : .auto),
        SinkSettings(name: "drop", kind: .fileDrop),
      ])
  }
}

/// The reason why the settings cannot be used; lists all mistakes at once.
package enum SettingsError: Error, CustomStringConvertible {
  case unreadable(path: String, why: String)
  case mistakes([SettingsProblem])

  package var description: String {
    switch self {
    case .unreadable(let path, let why): "cannot read the settings '\(path)': \(why)"
    case .mistakes(let problems): problems.map(\.description).joined(separator: "\n") + "\n" + summary
    }
  }

  /// The number of mistakes; for an unreadable file, the whole description.
  package var summary: String {
    switch self {
    case .unreadable: description
    case .mistakes(let problems):
      "\(problems.count) \(problems.count == 1 ? "mistake" : "mistakes") in the settings"
    }
  }
}

extension Settings {
  private static let sections = ["Daemon", "Store", "Backup", "Job NAME", "Sink NAME"]

  /// Reads the settings in the file that `--config` names, else in `$CONFIGURATION_DIRECTORY` or `/etc/poolflow` if
  /// that file exists.
  package static func load(
    configPath: String?, environment: [String: String], terminal: Bool, catalogue: JobCatalogue
  ) throws(SettingsError) -> Settings {
    let reading = try SettingsReading(
      configPath: configPath, environment: environment, terminal: terminal, catalogue: catalogue)
    guard reading.problems.isEmpty else { throw .mistakes(reading.problems) }
    return reading.settings
  }

  /// The drop-ins `poolflow.conf.d/*.conf`, sorted by name; later ones override earlier ones.
  package static func dropIns(beside path: String) -> [String] {
    guard let folder = opendir(path + ".d") else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name.hasSuffix(".conf"), !name.hasPrefix(".") { names.append("\(path).d/\(name)") }
    }
    return names.sorted()
  }

  /// The text of a settings file; at most 1 MiB.
  static func contents(of path: String) throws(SettingsError) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path: path, why: SystemFailure.words(errno)) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(path: path, why: "it is not a regular file")
    }
    guard status.st_size <= 1 << 20 else { throw .unreadable(path: path, why: "it is larger than 1 MiB") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw .unreadable(path: path, why: SystemFailure.words(errno)) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Applies all lines, and returns the mistakes in lines that cannot be applied.
  mutating func apply(_ lines: [SettingsLine], _ catalogue: JobCatalogue) -> [SettingsProblem] {
    var problems: [SettingsProblem] = []
    var named: [SinkSettings] = []
    var sinkIndex: [String: Int] = [:]
    var headings: [SettingsLine] = []
    for line in lines {
      if line.section == "Daemon" {
        if line.isHeading { continue }
        line.apply(to: &self, SettingsKey.daemon, catalogue, &problems)
      } else if line.section == "Store" {
        if !line.isHeading { line.apply(to: &store, SettingsKey.stores, catalogue, &problems) }
      } else if line.section == "Backup" {
        if !line.isHeading { line.apply(to: &self, SettingsKey.backups, catalogue, &problems) }
      } else if line.section.hasPrefix("Job "), line.section.count > 4 {
        apply(line, toJob: String(line.section.dropFirst(4)), catalogue, &problems)
      } else if line.section.hasPrefix("Sink "), line.section.count > 5 {
        let name = String(line.section.dropFirst(5))
        let index = sinkIndex[name] ?? named.count
        if index == named.count {
          sinkIndex[name] = index
          headings.append(line)
          named.append(SinkSettings(name: name, kind: .fileDrop))
          if !SinkSettings.isName(name) {
            problems.append(
              .badName(line, expected: "a sink's name has letters, digits, -, _ and ., at most 64 characters"))
          }
        }
        if !line.isHeading { line.apply(to: &named[index], SettingsKey.sinks, catalogue, &problems) }
      } else if line.isHeading {
        problems.append(.unknownSection(line, known: Self.sections))
      }
    }
    problems += Self.mistakes(ofSinks: Array(zip(named, headings)))
    problems += mistakesOfStore(lines)
    // A named sink replaces all default sinks, so that the file lists every output.
    if !named.isEmpty { sinks = named }
    return problems
  }

  /// The mistakes that concern several keys of a sink, or several sinks.
  ///
  /// - Parameter sinks: each sink with the line of its heading.
  private static func mistakes(ofSinks sinks: [(SinkSettings, SettingsLine)]) -> [SettingsProblem] {
    var problems: [SettingsProblem] = []
    for (sink, line) in sinks where sink.kind == .publish && sink.directory == nil {
      problems.append(
        .badName(
          line, expected: "a sink of Type=publish needs Directory=, the folder that a web server serves", prefix: ""))
    }
    var takers: [[Substring]: String] = [:]
    for (sink, line) in sinks {
      guard let directory = sink.directory else { continue }
      let pathParts = directory.split(separator: "/").filter { $0 != "." }
      if let other = takers.updateValue(sink.name, forKey: pathParts) {
        problems.append(
          .badName(
            line,
            expected: "its Directory is also that of [Sink \(other)]; give each sink its own folder",
            prefix: ""))
      }
    }
    return problems
  }

  /// The mistakes that concern several keys of the database.
  private func mistakesOfStore(_ lines: [SettingsLine]) -> [SettingsProblem] {
    var problems: [SettingsProblem] = []
    func last(_ key: String) -> SettingsLine? { lines.last { $0.section == "Store" && $0.key == key } }
    if let engine = last("Engine"), store.engine == .postgresql, store.connection == nil, last("Connection") == nil {
      problems.append(
        .badName(
          engine, expected: "Engine = postgresql needs Connection =, the connection string of the server", prefix: ""))
    }
    if store.engine != .postgresql, let node = last("Node") {
      problems.append(
        .badName(
          node,
          expected: "Node = needs Engine = postgresql: only a store on a server can be shared by several nodes",
          prefix: ""))
    }
    return problems
  }
}

extension SettingsProblem {
  static func unknownKey(_ line: SettingsLine, known: [String]) -> SettingsProblem {
    SettingsProblem(
      file: line.file, line: line.line, column: line.keyColumn, length: line.key.count, text: line.text,
      message: "unknown key \"\(line.key)\" in [\(line.section)]",
      suggestion: Suggestion.nearest(to: line.key, among: known), known: known)
  }

  static func unknownSection(_ line: SettingsLine, known: [String]) -> SettingsProblem {
    SettingsProblem(
      file: line.file, line: line.line, column: line.keyColumn, length: line.section.count, text: line.text,
      message: "unknown section [\(line.section)]",
      suggestion: Suggestion.nearest(to: line.section, among: known), known: known)
  }

  static func badName(
    _ line: SettingsLine, expected: String, prefix: String = "unknown section "
  ) -> SettingsProblem {
    SettingsProblem(
      file: line.file, line: line.line, column: line.keyColumn, length: line.section.count, text: line.text,
      message: "\(prefix)[\(line.section)]: \(expected)", suggestion: nil)
  }

  static func badValue(_ line: SettingsLine, expected: String, known: [String]) -> SettingsProblem {
    SettingsProblem(
      file: line.file, line: line.line, column: line.valueColumn, length: max(1, line.value.count), text: line.text,
      message: "\(line.key) cannot be \"\(line.value)\": \(expected)"
        + (known.isEmpty ? "" : " " + known.joined(separator: " or ")),
      suggestion: Suggestion.nearest(to: line.value, among: known))
  }
}
